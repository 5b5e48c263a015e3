"""How much a side weighs: its sources' grades, their number, and what they add up to."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from math import fsum, prod

from domain.knowledge.assertion import ClaimKind
from domain.standing.testimony import Testimony

KIND_WEIGHT = {ClaimKind.FACT: 1.0, ClaimKind.CLAIM: 0.6, ClaimKind.OPINION: 0.3}
TIER_AUTHORITY = {1: 1.00, 2: 0.85, 3: 0.70, 4: 0.40}
BONUS_PER_SOURCE = 0.1
MAX_BONUS = 1.5
CLEAR_MARGIN = (5, 4)
"""A side wins at five quarters of the other's score."""
MILLION = 1_000_000


@dataclass(frozen=True, slots=True)
class Grade:
    """One side, weighed.

    ``mass`` is the sum of the weights of its independent sources, ``confidence`` their noisy-or (0 to 1), ``score`` the
    best weight times the bonus for their number, ``kind`` that of its best assertion.
    """

    score: float
    kind: ClaimKind
    mass: float
    confidence: float
    sources: int


NOTHING = Grade(0.0, ClaimKind.OPINION, 0.0, 0.0, 0)


def weight(testimony: Testimony) -> float:
    """Confidence × kind × trust; the tier's authority where the source has no trust of its own."""
    trust = testimony.trust
    return (
        testimony.confidence
        * KIND_WEIGHT[testimony.kind]
        * (TIER_AUTHORITY[testimony.tier] if trust is None else trust)
    )


def bonus(sources: int) -> float:
    """What ``sources`` independent sources multiply the best one's weight by, 1 to ``MAX_BONUS``."""
    return min(1.0 + BONUS_PER_SOURCE * (sources - 1), MAX_BONUS)


def grade(testimonies: Iterable[Testimony]) -> Grade:
    """Weigh one side. Copies (equal ``independence_key``) count once, by the best of them; order does not matter."""
    by_source: dict[str, float] = {}
    best = (-1.0, -1.0)
    kind = ClaimKind.OPINION
    for testimony in testimonies:
        value = weight(testimony)
        if value > by_source.get(testimony.independence_key, -1.0):
            by_source[testimony.independence_key] = value
        rank = (value, KIND_WEIGHT[testimony.kind])
        if rank > best:
            best, kind = rank, testimony.kind
    if not by_source:
        return NOTHING
    weights = sorted(by_source.values())
    doubt = prod(1.0 - min(value, 1.0) for value in weights)
    return Grade(weights[-1] * bonus(len(weights)), kind, fsum(weights), 1.0 - doubt, len(weights))


def outweighs(a: Grade, b: Grade) -> bool:
    """Whether ``a`` wins against ``b``: kinds differ and it scores higher, or it scores at least 1.25 times as much.

    Scores are compared as whole millionths, so that a margin of exactly 1.25 counts. Never true both ways.
    """
    left, right = round(a.score * MILLION), round(b.score * MILLION)
    over, under = CLEAR_MARGIN
    return left > right and (a.kind is not b.kind or left * under >= right * over)
