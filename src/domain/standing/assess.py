"""What the assertions of a slot add up to.

Each rule is a test of its own (``test_r1_…``) in ``tests/unit/standing/test_assess_rules.py``.

====  =================================================================================================================
Rule  What it says
====  =================================================================================================================
R1    Only live testimonies carry truth, masses, confidence and scores; pending ones never move what is live.
R2    A fact with none live reads proposed if one is pending, over what the pending ones say; else retracted.
R3    Withdrawing one of two sources keeps the fact as the other alone makes it; withdrawing both retracts it.
R4    A stated bound is never stretched; an open one is unbounded.
R5    An unknown start is unbounded below where the predicate is many-valued or its succession is never.
R6    In a one-valued slot an unknown start is, by start, when it was published, else observed; by observation, when it
      was observed. It is marked ``from=inferred``.
R7    "Former" is support with an end. If nothing can be inferred before that end, it begins where the last rival that
      is known before it began or ended, else it is unbounded below.
R8    By start, an unknown end lasts until the next start of a rival. It is marked ``until=`` and the rival.
R9    By observation, an unknown end lasts until a rival observed later: to the rival's start if that lies after its
      own, else to the observation. What was over when it was observed ends a value by its start only.
R10   Where succession is never, an unknown end is unbounded.
R11   An open end ("still") is ended only by a rival that was also observed later.
R12   A time to live ends what has an unknown end, counted from its observation, or from its start if that is later.
R13   A many-valued predicate has no rivals.
R14   A side's score is the best weight (confidence × kind × trust, or the tier's authority) times
      min(1 + 0.1 (n − 1), 1.5) for n independent sources; copies count once.
R15   Rivals that overlap: a side wins if kinds differ and it scores higher.
R16   Rivals that overlap: a side wins at 1.25 times the other's score.
R17   The loser is superseded over the overlap only, and kept; without a winner both are disputed over it.
R18   With three or more the winner must beat each of its rivals; otherwise all that have a rival left are disputed.
R19   A fact that refines another supports it too, and the two are not rivals; nor are compatible ones.
R20   Support and denial of one fact set both truth bits; the same scoring makes it active, refuted or disputed.
R21   A fact that is only denied is refuted; a refuted fact is nobody's rival.
R22   A correction outranks what was observed before it over the segments it covers, whatever the scores.
R23   What had been said before a correction stays outranked when it is said again, unless with a stated start after
      the correction was made, or as a new observation under succession by observation.
R24   A rival of tier 1 or 2, observed after a correction, with a later start, succeeds it where succession allows.
R25   Otherwise such a rival disputes it: the correction comes first (``corrected``), the rival is newer than it.
R26   A rival of tier 3 or 4 that was observed after a correction does not shake it.
R27   Of two corrections the later observed one wins; then the later revision, then the greater id.
R28   A denial that is a correction refutes the fact; later news of tier 1 or 2 with a later start succeeds it where
      succession allows, and disputes it otherwise.
R29   Confidence is the noisy-or of the supporting independent sources' weights; 0 without live support.
R30   Segments of a fact do not overlap, adjacent equal ones are one, and together they cover exactly what its
      testimonies cover.
R31   A live testimony of a tier weaker than the policy's minimum counts as pending; a correction does not.
R32   A segment is verified by a person if one corrected or approved it, else automatically, and pending without a
      live testimony. Tier and kind are the best live ones', the observation the latest.
====  =================================================================================================================
"""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime

from domain.identity.ids import FactId
from domain.knowledge.assertion import AssertionState, Polarity
from domain.knowledge.predicate import PredicatePolicy
from domain.standing.conflict import Party, judge
from domain.standing.extents import EARLIEST, Extent, extents, own_extent
from domain.standing.grading import weight
from domain.standing.rivalry import Rivalry
from domain.standing.segments import bound, build, build_idle, joined, stretches
from domain.standing.testimony import Lifecycle, Segment, Testimony, Verification


def assess(testimonies: Sequence[Testimony], policy: PredicatePolicy) -> tuple[Segment, ...]:
    """The segments of all facts of one slot, sorted by fact and start.

    Pure: no clock, and the order of the testimonies does not matter. The rules stand in the module's docstring.
    Raises InvalidInput for a testimony whose stated end is not after its stated start.
    """
    if (quick := _alone(testimonies, policy)) is not None:
        return quick
    return assess_by_rules(testimonies, policy)


def assess_by_rules(testimonies: Sequence[Testimony], policy: PredicatePolicy) -> tuple[Segment, ...]:
    """``assess`` without its short cut for a single testimony."""
    live = [t for t in testimonies if counts(t, policy)]
    held = {t.fact_id for t in live}
    segments = _of_live(live, policy) if live else []
    idle: dict[FactId, list[Testimony]] = {}
    for testimony in testimonies:
        if testimony.fact_id not in held:
            idle.setdefault(testimony.fact_id, []).append(testimony)
    for own in idle.values():
        segments += _of_idle(own, policy)
    return tuple(sorted(segments, key=_position))


def counts(testimony: Testimony, policy: PredicatePolicy) -> bool:
    """Whether it carries truth: live, and not of a tier weaker than the policy asks for (R31)."""
    return testimony.state is AssertionState.LIVE and (
        testimony.tier <= policy.minimum_tier or testimony.corrects is not None
    )


def _position(segment: Segment) -> tuple[FactId, bool, datetime]:
    start = segment.valid_from
    return segment.fact_id, start is not None, start or EARLIEST


def _of_live(live: Sequence[Testimony], policy: PredicatePolicy) -> list[Segment]:
    rivalry = Rivalry(live, policy)
    bounds: dict[FactId, list[Extent]] = {}
    for extent in extents(live, policy, rivalry):
        bounds.setdefault(extent.testimony.fact_id, []).append(extent)
    found: dict[FactId, list[Segment]] = {fact_id: [] for fact_id in bounds}
    for start, end, present in stretches(e for own in bounds.values() for e in own):
        parties = parties_of(present, rivalry)
        verdicts = judge(parties, rivalry)
        for party in parties:
            found[party.fact_id].append(build(party, verdicts[party.fact_id], start, end))
    return [segment for fact_id, own in found.items() for segment in joined(own, bounds[fact_id])]


def parties_of(present: Sequence[Extent], rivalry: Rivalry) -> list[Party]:
    """The facts that are said or denied over one stretch, each with who does."""
    sides: dict[FactId, tuple[list[Extent], list[Extent]]] = {}
    for extent in present:
        side = sides.setdefault(extent.testimony.fact_id, ([], []))
        side[extent.testimony.polarity is Polarity.REFUTE].append(extent)
    parties = []
    for fact_id, (supports, denials) in sides.items():
        finer = [e for other, side in sides.items() if rivalry.refines(other, fact_id) for e in side[0]]
        parties.append(Party(fact_id, (*supports, *finer), tuple(denials)))
    return parties


def _of_idle(own: Sequence[Testimony], policy: PredicatePolicy) -> list[Segment]:
    """A fact without a live testimony: proposed where one is pending, else retracted. No rival cuts it."""
    pending = [t for t in own if t.state in (AssertionState.PENDING, AssertionState.LIVE)]
    lifecycle = Lifecycle.PROPOSED if pending else Lifecycle.RETRACTED
    bounds = [own_extent(t, policy) for t in pending or own]
    segments = [
        build_idle([e.testimony for e in present], lifecycle, start, end) for start, end, present in stretches(bounds)
    ]
    return joined(segments, bounds)


def _alone(testimonies: Sequence[Testimony], policy: PredicatePolicy) -> tuple[Segment, ...] | None:
    """The one segment of a slot with a single, live, supporting testimony: most slots of a bulk load."""
    if len(testimonies) != 1:
        return None
    said = testimonies[0]
    if said.polarity is Polarity.REFUTE or not counts(said, policy):
        return None
    extent = own_extent(said, policy)
    value = weight(said)
    corrected = said.corrects is not None
    start, end = bound(extent.start), bound(extent.end)
    reason = "correction" if corrected else "supported"
    if extent.inferred and start is not None:
        reason += " from=inferred"
    if extent.ended_by is not None:
        reason += f" until={extent.ended_by}"
    return (
        Segment(
            said.fact_id,
            start,
            end,
            Lifecycle.ACTIVE,
            True,
            False,
            1.0 - (1.0 - min(value, 1.0)),
            value,
            0.0,
            value,
            reason,
            said.tier,
            Verification.HUMAN if corrected or said.approved else Verification.AUTO,
            said.observed_at,
            said.kind,
            corrected,
        ),
    )
