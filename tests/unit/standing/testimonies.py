"""Testimonies for tests: short to write, with ids that follow from what is said."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, datetime
from decimal import Decimal
from itertools import count
from uuid import UUID

from domain.identity.ids import AssertionId, EntityId, FactId, Revision
from domain.knowledge.assertion import AssertionState, ClaimKind, Polarity
from domain.knowledge.objects import DateValue, EntityRef, NumberValue, TypedObject, normal_form
from domain.knowledge.predicate import Cardinality, PredicatePolicy, Succession
from domain.knowledge.time import UNKNOWN_BOUND, Precision, TimeBound
from domain.standing.testimony import Segment, Testimony

MANY = PredicatePolicy("OWNS")
BY_START = PredicatePolicy("HEADQUARTERED_IN", Cardinality.ONE)
BY_OBSERVATION = PredicatePolicy("HAS_STATUS", Cardinality.ONE, succession=Succession.BY_OBSERVATION)
NEVER = PredicatePolicy("BORN_ON", Cardinality.ONE, succession=Succession.NEVER)

HANOI = EntityRef(EntityId(UUID(int=0xA)))
PARIS = EntityRef(EntityId(UUID(int=0xB)))
LIMA = EntityRef(EntityId(UUID(int=0xC)))
IN_1990 = DateValue(datetime(1990, 1, 1, tzinfo=UTC), Precision.YEAR)
ON_1_APRIL_1990 = DateValue(datetime(1990, 4, 1, tzinfo=UTC), Precision.DAY)
IN_1991 = DateValue(datetime(1991, 1, 1, tzinfo=UTC), Precision.YEAR)
FIVE = NumberValue(Decimal(5))
FIVE_USD = NumberValue(Decimal(5), "USD")

_ids = count(1)


def year(number: int) -> datetime:
    return datetime(number, 1, 1, tzinfo=UTC)


def fact_of(value: TypedObject) -> FactId:
    """A fact id that sorts as the value's normal form does for the three places."""
    if isinstance(value, EntityRef):
        return FactId(value.entity_id)
    return FactId(UUID(bytes=normal_form(value).encode().ljust(16)[-16:]))


def said(
    value: TypedObject = HANOI,
    since: TimeBound | int | None = None,
    until: TimeBound | int | None = None,
    *,
    seen: int = 2020,
    published: int | None = None,
    confidence: float = 1.0,
    kind: ClaimKind = ClaimKind.FACT,
    tier: int = 1,
    trust: float | None = None,
    source: str | None = None,
    denied: bool = False,
    state: AssertionState = AssertionState.LIVE,
    corrects: int | None = None,
    approved: bool = False,
) -> Testimony:
    """One testimony; years for times, a source of its own unless one is named."""
    number = next(_ids)
    return Testimony(
        assertion_id=AssertionId(UUID(int=number)),
        fact_id=fact_of(value),
        object=value,
        state=state,
        polarity=Polarity.REFUTE if denied else Polarity.SUPPORT,
        kind=kind,
        confidence=confidence,
        valid_from=_bound(since),
        valid_to=_bound(until),
        observed_at=year(seen),
        published_at=None if published is None else year(published),
        tier=tier,
        trust=trust,
        independence_key=source or f"source-{number}",
        corrects=None if corrects is None else Revision(corrects),
        approved=approved,
    )


def _bound(at: TimeBound | int | None) -> TimeBound:
    if at is None:
        return UNKNOWN_BOUND
    return TimeBound.stated(year(at), Precision.YEAR) if isinstance(at, int) else at


def in_state(testimony: Testimony, state: AssertionState) -> Testimony:
    return replace(testimony, state=state)


def outline(segments: tuple[Segment, ...]) -> list[tuple[str, int | None, int | None, str]]:
    """(value, from, to, lifecycle) of each segment, with years for times and the places by name."""
    names = {fact_of(HANOI): "Hanoi", fact_of(PARIS): "Paris", fact_of(LIMA): "Lima"}
    names |= {fact_of(IN_1990): "1990", fact_of(ON_1_APRIL_1990): "1990-04-01", fact_of(IN_1991): "1991"}
    names |= {fact_of(FIVE): "5", fact_of(FIVE_USD): "5 USD"}
    return [
        (
            names[s.fact_id],
            s.valid_from.year if s.valid_from else None,
            s.valid_to.year if s.valid_to else None,
            s.lifecycle.value,
        )
        for s in segments
    ]
