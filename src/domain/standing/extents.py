"""When each testimony holds: its stated bounds, and what is inferred where a bound is unknown."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime

from domain.errors import InvalidInput
from domain.identity.ids import FactId
from domain.knowledge.assertion import Polarity
from domain.knowledge.predicate import Cardinality, PredicatePolicy, Succession
from domain.knowledge.time import BoundState
from domain.standing.rivalry import Rivalry
from domain.standing.testimony import Testimony

EARLIEST = datetime.min.replace(tzinfo=UTC)
"""Stands for unbounded below."""
LATEST = datetime.max.replace(tzinfo=UTC)
"""Stands for unbounded above."""
TIME_TO_LIVE = "time_to_live"


@dataclass(frozen=True, slots=True)
class Extent:
    """The valid time of one testimony, [start, end).

    ``inferred`` marks a start that the source did not give. ``ended_by`` says what ended it where the source did not:
    ``TIME_TO_LIVE`` or the rival fact's id.
    """

    testimony: Testimony
    start: datetime
    end: datetime
    inferred: bool = False
    ended_by: FactId | str | None = None

    @property
    def effective(self) -> datetime:
        """When it was seen to hold: observed, or its start where that lies ahead."""
        return max(self.start, self.testimony.observed_at)


def own_extent(testimony: Testimony, policy: PredicatePolicy) -> Extent:
    """The extent that a testimony has by itself, before any rival. Raises InvalidInput if it would end as it starts."""
    start, inferred = _start(testimony, policy)
    end = testimony.valid_to.value
    if end is not None:
        if inferred and start >= end:
            start = EARLIEST
        if start >= end:
            raise InvalidInput(f"a valid time starts before it ends, not at {end.isoformat()}", field="valid_time")
        return Extent(testimony, start, end, inferred)
    if policy.time_to_live is None or testimony.valid_to.state is BoundState.OPEN:
        return Extent(testimony, start, LATEST, inferred)
    try:
        end = max(start, testimony.observed_at) + policy.time_to_live
    except OverflowError:
        return Extent(testimony, start, LATEST, inferred)
    return Extent(testimony, start, end, inferred, TIME_TO_LIVE)


def _start(testimony: Testimony, policy: PredicatePolicy) -> tuple[datetime, bool]:
    bound = testimony.valid_from
    if bound.value is not None:
        return bound.value, False
    if bound.state is BoundState.OPEN or policy.cardinality is Cardinality.MANY:
        return EARLIEST, False
    match policy.succession:
        case Succession.NEVER:
            return EARLIEST, False
        case Succession.BY_OBSERVATION:
            return testimony.observed_at, True
        case Succession.BY_START:
            return testimony.published_at or testimony.observed_at, True


def extents(live: Sequence[Testimony], policy: PredicatePolicy, rivalry: Rivalry) -> list[Extent]:
    """The extents of a slot's live testimonies, after succession among rivals."""
    own = [own_extent(testimony, policy) for testimony in live]
    if not rivalry.succeeds:
        return own
    supports = [e for e in own if e.testimony.polarity is Polarity.SUPPORT]
    begun = [_begin(extent, supports, rivalry) for extent in own]
    line = _ByObservation(supports, rivalry) if rivalry.by_observation else _ByStart(supports, rivalry)
    return [_end(extent, line) for extent in begun]


def _begin(extent: Extent, supports: Sequence[Extent], rivalry: Rivalry) -> Extent:
    """A former value whose start is unknown does not reach back over what a rival is known to have held."""
    if not (extent.inferred and extent.start == EARLIEST and extent.testimony.polarity is Polarity.SUPPORT):
        return extent
    bounds = [
        bound
        for rival in supports
        if rivalry.are_rivals(rival.testimony.fact_id, extent.testimony.fact_id)
        for bound in (rival.start, rival.end if rival.testimony.valid_to.value is not None else EARLIEST)
        if bound < extent.end
    ]
    return replace(extent, start=max(bounds, default=EARLIEST))


def _end(extent: Extent, line: _ByStart | _ByObservation) -> Extent:
    said = extent.testimony
    if said.valid_to.state is BoundState.STATED or said.polarity is Polarity.REFUTE:
        return extent
    found = line.successor(extent)
    if found is None or found[0] >= extent.end:
        return extent
    return replace(extent, end=found[0], ended_by=found[1])


def _may_end(successor: Extent, extent: Extent, rivalry: Rivalry) -> bool:
    """Whether a rival that begins later ends this value.

    "Still so" is not ended by what its source could have known; a correction is ended only by what may challenge it.
    """
    said, other = extent.testimony, successor.testimony
    if not rivalry.are_rivals(said.fact_id, other.fact_id):
        return False
    if said.corrects is not None:
        return rivalry.challenges(other, said)
    return said.valid_to.state is BoundState.UNKNOWN or other.observed_at > said.observed_at


class _ByStart:
    """Succession by start: the next rival start ends a value."""

    def __init__(self, supports: Sequence[Extent], rivalry: Rivalry) -> None:
        started = (e for e in supports if e.start > EARLIEST)
        self._started = sorted(started, key=lambda e: (e.start, e.testimony.fact_id))
        self._starts = [e.start for e in self._started]
        self._rivalry = rivalry

    def successor(self, extent: Extent) -> tuple[datetime, FactId] | None:
        for index in range(bisect_right(self._starts, extent.start), len(self._started)):
            other = self._started[index]
            if _may_end(other, extent, self._rivalry):
                return other.start, other.testimony.fact_id
        return None


class _ByObservation:
    """Succession by observation: a rival observed later ends a value, from the rival's start if that is later too.

    What was over when it was observed tells of the past: it ends a value by its start only.
    """

    def __init__(self, supports: Sequence[Extent], rivalry: Rivalry) -> None:
        seen = sorted(supports, key=lambda e: (e.effective, e.testimony.fact_id))
        self._seen = [e for e in seen if e.end > e.effective]
        self._moments = [e.effective for e in self._seen]
        self._dated = [e for e in seen if EARLIEST < e.start < e.effective]
        self._dated_moments = [e.effective for e in self._dated]
        self._rivalry = rivalry

    def successor(self, extent: Extent) -> tuple[datetime, FactId] | None:
        moment = extent.effective
        found: list[tuple[datetime, FactId]] = []
        for index in range(bisect_right(self._moments, moment), len(self._seen)):
            other = self._seen[index]
            if _may_end(other, extent, self._rivalry):
                found.append((other.effective, other.testimony.fact_id))
                break
        for index in range(bisect_right(self._dated_moments, moment), len(self._dated)):
            other = self._dated[index]
            if other.start > extent.start and _may_end(other, extent, self._rivalry):
                found.append((other.start, other.testimony.fact_id))
        return min(found, default=None)
