"""Walking a graph hop by hop. The walk decides; an engine only fetches the edges of a frontier.

Every engine drives the same two classes, so that all of them give the same answer in the same order:

    while walk.frontier:
        walk.grow(edges of the frontier)
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from domain.errors import LimitExceeded
from domain.identity.ids import EntityId, FactId, StandingId
from domain.retrieval.graph import (
    MAX_VISITED,
    Direction,
    EdgeElement,
    HopEdge,
    Neighbourhood,
    NeighbourhoodQuery,
    PathQuery,
    edge_order,
    entity_ends,
)


class NeighbourhoodWalk:
    """A breadth-first walk from some entities, edges counted at the hop that first meets them."""

    def __init__(self, query: NeighbourhoodQuery) -> None:
        self._query = query
        self._hop = 0
        self._met: dict[StandingId, HopEdge] = {}
        self._visited: set[EntityId] = set(query.entity_ids)
        self.frontier: tuple[EntityId, ...] = tuple(sorted(self._visited))

    @property
    def fetch_limit(self) -> int:
        """How many edges of the frontier, by fact id and standing id, are enough: one more than can be returned."""
        return self._query.limit + 1

    def grow(self, edges: Iterable[EdgeElement]) -> None:
        """Take the edges at the frontier, which become the next hop; ends the walk at its last hop or its limit."""
        self._hop += 1
        ends: set[EntityId] = set()
        for edge in edges:
            if edge.standing_id not in self._met:
                self._met[edge.standing_id] = HopEdge(self._hop, edge)
                ends.add(edge.subject_id)
                if edge.object_id is not None:
                    ends.add(edge.object_id)
        done = self._hop == self._query.hops or len(self._met) > self._query.limit
        self.frontier = () if done else tuple(sorted(ends - self._visited))
        self._visited |= ends

    def result(self) -> Neighbourhood:
        """What was met, in order and cut at the limit."""
        ordered = sorted(self._met.values(), key=lambda met: (met.hop, *edge_order(met.edge)))
        kept = ordered[: self._query.limit]
        return Neighbourhood(tuple(kept), entity_ends([met.edge for met in kept]), len(ordered) > len(kept))


@dataclass(frozen=True, slots=True)
class Link:
    """An edge between two entities as far as a path search needs it, in the stored direction."""

    fact_id: FactId
    standing_id: StandingId
    subject_id: EntityId
    object_id: EntityId


@dataclass(frozen=True, slots=True)
class _Step:
    link: Link
    to: EntityId


class PathSearch:
    """A breadth-first search from both ends at once; the smaller frontier grows first.

    Of several shortest paths it takes the one whose sequence of fact ids, read from the source, is the smallest.
    """

    def __init__(self, query: PathQuery) -> None:
        self._query = query
        self._levels: tuple[dict[EntityId, int], dict[EntityId, int]] = ({query.source_id: 0}, {query.target_id: 0})
        self._fronts: list[tuple[EntityId, ...]] = [(query.source_id,), (query.target_id,)]
        self._steps: dict[EntityId, set[_Step]] = {}  # towards the target, of both searches
        self._depths = [0, 0]
        self._met = query.source_id == query.target_id

    @property
    def _side(self) -> int:
        return 0 if len(self._fronts[0]) <= len(self._fronts[1]) else 1

    @property
    def frontier(self) -> tuple[EntityId, ...]:
        """The entities whose links are wanted next; empty when the search is over."""
        if self._met or not all(self._fronts) or sum(self._depths) >= self._query.max_hops:
            return ()
        return self._fronts[self._side]

    @property
    def direction(self) -> Direction:
        """How the links of the frontier are to be followed: the search from the target goes against the question."""
        asked = self._query.direction
        if self._side == 0 or asked is Direction.BOTH:
            return asked
        return Direction.IN if asked is Direction.OUT else Direction.OUT

    def grow(self, links: Iterable[Link]) -> None:
        """Take the links at the frontier. Raises LimitExceeded when the search has touched too many entities."""
        side, direction = self._side, self.direction
        mine, other = self._levels[side], self._levels[1 - side]
        front, depth = set(self._fronts[side]), self._depths[side] + 1
        found: set[EntityId] = set()
        for link in links:
            for near, far in _ways(link, direction):
                if near in front and mine.setdefault(far, depth) == depth:
                    found.add(far)
                    start, end = (near, far) if side == 0 else (far, near)
                    self._steps.setdefault(start, set()).add(_Step(link, end))
        self._depths[side] = depth
        self._fronts[side] = tuple(sorted(found))
        self._met = not found.isdisjoint(other)
        if len(mine) + len(other) > MAX_VISITED:
            raise LimitExceeded(
                f"the search for a path touched more than {MAX_VISITED} entities; ask for fewer hops or name predicates"
            )

    def links(self) -> tuple[Link, ...] | None:
        """The chosen path from source to target; None when there is none within the limit."""
        if not self._met:
            return None
        useful = self._useful()
        path: list[Link] = []
        here = self._query.source_id
        for level in range(sum(self._depths)):
            steps = [step for step in self._steps.get(here, ()) if step.to in useful[level + 1]]
            best = min(steps, key=lambda step: (step.link.fact_id.bytes, step.link.standing_id.bytes))
            path.append(best.link)
            here = best.to
        return tuple(path)

    def _useful(self) -> list[set[EntityId]]:
        """By distance from the source: the entities that lie on a shortest path. The searches met at their fronts."""
        from_source, from_target = self._levels
        middle, length = self._depths[0], sum(self._depths)
        levels: list[set[EntityId]] = [set() for _ in range(length + 1)]
        levels[middle] = {entity for entity in self._fronts[0] if entity in from_target}
        for level in range(middle - 1, -1, -1):
            at_level = [entity for entity, distance in from_source.items() if distance == level]
            levels[level] = {e for e in at_level if any(s.to in levels[level + 1] for s in self._steps.get(e, ()))}
        for level in range(middle, length):
            steps = [step for entity in levels[level] for step in self._steps.get(entity, ())]
            levels[level + 1] = {s.to for s in steps if from_target.get(s.to) == length - level - 1}
        return levels


def _ways(link: Link, direction: Direction) -> tuple[tuple[EntityId, EntityId], ...]:
    """(near, far) for each way in which the link may be followed."""
    forward, backward = (link.subject_id, link.object_id), (link.object_id, link.subject_id)
    if direction is Direction.OUT:
        return (forward,)
    return (backward,) if direction is Direction.IN else (forward, backward)
