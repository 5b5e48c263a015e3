"""How well something is grounded: what speaks for it and against it, as one number and one word.

Made for facts and for anything else whose evidence is counted by independent sources. It is read off masses and times,
is never stored, and decides nothing: how a fact stands is for ``assess``. Each rule is a test of its own
(``test_g1_…``) in ``tests/unit/standing/test_grounding.py``; the first that applies gives the word.

====  =================================================================================================================
Rule  What it says
====  =================================================================================================================
G0    The number is (S − R) / (S + R + prior) for the masses of support S and of refutation R: 0 without evidence,
      towards +1 with support, towards −1 with refutation. The prior is the mass that brings it half way.
G1    Nothing live for or against it: insufficient data.
G2    It lost, to a denial or to a rival that scores clearly higher: contradictory, whatever its own masses.
G3    It is disputed, by a denial or by a rival of its one-valued slot, without a winner: contested, also when nobody
      denies it directly.
G4    Unless a person decided: where the smaller mass is a good part of the larger, |S − R| / (S + R) < contested, it is
      contested; where R is clearly larger, contradictory.
G5    It was over at the asked time: historical.
G6    A person decided for it, or the number reaches the cut-off: affirmative. Else insufficient data.
====  =================================================================================================================
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from datetime import datetime
from enum import Enum, StrEnum
from math import fsum, log
from typing import Any, TypeVar

from domain.errors import InvalidInput
from domain.standing.testimony import Lifecycle

Part = TypeVar("Part")


class EpistemicStatus(StrEnum):
    """How far something can be relied on, in one word."""

    AFFIRMATIVE = "affirmative"
    CONTESTED = "contested"
    CONTRADICTORY = "contradictory"
    INSUFFICIENT_DATA = "insufficient_data"
    HISTORICAL = "historical"


class Contest(Enum):
    """How it fares where something speaks against it: nothing was decided, it is open, lost, or a person decided."""

    NONE = "none"
    OPEN = "open"
    LOST = "lost"
    DECIDED = "decided"


@dataclass(frozen=True, slots=True)
class Cutoffs:
    """Where the number and the words change; all are settings. ``prior`` is a mass, the others shares of one."""

    prior: float = 2.0
    affirmative: float = 0.2
    contested: float = 0.5

    def __post_init__(self) -> None:
        if not self.prior > 0:
            raise InvalidInput(f"the prior is a mass above 0, not {self.prior}", field="prior")
        for name in ("affirmative", "contested"):
            if not 0 <= getattr(self, name) <= 1:
                raise InvalidInput(f"{name} is 0 to 1, not {getattr(self, name)}", field=name)


@dataclass(frozen=True, slots=True)
class Grounding:
    """The number, −1 to +1, and the word."""

    value: float
    status: EpistemicStatus


CUTOFFS = Cutoffs()
UNGROUNDED = Grounding(0.0, EpistemicStatus.INSUFFICIENT_DATA)


def grounding_value(support: float, refute: float, prior: float = CUTOFFS.prior) -> float:
    """G0: between −1 and +1, rising with the mass of support, falling with that of refutation."""
    return (support - refute) / (support + refute + prior)


def grounded(
    support: float, refute: float, contest: Contest = Contest.NONE, *, over: bool = False, cutoffs: Cutoffs = CUTOFFS
) -> Grounding:
    """The number and the word for two masses. ``over`` when it had ended at the asked time."""
    value = grounding_value(support, refute, cutoffs.prior)
    return Grounding(value, _status(support, refute, value, contest, over, cutoffs))


def grounded_segment(
    lifecycle: Lifecycle,
    corrected: bool,
    support: float,
    refute: float,
    ends: datetime | None,
    asked: datetime,
    cutoffs: Cutoffs = CUTOFFS,
) -> Grounding:
    """The same for a fact over a stretch of valid time that ends, exclusively, at ``ends``; None is unbounded."""
    contest = _CONTESTS.get(lifecycle, Contest.NONE)
    if corrected and contest is Contest.NONE:
        contest = Contest.DECIDED
    return grounded(support, refute, contest, over=ends is not None and ends <= asked, cutoffs=cutoffs)


def masses(weighed: Iterable[tuple[str, float]]) -> dict[str, float]:
    """The mass of each independent source, from (independence key, weight): copies count once, by the best of them."""
    best: dict[str, float] = {}
    for key, weight in weighed:
        if weight > best.get(key, -1.0):
            best[key] = weight
    return best


def source_diversity(by_source: Mapping[Any, float]) -> float:
    """1 − Σ p² over the sources' shares of the mass: 0 for one source, 1 − 1/n for n that weigh alike."""
    total = fsum(by_source.values())
    if total <= 0:
        return 0.0
    return max(0.0, 1.0 - fsum((mass / total) ** 2 for mass in by_source.values()))


def neighbourhood_diversity(neighbours: Mapping[Any, int]) -> float:
    """H / (1 + H), for the entropy H of how many facts there are of each predicate and kind of neighbour.

    0 for none or one sort, 0.41 for two that are alike in number, 0.70 for ten; towards 1 the broader it is connected.
    """
    counts = [count for count in neighbours.values() if count > 0]
    total = sum(counts)
    entropy = fsum(-count / total * log(count / total) for count in counts)
    return max(0.0, entropy / (1.0 + entropy))


def sums(weighed: Iterable[tuple[Part, float]]) -> dict[Part, float]:
    """The mass by what it is told apart by."""
    added: dict[Part, list[float]] = defaultdict(list)
    for part, mass in weighed:
        added[part].append(mass)
    return {part: fsum(own) for part, own in added.items()}


_CONTESTS = {
    Lifecycle.DISPUTED: Contest.OPEN,
    Lifecycle.SUPERSEDED: Contest.LOST,
    Lifecycle.REFUTED: Contest.LOST,
}


def _status(
    support: float, refute: float, value: float, contest: Contest, over: bool, cutoffs: Cutoffs
) -> EpistemicStatus:
    if support + refute <= 0:
        return EpistemicStatus.INSUFFICIENT_DATA
    if contest is Contest.LOST:
        return EpistemicStatus.CONTRADICTORY
    if contest is Contest.OPEN:
        return EpistemicStatus.CONTESTED
    if contest is not Contest.DECIDED:
        balance = (support - refute) / (support + refute)
        if abs(balance) < cutoffs.contested:
            return EpistemicStatus.CONTESTED
        if balance < 0:
            return EpistemicStatus.CONTRADICTORY
    if over:
        return EpistemicStatus.HISTORICAL
    if contest is Contest.DECIDED or value >= cutoffs.affirmative:
        return EpistemicStatus.AFFIRMATIVE
    return EpistemicStatus.INSUFFICIENT_DATA
