"""An answer to a question within a token budget: facts and passages with citations, as typed data and as one text."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum
from typing import NewType
from uuid import UUID

from domain.errors import InvalidInput, shown
from domain.identity.ids import (
    AssertionId,
    ChunkId,
    DocumentId,
    EntityId,
    FactId,
    Revision,
    StandingId,
    VersionId,
)
from domain.knowledge.assertion import ClaimKind
from domain.retrieval.pinning import SnapshotId
from domain.standing.testimony import Lifecycle

PackId = NewType("PackId", UUID)

PACKING_VERSION = 5
"""Of how packs are chosen and rendered. A change that gives another text takes the next number."""
MAX_BUDGET = 1_000_000
"""Tokens of one pack."""


class Conflicts(StrEnum):
    """What a pack does with contested facts: show them with both sides, leave them out, or show nothing else."""

    INCLUDE = "include"
    EXCLUDE = "exclude"
    ONLY = "only"


@dataclass(frozen=True, slots=True)
class PackDocument:
    """A document that a pack cites, by a short name."""

    ref: str
    document_id: DocumentId
    version_id: VersionId
    title: str | None
    uri: str | None
    source_name: str
    tier: int
    published_at: datetime | None


@dataclass(frozen=True, slots=True)
class PackCitation:
    """Where something is written: [start, end) in code points of the version's text, or a pointer into a record."""

    document: str
    document_id: DocumentId
    version_id: VersionId
    assertion_id: AssertionId
    start: int | None
    end: int | None
    pointer: str | None
    excerpt: str | None


@dataclass(frozen=True, slots=True)
class PackFact:
    """A fact as it stands. ``ref`` is a number; sides of one contested fact share it and have a letter.

    ``denial`` is the best word against a fact that is said and denied. It holds from ``holds_from`` to ``holds_to``.
    It is ``tainted`` while only agents and sources of tier 4 speak for it; ``flags`` say what its words may be.
    """

    ref: str
    fact_id: FactId
    standing_id: StandingId
    subject_id: EntityId
    object_id: EntityId | None
    sentence: str | None
    predicate: str
    kind: ClaimKind
    lifecycle: Lifecycle
    tier: int
    confidence: float
    corrected: bool
    contested: bool
    holds_from: datetime | None
    holds_to: datetime | None
    score: float
    citation: PackCitation | None
    denial: PackCitation | None
    tainted: bool = False
    flags: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class PackPassage:
    """A stretch of a document: [start, end) in code points of the version's text."""

    ref: str
    chunk_id: ChunkId
    document: str
    document_id: DocumentId
    version_id: VersionId
    start: int
    end: int
    text: str
    score: float
    tainted: bool = False
    flags: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class LeftOut:
    """What was found and is not in the pack: for want of room, because it is contested or not, or as said already."""

    budget: int = 0
    conflicts: int = 0
    duplicates: int = 0


@dataclass(frozen=True, slots=True)
class ContextPack:
    """``text`` is the whole pack for a model, fenced; ``size`` is its tokens by ``tokenizer``, never over ``budget``.

    Unless the count is ``exact``, ``size`` is a bound. ``id``, ``made_at`` and ``expires_at`` are there once it is
    stored; ``snapshot_id`` is what it was read by, and always there then.
    """

    question: str
    budget: int
    size: int
    tokenizer: str
    exact: bool
    conflicts: Conflicts
    packing_version: int
    as_of: datetime | None
    known_at: Revision | None
    snapshot_id: SnapshotId | None
    text: str
    facts: tuple[PackFact, ...]
    passages: tuple[PackPassage, ...]
    documents: tuple[PackDocument, ...]
    left_out: LeftOut
    entities: tuple[EntityId, ...] = ()
    notes: tuple[str, ...] = ()
    id: PackId | None = None
    made_at: datetime | None = None
    expires_at: datetime | None = None

    def items(self) -> Iterator[UUID]:
        """Everything that it shows or names, by id: an erasure of one of them voids it."""
        yield from self.entities
        for fact in self.facts:
            yield from (fact.fact_id, fact.subject_id)
            if fact.object_id is not None:
                yield fact.object_id
            for citation in (fact.citation, fact.denial):
                if citation is not None:
                    yield from (citation.assertion_id, citation.document_id, citation.version_id)
        for passage in self.passages:
            yield from (passage.chunk_id, passage.document_id, passage.version_id)


def checked_budget(budget: int) -> int:
    """The budget. Raises InvalidInput for none, or one past ``MAX_BUDGET``."""
    if not 1 <= budget <= MAX_BUDGET:
        raise InvalidInput(f"a budget is 1 to {MAX_BUDGET} tokens, not {shown(budget)}", field="budget")
    return budget
