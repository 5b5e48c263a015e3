"""How well a fact answers a question as read."""

from __future__ import annotations

from domain.knowledge.objects import BooleanValue, DateValue, NumberValue, TextValue
from domain.knowledge.time import Precision
from domain.retrieval.facts import Named, Outline, StandingFact
from domain.retrieval.question import Asked, Question, Side
from domain.retrieval.question_words import Wanted

_WRONG_SIDE = 0.2
_EITHER_SIDE = 0.8
_NOT_NAMED = 0.4
_NOTHING_NAMED = 0.5
_EXACTNESS = {Precision.YEAR: 0.92, Precision.QUARTER: 0.94, Precision.MONTH: 0.96}
_KINDS = {
    Wanted.PARTY: frozenset({"person", "organization", "team", "group", "company"}),
    Wanted.PLACE: frozenset({"place", "city", "country", "location", "address"}),
}


def answers(question: Question, fact: Outline | StandingFact) -> float:
    """From 0 (not what is asked for) to 1: the asked predicate of what is named, on its side, with a fitting answer."""
    best = 0.0
    for asked in question.asked:
        if asked.predicate == fact.predicate:
            best = max(best, asked.strength * _about(question, asked, fact))
    return best


def _about(question: Question, asked: Asked, fact: Outline | StandingFact) -> float:
    if not question.spans:
        return _NOTHING_NAMED * max(_fit(question.wanted, fact, Side.OBJECT), _fit(question.wanted, fact, Side.SUBJECT))
    shares = []
    held: set[Side] = set()
    for span, side in zip(question.spans, asked.sides, strict=True):
        ends = {end for end in Side if _entity(fact, end) in span.entities}
        held |= ends
        if not ends:
            shares.append(_NOT_NAMED)
        elif side is None:
            shares.append(_EITHER_SIDE)
        else:
            shares.append(1.0 if side in ends else _WRONG_SIDE)
    if not held:
        return 0.0
    fit = 1.0 if len(held) == 2 else _fit(question.wanted, fact, held.pop().other)
    return fit * sum(shares) / len(shares)


def _entity(fact: Outline | StandingFact, side: Side) -> object:
    if side is Side.SUBJECT:
        return fact.subject.id if fact.subject is not None else None
    return fact.object.id if isinstance(fact.object, Named) else None


def _fit(wanted: Wanted, fact: Outline | StandingFact, side: Side) -> float:
    """Whether what stands on a side is what the question word asks for."""
    answer = fact.subject if side is Side.SUBJECT else fact.object
    if wanted is Wanted.ANYTHING:
        return 1.0
    if wanted is Wanted.TIME:
        if isinstance(answer, DateValue):
            return _EXACTNESS.get(answer.precision, 1.0)
        return 0.7 if fact.valid_from is not None else 0.3
    if wanted is Wanted.AMOUNT:
        return 1.0 if isinstance(answer, NumberValue) else 0.4
    if isinstance(answer, DateValue | NumberValue | BooleanValue):
        return 0.2
    if isinstance(answer, TextValue) or answer is None:
        return 0.6
    if answer.kind is None:
        return 0.9
    return 1.0 if answer.kind in _KINDS[wanted] else 0.6
