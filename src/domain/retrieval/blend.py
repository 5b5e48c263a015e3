"""How relevant candidates are put in order: six signals of a fact, each in [0, 1], and their weighted sum."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, fields
from datetime import datetime
from typing import NamedTuple

from domain.errors import InvalidInput
from domain.retrieval.facts import Outline, StandingFact
from domain.standing.testimony import Verification

HALF_LIFE_DAYS = 30.0
_AUTHORITY = {1: 1.0, 2: 0.85, 3: 0.70, 4: 0.40}
_VERIFICATION = {Verification.HUMAN: 1.0, Verification.AUTO: 0.8, Verification.PENDING: 0.5}


@dataclass(frozen=True, slots=True)
class Signals:
    """What a hit's score is made of; each in [0, 1]."""

    relevance: float
    authority: float
    verification: float
    recency: float
    feedback: float
    confidence: float


@dataclass(frozen=True, slots=True)
class BlendWeights:
    """How much each signal counts; not negative. They need not add up to one."""

    relevance: float = 0.40
    authority: float = 0.18
    verification: float = 0.12
    recency: float = 0.12
    feedback: float = 0.08
    confidence: float = 0.10

    def __post_init__(self) -> None:
        for each in fields(self):
            if getattr(self, each.name) < 0:
                raise InvalidInput(f"a weight is 0 or more, not {getattr(self, each.name)}", field=each.name)

    def score(self, signals: Signals) -> float:
        """The weighted sum."""
        # Written out: a search weighs every candidate.
        return (
            self.relevance * signals.relevance
            + self.authority * signals.authority
            + self.verification * signals.verification
            + self.recency * signals.recency
            + self.feedback * signals.feedback
            + self.confidence * signals.confidence
        )


def normalised(scores: Sequence[float]) -> list[float]:
    """Min-max to [0, 1]; all equal, or one alone, is 1.0."""
    if not scores:
        return []
    low, high = min(scores), max(scores)
    if high <= low:
        return [1.0] * len(scores)
    return [(score - low) / (high - low) for score in scores]


def signals_of(fact: Outline | StandingFact, relevance: float, at: datetime) -> Signals:
    """The signals of a fact at a moment, given its relevance in [0, 1]."""
    return Signals(
        relevance=relevance,
        authority=_AUTHORITY[fact.tier],
        verification=_VERIFICATION[fact.verification],
        recency=recency(fact.observed_at, fact.valid_to, at),
        feedback=(fact.helpful + 1) / (fact.helpful + fact.unhelpful + 2),
        confidence=min(1.0, max(0.0, fact.confidence)),
    )


def recency(observed_at: datetime, valid_to: datetime | None, at: datetime) -> float:
    """Halves every ``HALF_LIFE_DAYS`` since the observation; 0 for what has ended, 1 for what lies ahead."""
    if valid_to is not None and valid_to <= at:
        return 0.0
    days = (at - observed_at).total_seconds() / 86_400
    return 1.0 if days <= 0 else float(0.5 ** (days / HALF_LIFE_DAYS))


def order_key(score: float, fact: Outline | StandingFact) -> tuple[float, bool, bytes, bytes]:
    """Highest score first; of equals a correction first, then by fact and standing id."""
    return -score, not fact.corrected, fact.fact_id.bytes, fact.standing_id.bytes


class Ranked(NamedTuple):
    """A candidate with its relevance in [0, 1] and the weighted sum of its signals."""

    outline: Outline
    relevance: float
    score: float


def ranked(
    outlines: Sequence[Outline], relevance: Sequence[float], weights: BlendWeights, at: datetime
) -> list[Ranked]:
    """Candidates in the order of ``weights.score(signals_of(…))`` at a moment."""
    weighed = [
        Ranked(fact, level, _score(weights, fact, level, at)) for fact, level in zip(outlines, relevance, strict=True)
    ]
    return sorted(weighed, key=lambda each: order_key(each.score, each.outline))


def _score(weights: BlendWeights, fact: Outline, relevance: float, at: datetime) -> float:
    # The same sum as over signals that are made first: a search weighs fifty candidates to show ten.
    helpful = fact.helpful
    return (
        weights.relevance * relevance
        + weights.authority * _AUTHORITY[fact.tier]
        + weights.verification * _VERIFICATION[fact.verification]
        + weights.recency * recency(fact.observed_at, fact.valid_to, at)
        + weights.feedback * ((helpful + 1) / (helpful + fact.unhelpful + 2))
        + weights.confidence * min(1.0, max(0.0, fact.confidence))
    )
