"""What one source said: the immutable unit from which every fact is made."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime
from enum import StrEnum

from domain.errors import InvalidInput, shown
from domain.identity.ids import ChunkId, VersionId
from domain.knowledge.concept import CONCEPT, require_known_kind
from domain.knowledge.objects import Literal
from domain.knowledge.time import UNKNOWN_BOUND, TimeBound

MAX_EXCERPT = 300
"""Characters of a span's excerpt."""
MAX_NAME = 500
"""Characters of a mention's surface form."""


class Polarity(StrEnum):
    """Whether the source says the thing or denies it."""

    SUPPORT = "support"
    REFUTE = "refute"


class ClaimKind(StrEnum):
    """How the source puts it. Claim when unsure."""

    FACT = "fact"
    CLAIM = "claim"
    OPINION = "opinion"


class AssertionState(StrEnum):
    """Only live assertions carry truth."""

    PENDING = "pending"
    LIVE = "live"
    WITHDRAWN = "withdrawn"
    REJECTED = "rejected"


@dataclass(frozen=True, slots=True)
class Mention:
    """A name as the source wrote it. Offsets are code points in the version's text where there is one.

    ``antecedent`` marks a pronoun or a description that was resolved: the surface is the antecedent's name and
    the offsets are the antecedent's.
    """

    surface: str
    kind: str | None = None
    start: int | None = None
    end: int | None = None
    antecedent: bool = False

    def __post_init__(self) -> None:
        if not self.surface.strip():
            raise InvalidInput("a name must not be empty", field="name")
        if len(self.surface) > MAX_NAME:
            raise InvalidInput(f"a name has at most {MAX_NAME} characters: {shown(self.surface)}", field="name")


@dataclass(frozen=True, slots=True)
class SpanEvidence:
    """A literal excerpt of a version's text, ``text[start:end] == excerpt``."""

    version_id: VersionId
    start: int
    end: int
    excerpt: str
    chunk_id: ChunkId | None = None


@dataclass(frozen=True, slots=True)
class RecordEvidence:
    """A row or a JSON value, and its literal text."""

    version_id: VersionId
    pointer: str
    excerpt: str


@dataclass(frozen=True, slots=True)
class StatementEvidence:
    """What a principal said directly, without a document."""

    version_id: VersionId | None
    excerpt: str


Evidence = SpanEvidence | RecordEvidence | StatementEvidence


@dataclass(frozen=True, slots=True)
class Claim:
    """One thing said, before it is resolved and placed: what every extractor yields.

    ``confidence`` is the extractor's, 0 to 1. ``qualifiers`` are details by name; those that the predicate's policy
    names become part of the fact's key. ``asserter`` is who the source says it is from. ``observed_at`` is when the
    source observed it; the document's date where the claim gives none.
    """

    subject: Mention
    predicate: str
    object: Mention | Literal
    confidence: float
    polarity: Polarity = Polarity.SUPPORT
    kind: ClaimKind = ClaimKind.CLAIM
    asserter: str | None = None
    valid_from: TimeBound = UNKNOWN_BOUND
    valid_to: TimeBound = UNKNOWN_BOUND
    observed_at: datetime | None = None
    qualifiers: Mapping[str, str] = field(default_factory=dict)

    def __post_init__(self) -> None:
        if not 0.0 <= self.confidence <= 1.0:
            raise InvalidInput(f"confidence lies between 0 and 1, not {self.confidence}", field="confidence")
        start, end = self.valid_from.value, self.valid_to.value
        if start is not None and end is not None and start >= end:
            raise InvalidInput(
                f"valid_from {start.isoformat()} is not before valid_to {end.isoformat()}", field="valid_from"
            )
        if self.subject.kind == CONCEPT:
            require_known_kind(self.predicate, self.object)
