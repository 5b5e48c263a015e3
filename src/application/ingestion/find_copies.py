"""Which assertions of a document count together with those of others: declared copies, and passages that are alike."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from typing import TypeVar

from application.ingestion.read_version import Material
from application.knowledge.commit import committed
from domain.identity.access import Access
from domain.identity.ids import SketchId
from domain.ingestion.copies import (
    COPY_LIKENESS,
    Sketch,
    address_key,
    bands,
    content_key,
    holds_no_longer,
    most_alike,
    passages_around,
    runs,
)
from domain.ingestion.spans import Span
from domain.knowledge.assertion import Evidence, SpanEvidence
from domain.ports.ids import Ids
from domain.ports.sketcher import Sketcher
from domain.ports.unit_of_work import Transaction, UnitOfWork

Item = TypeVar("Item")
PAGE = 500
"""Passages that are compared in one transaction."""


@dataclass(frozen=True, slots=True)
class Independence:
    """The independence keys of a document's assertions: that of the document, and of places that have another."""

    document: str
    places: dict[int, str] = field(default_factory=dict)

    def of(self, evidence: Evidence) -> str:
        """The key of an assertion by where it stands."""
        return self.places.get(evidence.start, self.document) if isinstance(evidence, SpanEvidence) else self.document


def document_key(material: Material, key: bytes) -> str:
    """The key of a document before its passages are compared (K1, K2, K4). Records keep that of their source's file."""
    version = material.version
    if material.source.kind == "agent":
        # What an agent wrote is the agent's word, however often; what it found is its source's.
        return f"principal:{version.principal_id}"
    if (declared := address_key(version.origin_uri, key)) is not None:
        return declared
    if material.parsed.records:
        return f"{version.source_id}:{version.content_hash}"
    return address_key(version.source_uri, key) or content_key(str(version.source_id), version.content_hash, key)


class CopyFinder:
    """Compares the passages of a text that hold evidence with those that are known in its scope.

    - Each page of passages is one look-up and one insert, in a transaction of its own before the text's assertions are
      written; copies that are read at the same time wait for each other.
    - A version that is read again finds its own passages, and so the same keys.
    - Passages stay known when their document is retracted or replaced, and go when it is erased.
    """

    def __init__(
        self, unit_of_work: UnitOfWork, sketcher: Sketcher, ids: Ids, threshold: float = COPY_LIKENESS
    ) -> None:
        self._unit_of_work = unit_of_work
        self._sketcher = sketcher
        self._ids = ids
        self._threshold = threshold

    async def __call__(
        self, access: Access, material: Material, evidence: Sequence[Evidence], key: bytes
    ) -> Independence:
        """The keys for the evidence of a version. Raises Unavailable, Conflict when the version was erased."""
        own = document_key(material, key)
        found = Independence(own)
        if material.source.kind == "agent" or material.parsed.records:
            return found
        places = [each.start for each in evidence if isinstance(each, SpanEvidence)]
        passages, sketched = await asyncio.to_thread(self._sketched, access, material.parsed.text, places, key)
        keys: dict[Span, str] = {}
        for page in _pages(list(sketched.items()), PAGE):
            keys |= await committed(
                self._unit_of_work,
                access,
                lambda tx, page=page: self._claim(tx, material, own, page),  # type: ignore[misc]
            )
        found.places.update({place: keys[span] for place, span in passages.items() if span in keys})
        return found

    def _sketched(
        self, access: Access, text: str, places: Sequence[int], key: bytes
    ) -> tuple[dict[int, Span], dict[Span, tuple[bytes, list[int]]]]:
        """Passages by place, and of those that are long enough the sketch and its bands."""
        passages = passages_around(text, places)
        long = {span: own for span in dict.fromkeys(passages.values()) if (own := runs(span.of(text)))}
        contents = self._sketcher.sketch(list(long.values()))
        scheme, scope = self._sketcher.scheme, access.write_scope
        return passages, {
            span: (content, bands(content, scheme, scope, key)) for span, content in zip(long, contents, strict=True)
        }

    async def _claim(
        self, tx: Transaction, material: Material, own: str, page: Sequence[tuple[Span, tuple[bytes, list[int]]]]
    ) -> dict[Span, str]:
        version = material.version
        known = await tx.sketches.alike(sorted({band for _, (_, own_bands) in page for band in own_bands}))
        before = {(s.start, s.end): s for s in known if s.version_id == version.id}
        others = [
            s
            for s in known
            if s.version_id != version.id and not (s.document_id == version.document_id and holds_no_longer(s, own))
        ]
        keys: dict[Span, str] = {}
        made: list[Sketch] = []
        for span, (content, _) in page:
            earlier = before.get((span.start, span.end))
            sketch = earlier or self._sketch(material, own, span, content, others)
            keys[span] = sketch.independence_key
            if earlier is None:
                made.append(sketch)
        new = {(s.start, s.end) for s in made}
        await tx.sketches.add(made, [own_bands for span, (_, own_bands) in page if (span.start, span.end) in new])
        return keys

    def _sketch(self, material: Material, own: str, span: Span, content: bytes, others: Sequence[Sketch]) -> Sketch:
        version = material.version
        sketch = Sketch(SketchId(self._ids.new()), version.id, version.document_id, span.start, span.end, content, own)
        # What is declared holds for the whole document, whatever else its passages are like.
        found = most_alike(content, others, self._threshold) if version.origin_uri is None else None
        if found is None:
            return sketch
        other, alike = found
        if other.document_id == version.document_id:
            # A former version of the same document: what that is a copy of, this is.
            return replace(
                sketch, independence_key=other.independence_key, copy_of=other.copy_of, likeness=other.likeness
            )
        return replace(sketch, independence_key=other.independence_key, copy_of=other.document_id, likeness=alike)


def _pages(items: Sequence[Item], size: int) -> list[Sequence[Item]]:
    return [items[at : at + size] for at in range(0, len(items), size)]
