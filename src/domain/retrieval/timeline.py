"""What happened to the facts of an entity, in the order of valid time."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from enum import StrEnum

from domain.identity.ids import FactId
from domain.retrieval.facts import Named, StandingFact
from domain.standing.testimony import Lifecycle

_EARLIEST = datetime.min.replace(tzinfo=UTC)
_HELD = (Lifecycle.ACTIVE, Lifecycle.DISPUTED)


class Happening(StrEnum):
    """What can happen to a fact."""

    BEGAN = "began"
    ENDED = "ended"
    SUCCEEDED = "succeeded"
    CORRECTED = "corrected"
    DISPUTED = "disputed"
    SUPERSEDED = "superseded"
    REFUTED = "refuted"
    RETRACTED = "retracted"
    PROPOSED = "proposed"


@dataclass(frozen=True, slots=True)
class TimelineEvent:
    """What happened when; ``at`` None is before all memory. ``until`` is where the stretch that began ends.

    ``by`` is the fact that took the place of one that was succeeded.
    """

    at: datetime | None
    what: Happening
    fact: StandingFact
    until: datetime | None = None
    by: StandingFact | None = None


def events_of(facts: Sequence[StandingFact]) -> list[TimelineEvent]:
    """Events of segments, which may be of any lifecycle, by time, then by sentence."""
    stretches = {(f.fact_id, f.lifecycle, f.holds_from): f for f in facts}
    distinct = list(stretches.values())
    found = [event for each in distinct for event in _events(each, distinct)]
    corrected = {(f.fact_id, f.holds_from): f for f in facts if f.corrected}
    found += [TimelineEvent(f.holds_from, Happening.CORRECTED, f, f.holds_to) for f in corrected.values()]
    return sorted(found, key=lambda e: (e.at or _EARLIEST, e.fact.sentence or "", e.fact.fact_id, e.what))


def _events(fact: StandingFact, facts: Sequence[StandingFact]) -> Iterable[TimelineEvent]:
    start, end = fact.holds_from, fact.holds_to
    if fact.lifecycle is not Lifecycle.ACTIVE:
        yield TimelineEvent(start, Happening(fact.lifecycle.value), fact, end)
        if fact.lifecycle is not Lifecycle.DISPUTED:
            return
    elif start is None or not _touching(fact.fact_id, facts, ends=start):
        yield TimelineEvent(start, Happening.BEGAN, fact, end)
    if end is None or _touching(fact.fact_id, facts, starts=end):
        return
    successor = next((f for f in facts if f.holds_from == end and _same_place(f, fact)), None)
    yield TimelineEvent(end, Happening.SUCCEEDED if successor else Happening.ENDED, fact, by=successor)


def _touching(
    fact_id: FactId, facts: Sequence[StandingFact], *, starts: datetime | None = None, ends: datetime | None = None
) -> bool:
    """Whether the fact goes on holding, in another way, at its start or its end."""
    return any(
        f.fact_id == fact_id
        and f.lifecycle in _HELD
        and ((starts is not None and f.holds_from == starts) or (ends is not None and f.holds_to == ends))
        for f in facts
    )


def _same_place(one: StandingFact, other: StandingFact) -> bool:
    return (
        one.fact_id != other.fact_id
        and one.lifecycle in _HELD
        and one.subject.id == other.subject.id
        and one.predicate == other.predicate
        and dict(one.qualifiers) == dict(other.qualifiers)
        and isinstance(one.object, Named) == isinstance(other.object, Named)
    )
