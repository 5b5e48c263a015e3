"""What speaks against what in one slot, when, and how serious that is.

Severity is between 0 and 1. Each line is a test of its own (``test_v1_…``) in ``tests/unit/standing``.

====  =================================================================================================================
Rule  What it says
====  =================================================================================================================
V1    A person's correction on one side counts 0.6, so that it comes before every contradiction without one.
V2    The closer the two best sides, the more serious: 0.25 times the second score over the best one.
V3    The more independent sources take part, the more serious: 0.15 times (n − 1) / 9 for n of them, at most 10.
V4    For support against denial of one fact, V2 compares the masses of both sides.
====  =================================================================================================================
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from enum import StrEnum

from domain.identity.ids import FactId
from domain.knowledge.assertion import AssertionState, Polarity
from domain.knowledge.predicate import PredicatePolicy
from domain.standing.assess import counts, parties_of
from domain.standing.conflict import Party, Verdict, judge
from domain.standing.extents import EARLIEST, LATEST, Extent, extents
from domain.standing.grading import Grade
from domain.standing.rivalry import Rivalry
from domain.standing.segments import bound, stretches
from domain.standing.testimony import Lifecycle, Testimony

CORRECTED, CLOSE, BROAD = 0.6, 0.25, 0.15
MANY_SOURCES = 10
OF_ONE_FACT = frozenset({"support_and_denial", "denial_newer_than_correction", "support_newer_than_correction"})
"""Reasons of a dispute that is about one fact alone."""


class ContradictionKind(StrEnum):
    """Facts that cannot hold together, or one fact that is said and denied."""

    RIVALS = "rivals"
    DENIAL = "denial"


@dataclass(frozen=True, slots=True)
class Stance:
    """One side over a stretch of time: a fact that is said, or denied, by whom, and what that weighs.

    Of rivals, ``testimonies`` are also those of facts that say the same more exactly. ``corrected`` when a person's
    correction stands in it.
    """

    fact_id: FactId
    polarity: Polarity
    lifecycle: Lifecycle
    reason: str
    corrected: bool
    testimonies: tuple[Testimony, ...]
    grade: Grade


@dataclass(frozen=True, slots=True)
class Contradiction:
    """Sides that speak against each other over one stretch, the heaviest first. Half-open; None is unbounded.

    ``open`` while it stands disputed; else one side has won.
    """

    kind: ContradictionKind
    valid_from: datetime | None
    valid_to: datetime | None
    open: bool
    stances: tuple[Stance, ...]

    def lasts_at(self, moment: datetime) -> bool:
        """Whether the moment lies in its stretch."""
        return (self.valid_from is None or self.valid_from <= moment) and (
            self.valid_to is None or moment < self.valid_to
        )

    @property
    def facts(self) -> tuple[FactId, ...]:
        """The facts it is about, each once, the heaviest first."""
        return tuple(dict.fromkeys(stance.fact_id for stance in self.stances))


@dataclass(frozen=True, slots=True)
class Severity:
    """How serious, and what that is made of: whether a correction is doubted, how close the sides are (0 to 1), and
    how many independent sources take part."""

    value: float
    corrected: bool
    closeness: float
    sources: int

    @classmethod
    def of(cls, corrected: bool, best: float, second: float, sources: int) -> Severity:
        """By the rules of the module; ``best`` and ``second`` are scores, or masses for V4."""
        closeness = second / best if best > 0 else 0.0
        breadth = (min(max(sources, 1), MANY_SOURCES) - 1) / (MANY_SOURCES - 1)
        value = CORRECTED * corrected + CLOSE * closeness + BROAD * breadth
        return cls(round(value, 6), corrected, round(closeness, 6), sources)


def severity(found: Contradiction, testimonies: Iterable[Testimony]) -> Severity:
    """The severity of one contradiction; ``testimonies`` are those of its slot, of which the live ones on it count."""
    weighed = [s.grade.score if found.kind is ContradictionKind.RIVALS else s.grade.mass for s in found.stances]
    best, second = sorted(weighed, reverse=True)[:2]
    about = set(found.facts)
    sources = {t.independence_key for t in testimonies if t.fact_id in about and t.state is AssertionState.LIVE}
    return Severity.of(any(s.corrected for s in found.stances), best, second, len(sources))


def contradictions_in(
    testimonies: Sequence[Testimony], policy: PredicatePolicy, *, settled: bool = False
) -> list[Contradiction]:
    """Every contradiction of a slot, by time; with ``settled`` also those that one side has won.

    Pure, as ``assess``, whose judgement it takes apart: what is ``open`` here stands disputed there.
    """
    live = [t for t in testimonies if counts(t, policy)]
    rivalry = Rivalry(live, policy)
    found: list[Contradiction] = []
    for start, end, present in stretches(extents(live, policy, rivalry)):
        parties = parties_of(present, rivalry)
        verdicts = judge(parties, rivalry)
        here = [*_rivals(parties, verdicts, rivalry), *_denials(parties, verdicts)]
        found += [replace(each, valid_from=bound(start), valid_to=bound(end)) for each in here]
    return [each for each in _joined(found) if each.open or settled]


def contradictions_between(
    testimonies: Sequence[Testimony],
    policy: PredicatePolicy,
    is_first: Callable[[Testimony], bool],
    is_second: Callable[[Testimony], bool],
) -> list[Contradiction]:
    """What one set of testimonies says against another, whoever wins; what else is known does not count."""
    return [
        each
        for each in contradictions_in(testimonies, policy, settled=True)
        if any(
            opposed(a, b) and any(map(is_first, a.testimonies)) and any(map(is_second, b.testimonies))
            for a in each.stances
            for b in each.stances
        )
    ]


def opposed(a: Stance, b: Stance) -> bool:
    """Whether they are two sides: other facts, or one that is said and denied."""
    return a.fact_id != b.fact_id or a.polarity is not b.polarity


def _rivals(parties: Sequence[Party], verdicts: dict[FactId, Verdict], rivalry: Rivalry) -> list[Contradiction]:
    if not rivalry.one_valued:
        return []
    held = [p for p in parties if p.supports and verdicts[p.fact_id].lifecycle is not Lifecycle.REFUTED]
    met = [p for p in held if any(rivalry.are_rivals(p.fact_id, other.fact_id) for other in held)]
    disputed = [p for p in met if _disputed_with_rivals(verdicts[p.fact_id])]
    if not met:
        return []
    sides = [_stance(p.fact_id, Polarity.SUPPORT, p.supports, p.support, verdicts) for p in disputed or met]
    return [Contradiction(ContradictionKind.RIVALS, None, None, bool(disputed), _ranked(sides))]


def _disputed_with_rivals(verdict: Verdict) -> bool:
    return verdict.lifecycle is Lifecycle.DISPUTED and verdict.reason not in OF_ONE_FACT


def _denials(parties: Sequence[Party], verdicts: dict[FactId, Verdict]) -> list[Contradiction]:
    found = []
    for party in parties:
        verdict = verdicts[party.fact_id]
        if not (party.supports and party.denials) or verdict.lifecycle is Lifecycle.SUPERSEDED:
            continue
        if _disputed_with_rivals(verdict):
            continue
        sides = [
            _stance(party.fact_id, Polarity.SUPPORT, party.supports, party.support, verdicts),
            _stance(party.fact_id, Polarity.REFUTE, party.denials, party.denial, verdicts),
        ]
        is_open = verdict.lifecycle is Lifecycle.DISPUTED
        found.append(Contradiction(ContradictionKind.DENIAL, None, None, is_open, _ranked(sides)))
    return found


def _stance(
    fact_id: FactId, polarity: Polarity, said: Iterable[Extent], grade: Grade, verdicts: dict[FactId, Verdict]
) -> Stance:
    verdict, testimonies = verdicts[fact_id], tuple(e.testimony for e in said)
    corrected = verdict.correction is not None and verdict.correction in testimonies
    return Stance(fact_id, polarity, verdict.lifecycle, verdict.reason, corrected, testimonies, grade)


def _ranked(sides: Sequence[Stance]) -> tuple[Stance, ...]:
    """A correction first, then by score, then by id."""
    return tuple(sorted(sides, key=lambda s: (not s.corrected, -s.grade.score, s.fact_id)))


def _joined(found: Sequence[Contradiction]) -> list[Contradiction]:
    """Stretches that follow each other with the same sides are one, as it stood last."""
    joined: list[Contradiction] = []
    for each in sorted(found, key=lambda c: (_subject(c), c.valid_from or EARLIEST)):
        last = joined[-1] if joined else None
        if last is not None and _same(last, each) and (last.valid_to or LATEST) == (each.valid_from or EARLIEST):
            joined[-1] = replace(each, valid_from=last.valid_from)
        else:
            joined.append(each)
    return sorted(joined, key=lambda c: (c.valid_from or EARLIEST, _subject(c)))


def _subject(found: Contradiction) -> str:
    return "" if found.kind is ContradictionKind.RIVALS else str(found.facts[0])


def _same(a: Contradiction, b: Contradiction) -> bool:
    return (a.kind, a.open, {(s.fact_id, s.polarity, s.lifecycle) for s in a.stances}) == (
        b.kind,
        b.open,
        {(s.fact_id, s.polarity, s.lifecycle) for s in b.stances},
    )
