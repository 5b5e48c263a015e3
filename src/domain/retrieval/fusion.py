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
class Fused:
    """An id with its fused score and its place, from 1, in each list that holds it."""

    id: UUID
    score: float
    places: tuple[tuple[str, int], ...]


def fuse(lists: Sequence[RankedList], constant: float = RANK_CONSTANT) -> list[Fused]:
    """The ids of all lists by the sum of ``weight / (constant + place)``, highest first, equals by id.

    An id that only lists of weight 0 hold is kept, last.
    """
    if constant < 0:
        raise InvalidInput(f"the rank constant is 0 or more, not {constant}", field="constant")
    places: dict[UUID, list[tuple[str, int]]] = {}
    scores: dict[UUID, float] = {}
    for ranked in lists:
        for place, found in enumerate(dict.fromkeys(ranked.ids), 1):
            places.setdefault(found, []).append((ranked.name, place))
            scores[found] = scores.get(found, 0.0) + ranked.weight / (constant + place)
    order = sorted(scores, key=lambda found: (-scores[found], found.bytes))
    return [Fused(found, scores[found], tuple(places[found])) for found in order]
