"""Several ranked lists into one, by reciprocal rank (Cormack, Clarke and Büttcher 2009) with weights."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from uuid import UUID

from domain.errors import InvalidInput

RANK_CONSTANT = 1.0
"""k of the formula; 1 keeps the difference between first and second places large."""


@dataclass(frozen=True, slots=True)
class RankedList:
    """Ids, best first, and how much the list counts. An id that comes twice keeps its better place."""

    name: str
    weight: float
    ids: tuple[UUID, ...]

    def __post_init__(self) -> None:
        if self.weight < 0:
            raise InvalidInput(f"the weight of list {self.name} is 0 or more, not {self.weight}", field="weights")


@dataclass(frozen=True, slots=True)
class Fusing:
    """How the lists of facts are fused, and the first how many of that are ranked."""

    pool: int
    text_weight: float
    vector_weight: float
    about_weight: float
    asked_weight: float
    constant: float = RANK_CONSTANT


@dataclass(frozen=True, slots=True)
class Fused:
    """An id with its fused score and its place, from 1, in each list that holds it."""

    id: UUID
    score: float
    places: tuple[tuple[str, int], ...]


def fused_scores(lists: Sequence[RankedList], constant: float = RANK_CONSTANT) -> list[tuple[UUID, float]]:
    """The ids of all lists by the sum of ``weight / (constant + place)``, highest first, equals by id.

    An id that only lists of weight 0 hold is kept, last.
    """
    if constant < 0:
        raise InvalidInput(f"the rank constant is 0 or more, not {constant}", field="constant")
    scores: dict[UUID, float] = {}
    for ranked in lists:
        weight = ranked.weight
        for place, found in enumerate(dict.fromkeys(ranked.ids), 1):
            scores[found] = scores.get(found, 0.0) + weight / (constant + place)
    return sorted(scores.items(), key=lambda item: (-item[1], item[0].bytes))


def fuse(lists: Sequence[RankedList], constant: float = RANK_CONSTANT) -> list[Fused]:
    """``fused_scores`` with the places that they come from."""
    places: dict[UUID, list[tuple[str, int]]] = {}
    for ranked in lists:
        for place, found in enumerate(dict.fromkeys(ranked.ids), 1):
            places.setdefault(found, []).append((ranked.name, place))
    return [Fused(found, score, tuple(places[found])) for found, score in fused_scores(lists, constant)]
