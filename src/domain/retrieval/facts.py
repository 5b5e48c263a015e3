"""A fact as a reader sees it: how one segment stands, by which evidence, and who says otherwise."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import NamedTuple

from domain.identity.ids import (
    AssertionId,
    DocumentId,
    EntityId,
    FactId,
    GroupId,
    Revision,
    SourceId,
    StandingId,
    VersionId,
)
from domain.ingestion.instructions import instruction_flags
from domain.knowledge.assertion import ClaimKind
from domain.knowledge.objects import Literal
from domain.standing.grounding import UNGROUNDED, Grounding
from domain.standing.stretch import Bounds
from domain.standing.testimony import Lifecycle, Verification


@dataclass(frozen=True, slots=True)
class Named:
    """An entity with the name and kind that it is shown by."""

    id: EntityId
    name: str
    kind: str | None


@dataclass(frozen=True, slots=True)
class Citation:
    """The best assertion for a segment and where it is written.

    ``start`` and ``end`` are code points in the version's text, ``pointer`` a row or JSON pointer of a record.
    ``paragraph`` is the paragraph around the excerpt where the text is known. ``tier`` is the source's.
    """

    assertion_id: AssertionId
    kind: ClaimKind
    asserter: str | None
    excerpt: str | None
    start: int | None
    end: int | None
    pointer: str | None
    paragraph: str | None
    version_id: VersionId
    document_id: DocumentId
    title: str | None
    uri: str | None
    published_at: datetime | None
    observed_at: datetime
    source_id: SourceId
    source_name: str
    tier: int


@dataclass(frozen=True, slots=True)
class Rival:
    """Another fact that fills the same slot, or the same slot in another scope (``differs_by_scope``).

    ``source_name`` and ``excerpt`` are those of its best assertion.
    """

    fact_id: FactId
    standing_id: StandingId
    group_id: GroupId
    sentence: str | None
    lifecycle: Lifecycle
    confidence: float
    support_mass: float
    refute_mass: float
    tier: int
    valid_from: datetime | None
    valid_to: datetime | None
    differs_by_scope: bool
    source_name: str | None = None
    excerpt: str | None = None


@dataclass(frozen=True, slots=True)
class StandingFact:
    """One segment of a fact with everything that a hit shows.

    Valid time is half-open, None unbounded. ``support`` and ``refute`` are the Belnap bits. ``helpful`` and
    ``unhelpful`` count feedback up to the read revision. ``sentence`` is None once erased. Rivals are narrowest
    scope first. ``stretch`` is the whole time around the segment in which the fact stands like this without a gap; None
    is the segment alone. ``denial`` is the best word against a fact that is said and denied. ``grounding`` is as of
    the asked moment. It is ``tainted`` while only agents and sources of tier 4 speak for it.
    """

    standing_id: StandingId
    fact_id: FactId
    group_id: GroupId
    sentence: str | None
    subject: Named
    predicate: str
    object: Named | Literal | None
    qualifiers: Mapping[str, str]
    valid_from: datetime | None
    valid_to: datetime | None
    lifecycle: Lifecycle
    support: bool
    refute: bool
    confidence: float
    support_mass: float
    refute_mass: float
    score: float
    reason: str
    tier: int
    verification: Verification
    kind: ClaimKind
    corrected: bool
    observed_at: datetime
    from_revision: Revision
    citation: Citation | None
    helpful: int
    unhelpful: int
    rivals: tuple[Rival, ...]
    stretch: Bounds | None = None
    denial: Citation | None = None
    grounding: Grounding = UNGROUNDED
    tainted: bool = False

    @property
    def holds_from(self) -> datetime | None:
        """Where the stretch begins: a segment ends where the score changes, which is no end of what it says."""
        return self.stretch[0] if self.stretch else self.valid_from

    @property
    def holds_to(self) -> datetime | None:
        """Where the stretch ends."""
        return self.stretch[1] if self.stretch else self.valid_to

    @property
    def flags(self) -> tuple[str, ...]:
        """What the words that are shown of it are suspected of, such as being an instruction to a model."""
        cited = self.citation
        said = (self.sentence, cited.paragraph or cited.excerpt, cited.title) if cited else (self.sentence,)
        return instruction_flags("\n\n".join(text for text in said if text))

    @property
    def differs_by_scope(self) -> bool:
        """Whether another readable scope says something else."""
        return any(rival.differs_by_scope for rival in self.rivals)


class Outline(NamedTuple):
    """What ranking looks at of a segment. A tuple, since a search makes a hundred of them to show ten facts.

    ``subject`` and ``object`` are without names, and None unless the fact is under a predicate that was asked for.
    """

    standing_id: StandingId
    fact_id: FactId
    predicate: str
    subject: Named | None
    object: Named | Literal | None
    valid_from: datetime | None
    valid_to: datetime | None
    tier: int
    verification: Verification
    corrected: bool
    confidence: float
    observed_at: datetime
    helpful: int
    unhelpful: int


def paragraph_around(text: str, start: int, end: int) -> str:
    """The lines around ``text[start:end]`` up to the next blank lines, stripped. Offsets outside are clipped."""
    start, end = max(0, min(start, len(text))), max(0, min(end, len(text)))
    before = text.rfind("\n\n", 0, start)
    after = text.find("\n\n", end)
    return text[before + 2 if before >= 0 else 0 : after if after >= 0 else len(text)].strip()
