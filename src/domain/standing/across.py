"""What several sets of testimonies say against each other, each read by itself first: scopes that share a slot."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace

from domain.knowledge.assertion import Polarity
from domain.knowledge.predicate import PredicatePolicy, Succession
from domain.knowledge.time import OPEN_BOUND, TimeBound
from domain.standing.assess import assess, counts
from domain.standing.contradiction import Contradiction, contradictions_in, opposed
from domain.standing.extents import EARLIEST, LATEST, Extent, extents
from domain.standing.rivalry import Rivalry
from domain.standing.segments import bound
from domain.standing.testimony import Lifecycle, Segment, Testimony

_SAID = frozenset({Lifecycle.ACTIVE, Lifecycle.DISPUTED})
_DENIED = frozenset({Lifecycle.REFUTED, Lifecycle.DISPUTED})


def contradictions_across(sets: Sequence[Sequence[Testimony]], policy: PredicatePolicy) -> list[Contradiction]:
    """What holds in one set against what holds in another, whoever would win. Equal facts have one id in all sets.

    Succession works inside a set only: that one scope names a newer value does not end the value of another. What a set
    has decided for itself is out, and so is what it disputes alone.
    """
    held = [list(_held(own, policy)) for own in sets]
    number = {said.assertion_id: at for at, own in enumerate(held) for said in own}
    found = contradictions_in(
        [said for own in held for said in own], replace(policy, succession=Succession.NEVER), settled=True
    )
    return [
        each
        for each in found
        if any(
            opposed(a, b) and number[one.assertion_id] != number[other.assertion_id]
            for a in each.stances
            for b in each.stances
            for one in a.testimonies
            for other in b.testimonies
        )
    ]


def _held(own: Sequence[Testimony], policy: PredicatePolicy) -> Iterator[Testimony]:
    """The testimonies that carry what holds in their set, with the bounds that they have in it as stated ones."""
    live = [said for said in own if counts(said, policy)]
    segments = assess(own, policy)
    for extent in extents(live, policy, Rivalry(live, policy)):
        if any(_carries(extent, segment) for segment in segments):
            start, end = bound(extent.start), bound(extent.end)
            yield replace(
                extent.testimony,
                valid_from=OPEN_BOUND if start is None else TimeBound.stated(start),
                valid_to=OPEN_BOUND if end is None else TimeBound.stated(end),
            )


def _carries(extent: Extent, segment: Segment) -> bool:
    said = extent.testimony
    wanted = _DENIED if said.polarity is Polarity.REFUTE else _SAID
    return (
        segment.fact_id == said.fact_id
        and segment.lifecycle in wanted
        and (segment.valid_from or EARLIEST) < extent.end
        and extent.start < (segment.valid_to or LATEST)
    )
