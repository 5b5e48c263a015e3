"""From a parsed version to claims with literal evidence: by its records' mapping, or by reading its text."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace

from application.ingestion.text_windows import sent_at, text_windows
from domain.errors import ModelReplyInvalid
from domain.identity.access import Access
from domain.ingestion.acceptance import rejection
from domain.ingestion.claims import Extraction, ExtractionWindow, Rejection, SpanClaim
from domain.ingestion.concept_records import concepts_of
from domain.ingestion.mapping import claims_of
from domain.ingestion.mapping_form import parse_mapping
from domain.ingestion.parsed import ParsedDocument
from domain.knowledge.assertion import MAX_EXCERPT, Claim, Evidence, Mention, RecordEvidence, SpanEvidence
from domain.knowledge.objects import normal_form
from domain.knowledge.predicate import predicate_name
from domain.ports.claim_extractor import ClaimExtractor
from domain.ports.documents import ChunkRow, CollectionRow, Rejected, VersionRow
from domain.resolution.names import normal_name

NO_CONCEPTS = "none: this extractor reads facts only; records, triples or a language model bring concepts"


@dataclass(frozen=True, slots=True)
class Extracted:
    """Claims that were accepted, with evidence, and what was not, with its place. ``notes`` are for the receipt."""

    claims: tuple[tuple[Claim, Evidence], ...]
    rejected: tuple[Rejected, ...]
    requests: int = 0
    notes: Mapping[str, object] = field(default_factory=dict)


def extract_records(parsed: ParsedDocument, version: VersionRow) -> Extracted:
    """Claims of every record by the version's mapping; without one, none, and the receipt says so."""
    if version.mapping is None:
        note = Rejection("mapping_missing", "no mapping was given, so the rows are text for search only")
        return Extracted((), (Rejected("document", note),))
    mapping = parse_mapping(version.mapping)
    claims: list[tuple[Claim, Evidence]] = []
    rejected: list[Rejected] = []
    for record in parsed.records:
        found, refused = claims_of(record.fields, mapping)
        evidence = RecordEvidence(version.id, record.pointer, record.literal)
        claims += [(claim, evidence) for claim in found]
        rejected += [Rejected(record.pointer, r) for r in refused]
        quoted, refused = concepts_of(record.fields, mapping)
        claims += [(q.claim, replace(evidence, excerpt=q.quote) if q.quote else evidence) for q in quoted]
        rejected += [Rejected(record.pointer, r) for r in refused]
    return Extracted(tuple(claims), tuple(rejected))


async def extract_text(
    extractor: ClaimExtractor,
    access: Access,
    version: VersionRow,
    parsed: ParsedDocument,
    collection: CollectionRow | None,
    chunks: Sequence[ChunkRow],
) -> Extracted:
    """Claims of the text, window by window; of duplicates the most confident is kept.

    What a message says was observed when it was sent.

    Raises Unavailable when the extractor's model is down. A window whose model answers with nothing usable is rejected.
    """
    parts = text_windows(parsed, version, collection)
    best: dict[tuple[str, ...], SpanClaim] = {}
    rejected: list[Rejected] = []
    requests = 0
    for part, extraction in zip(parts, await _extractions(extractor, access, parts), strict=True):
        place = f"characters {part.start} to {part.start + len(part.text)}"
        requests += extraction.requests
        rejected += [Rejected(place, r) for r in extraction.rejections]
        for found in extraction.claims:
            if (refused := rejection(found, parsed.text)) is not None:
                rejected.append(Rejected(place, refused))
                continue
            item = replace(found, claim=replace(found.claim, observed_at=sent_at(parsed, version, found.start)))
            known = best.get(said := _said(item.claim))
            if known is not None:
                rejected.append(Rejected(place, Rejection("duplicate", "said more than once in this document")))
            if known is None or item.claim.confidence > known.claim.confidence:
                best[said] = item
    notes = {} if extractor.reads_concepts else {"concepts": NO_CONCEPTS}
    claims = tuple((item.claim, _span(item, version, chunks)) for item in best.values())
    return Extracted(claims, tuple(rejected), requests, notes)


async def _extractions(
    extractor: ClaimExtractor, access: Access, parts: Sequence[ExtractionWindow]
) -> list[Extraction]:
    tenant = {"organization_id": access.organization_id, "group_id": access.write_scope}
    if extractor.prompt_version is None:
        return await extractor.extract(parts, **tenant)  # type: ignore[arg-type]
    found: list[Extraction] = []
    for part in parts:
        try:
            found += await extractor.extract([part], **tenant)  # type: ignore[arg-type]
        except ModelReplyInvalid as error:
            found.append(Extraction((), (Rejection(error.code, error.message),), 2))
    return found


def _said(claim: Claim) -> tuple[str, ...]:
    target = claim.object
    return (
        normal_name(claim.subject.surface),
        predicate_name(claim.predicate),
        "=" + normal_name(target.surface) if isinstance(target, Mention) else normal_form(target),
        claim.polarity.value,
        claim.observed_at.isoformat() if claim.observed_at else "",
        *(part for pair in sorted(claim.qualifiers.items()) for part in pair),
    )


def _span(item: SpanClaim, version: VersionRow, chunks: Sequence[ChunkRow]) -> SpanEvidence:
    home = next((c.id for c in chunks if c.start <= item.start < c.end), None)
    assert len(item.excerpt) <= MAX_EXCERPT
    return SpanEvidence(version.id, item.start, item.end, item.excerpt, home)
