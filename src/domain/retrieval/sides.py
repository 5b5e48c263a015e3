"""The order among the sides of one disputed slot: those that answer a question alike come by their standing."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from uuid import UUID

from domain.retrieval.answering import answers
from domain.retrieval.closeness import content_words
from domain.retrieval.facts import StandingFact
from domain.retrieval.question import Question
from domain.standing.testimony import Lifecycle

ALIKE = 0.85
"""Of the best answer among the sides. A thing of unknown kind, or a less exact date, answers as well as another."""


def by_standing(fact: StandingFact) -> tuple[bool, float, UUID]:
    """Key of the order among sides: a correction first, then the higher score."""
    return not fact.corrected, -fact.score, fact.fact_id


def in_order_of_standing(facts: Sequence[StandingFact], query: str, question: Question) -> list[int]:
    """The positions of facts in the order in which they are shown.

    Sides that answer alike, and share the same words with the query, are sorted over the places that they have; all
    else stays in its place. What ranks one of them above another are words that the query has nothing to do with.
    """
    order = list(range(len(facts)))
    asked = content_words(query)
    for sides in _disputes(facts):
        fits = {at: answers(question, facts[at]) for at in sides}
        alike: defaultdict[frozenset[str], list[int]] = defaultdict(list)
        for at in sides:
            if fits[at] >= ALIKE * max(fits.values()):
                alike[asked & content_words(facts[at].sentence or "")].append(at)
        for places in alike.values():
            for place, at in zip(places, sorted(places, key=lambda each: by_standing(facts[each])), strict=True):
                order[place] = at
    return order


def _disputes(facts: Sequence[StandingFact]) -> list[list[int]]:
    """The positions of facts that dispute one slot at one time, with those that these dispute; ascending."""
    at = {fact.standing_id: place for place, fact in enumerate(facts) if fact.lifecycle is Lifecycle.DISPUTED}
    found: list[list[int]] = []
    seen: set[int] = set()
    for start in at.values():
        sides, waiting = {start}, [start]
        while waiting:
            fact = facts[waiting.pop()]
            for rival in fact.rivals:
                other = at.get(rival.standing_id)
                if other is None or other in sides or rival.differs_by_scope or not _meet(fact, facts[other]):
                    continue
                sides.add(other)
                waiting.append(other)
        if start not in seen and len(sides) > 1:
            found.append(sorted(sides))
        seen |= sides
    return found


def _meet(one: StandingFact, other: StandingFact) -> bool:
    return all(
        earlier.valid_to is None or later.valid_from is None or later.valid_from < earlier.valid_to
        for earlier, later in ((one, other), (other, one))
    )
