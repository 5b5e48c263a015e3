"""Neighbours of what was found: which facts of the graph around the hits join them, and at which score."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Sequence
from dataclasses import dataclass

from domain.errors import InvalidInput
from domain.identity.ids import EntityId, StandingId
from domain.retrieval.graph import HopEdge

EXPANSION_WEIGHT = 0.2
MAX_EXPANSION_HOPS = 2
NEIGHBOURS_PER_HIT = 2
"""At most this many times the asked number of hits."""


@dataclass(frozen=True, slots=True)
class Expansion:
    """Asks for neighbours within ``hops`` of the hits' entities."""

    hops: int = 1
    weight: float = EXPANSION_WEIGHT

    def __post_init__(self) -> None:
        if not 1 <= self.hops <= MAX_EXPANSION_HOPS:
            raise InvalidInput(f"hops is 1 or {MAX_EXPANSION_HOPS}, not {self.hops}", field="hops")
        if not 0.0 <= self.weight <= 1.0:
            raise InvalidInput(f"the weight of expansion lies between 0 and 1, not {self.weight}", field="weight")


@dataclass(frozen=True, slots=True)
class Neighbour:
    """A segment that the graph adds, and its score."""

    standing_id: StandingId
    score: float


def neighbours(
    edges: Sequence[HopEdge],
    seeds: Collection[EntityId],
    present: Collection[StandingId],
    asked: Expansion,
    limit: int,
) -> list[Neighbour]:
    """Segments not yet present: ``weight * edges / 2 ** hop``, at most 1, best first, equals by standing id.

    ``edges`` of the formula counts how many of the walked edges meet the far end of the segment, so that what several
    hits lead to comes before what one does. At most ``NEIGHBOURS_PER_HIT * limit`` are returned.
    """
    meeting: Counter[EntityId] = Counter()
    for hop_edge in edges:
        meeting.update({hop_edge.edge.subject_id, hop_edge.edge.object_id} - {None})  # type: ignore[arg-type]
    scored = []
    for hop_edge in edges:
        edge = hop_edge.edge
        if edge.standing_id in present:
            continue
        far = [end for end in (edge.subject_id, edge.object_id) if end is not None and end not in seeds]
        count = max((meeting[end] for end in far), default=1)
        scored.append(Neighbour(edge.standing_id, min(1.0, asked.weight * count / 2**hop_edge.hop)))
    scored.sort(key=lambda found: (-found.score, found.standing_id.bytes))
    return scored[: NEIGHBOURS_PER_HIT * limit]
