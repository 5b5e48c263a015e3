"""Contradictions as a reader sees them: every side as a whole fact, with its score taken apart factor by factor."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any
from uuid import UUID

from domain.identity.ids import (
    AssertionId,
    DocumentId,
    EntityId,
    FactId,
    GroupId,
    Revision,
    SlotId,
    SourceId,
    StandingId,
    VersionId,
)
from domain.knowledge.assertion import AssertionState, ClaimKind, Polarity
from domain.knowledge.object_wire import from_wire
from domain.knowledge.objects import EntityRef, TextValue
from domain.knowledge.predicate import PredicatePolicy
from domain.knowledge.time import BoundState, Precision, TimeBound
from domain.retrieval.explanation import StatedBound
from domain.retrieval.facts import Named, StandingFact
from domain.standing.contradiction import ContradictionKind, Severity, Stance
from domain.standing.grading import KIND_WEIGHT, TIER_AUTHORITY, bonus, weight
from domain.standing.testimony import Lifecycle, Testimony


@dataclass(frozen=True, slots=True)
class Saying:
    """One live assertion on a contested slot, with its source and words."""

    assertion_id: AssertionId
    fact_id: FactId
    object_id: EntityId | None
    object_literal: dict[str, Any] | None
    polarity: Polarity
    kind: ClaimKind
    confidence: float
    tier: int
    trust: float | None
    independence_key: str
    corrects_revision: Revision | None
    approved: bool
    asserter: str | None
    observed_at: datetime
    published_at: datetime | None
    valid_from: StatedBound
    valid_to: StatedBound
    excerpt: str | None
    start: int | None
    end: int | None
    pointer: str | None
    version_id: VersionId
    document_id: DocumentId
    title: str | None
    uri: str | None
    source_id: SourceId
    source_name: str
    principal_kind: str

    def testimony(self) -> Testimony:
        """The saying as a slot is assessed by; an erased literal reads as an empty text."""
        literal = from_wire(self.object_literal) if self.object_literal is not None else TextValue("")
        return Testimony(
            assertion_id=self.assertion_id,
            fact_id=self.fact_id,
            object=EntityRef(self.object_id) if self.object_id is not None else literal,
            state=AssertionState.LIVE,
            polarity=self.polarity,
            kind=self.kind,
            confidence=self.confidence,
            valid_from=_bound(self.valid_from),
            valid_to=_bound(self.valid_to),
            observed_at=self.observed_at,
            published_at=self.published_at,
            tier=self.tier,
            trust=self.trust,
            independence_key=self.independence_key,
            corrects=self.corrects_revision,
            approved=self.approved,
        )


def _bound(stated: StatedBound) -> TimeBound:
    precision = Precision(stated.precision) if stated.precision else None
    return TimeBound(stated.value, precision, BoundState(stated.state))


@dataclass(frozen=True, slots=True)
class Contested:
    """What the record has of one contested slot, or of one fact that is said and denied (then ``about`` is its id).

    ``policy`` is the organization's own of the predicate at the revision, where it has one. ``standings`` are the
    segments of the slot's facts. ``total`` counts the whole list.
    """

    about: UUID
    slot_id: SlotId
    group_id: GroupId
    kind: ContradictionKind
    predicate: str
    severity: Severity
    total: int
    policy: PredicatePolicy | None
    standings: tuple[StandingId, ...]
    sayings: tuple[Saying, ...]


@dataclass(frozen=True, slots=True)
class Compared:
    """What two sets of documents say in one slot, and which assertions are whose; they may share some."""

    slot_id: SlotId
    group_id: GroupId
    predicate: str
    policy: PredicatePolicy | None
    standings: tuple[StandingId, ...]
    sayings: tuple[Saying, ...]
    first: frozenset[AssertionId]
    second: frozenset[AssertionId]


@dataclass(frozen=True, slots=True)
class Factor:
    """One saying and what it weighs: confidence × kind × authority, the source's own trust or its tier's.

    ``counts`` is false for a copy of a source that counts once already. ``set`` says whose it is where two sets of
    documents are compared: first, second or both.
    """

    saying: Saying
    kind_weight: float
    authority: float
    weight: float
    counts: bool
    set: str | None = None


@dataclass(frozen=True, slots=True)
class Side:
    """One side: its fact, whether it is said or denied, and its score: the best weight × the bonus for its number of
    independent sources. ``mass`` is the sum of the weights that count, ``confidence`` their noisy-or."""

    fact: StandingFact
    polarity: Polarity
    lifecycle: Lifecycle
    corrected: bool
    score: float
    best_weight: float
    bonus: float
    sources: int
    mass: float
    confidence: float
    factors: tuple[Factor, ...]


@dataclass(frozen=True, slots=True)
class FoundContradiction:
    """Sides that speak against each other over a stretch of valid time, the heaviest first.

    ``id`` is the slot's, or the fact's that is said and denied; decide by it. ``open`` while it stands disputed, else
    ``winner`` is the fact that holds, None where a denial won. ``between_scopes`` when another readable scope says
    something else again.
    """

    id: UUID
    kind: ContradictionKind
    group_id: GroupId
    predicate: str
    valid_from: datetime | None
    valid_to: datetime | None
    open: bool
    winner: FactId | None
    severity: Severity
    assertions: int
    between_scopes: bool
    sides: tuple[Side, ...]

    @property
    def subject(self) -> Named:
        """Whom or what it is about."""
        return self.sides[0].fact.subject


def taken_apart(
    stance: Stance, fact: StandingFact, sayings: Mapping[AssertionId, Saying], sets: Mapping[AssertionId, str]
) -> Side:
    """A side with every factor of its score; the weights that count come first."""
    factors: list[Factor] = []
    seen: set[str] = set()
    for said in sorted(stance.testimonies, key=lambda t: (-weight(t), t.assertion_id)):
        authority = TIER_AUTHORITY[said.tier] if said.trust is None else said.trust
        own = said.assertion_id
        is_first = said.independence_key not in seen
        seen.add(said.independence_key)
        factors.append(Factor(sayings[own], KIND_WEIGHT[said.kind], authority, weight(said), is_first, sets.get(own)))
    grade = stance.grade
    return Side(
        fact=fact,
        polarity=stance.polarity,
        lifecycle=stance.lifecycle,
        corrected=stance.corrected,
        score=grade.score,
        best_weight=factors[0].weight,
        bonus=bonus(grade.sources),
        sources=grade.sources,
        mass=grade.mass,
        confidence=grade.confidence,
        factors=tuple(sorted(factors, key=lambda f: not f.counts)),
    )


def shown_segment(
    segments: Sequence[StandingFact], valid_from: datetime | None, valid_to: datetime | None
) -> StandingFact | None:
    """Of a fact's segments the last one that meets the stretch, else the last; None without any."""
    meeting = [
        s
        for s in segments
        if (s.valid_from is None or valid_to is None or s.valid_from < valid_to)
        and (valid_from is None or s.valid_to is None or valid_from < s.valid_to)
    ]
    return max(meeting or segments, key=lambda s: (s.valid_from is not None, s.valid_from), default=None)
