"""Driving the domain's walks over a graph database, one statement a hop, all on one generation."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Sequence
from operator import itemgetter
from typing import Any, Protocol, TypeVar

from adapters.graphiti.schema import FACT, OBJECT, STANDING, SUBJECT, id_of, outline_of, texts
from domain.errors import Unavailable
from domain.identity.ids import EntityId, StandingId
from domain.retrieval.graph import (
    Direction,
    EdgeElement,
    GraphView,
    HopEdge,
    Neighbourhood,
    NeighbourhoodQuery,
    Path,
    PathQuery,
    path_of,
)
from domain.retrieval.traversal import Link, NeighbourhoodWalk, PathSearch

Answer = TypeVar("Answer")
_ATTEMPTS = 8


class GenerationReader(Protocol):
    """One generation of one organization's graph, for reading."""

    async def edges_at(self, query: NeighbourhoodQuery, frontier: Sequence[EntityId], limit: int) -> list[EdgeElement]:
        """The first edges at the frontier, by fact id and standing id."""
        ...

    async def links_at(self, query: PathQuery, frontier: Sequence[EntityId], direction: Direction) -> list[Link]:
        """The links between entities at the frontier."""
        ...

    async def edges_by_id(self, ids: Sequence[StandingId]) -> list[EdgeElement]:
        """The edges with these ids, in any order."""
        ...

    async def is_readable(self, view: GraphView, entity_id: EntityId) -> bool:
        """Whether the entity is there and its scope is among the view's."""
        ...


async def walk_neighbourhood(reader: GenerationReader, query: NeighbourhoodQuery) -> Neighbourhood:
    """Hop by hop; stops as soon as the limit is reached."""
    walk = NeighbourhoodWalk(query)
    while walk.frontier:
        walk.grow(await reader.edges_at(query, walk.frontier, walk.fetch_limit))
    return walk.result()


def neighbourhood_of(query: NeighbourhoodQuery, rows: Sequence[Sequence[Any]]) -> Neighbourhood:
    """The answer from all edges within the hops: each at the hop at which a walk over them meets it.

    The texts of ids are in the order of the ids.
    """
    forward, backward = query.direction is not Direction.IN, query.direction is not Direction.OUT
    known, met, away = set(texts(query.entity_ids)), list[HopEdge](), rows
    ends: set[str] = set()
    for hop in range(1, query.hops + 1):
        here: list[Sequence[Any]] = []
        rest: list[Sequence[Any]] = []
        for row in away:
            near = (forward and row[SUBJECT] in known) or (backward and row[OBJECT] in known)
            (here if near else rest).append(row)
        here.sort(key=itemgetter(FACT, STANDING))
        met += [HopEdge(hop, outline_of(row)) for row in here]
        ends.update(row[SUBJECT] for row in here)
        ends.update(row[OBJECT] for row in here if row[OBJECT] != row[FACT])
        known |= ends
        away = rest
    return Neighbourhood(tuple(met), tuple(EntityId(id_of(end)) for end in sorted(ends)))


async def search_path(reader: GenerationReader, query: PathQuery) -> Path | None:
    """Search with links alone, then fetch the edges of the path."""
    search = PathSearch(query)
    while search.frontier:
        search.grow(await reader.links_at(query, search.frontier, search.direction))
    links = search.links()
    if links is None or not await reader.is_readable(query.view, query.source_id):
        return None
    edges = {edge.standing_id: edge for edge in await reader.edges_by_id([link.standing_id for link in links])}
    if len(edges) < len(links):
        return None  # an edge went while the path was read: the next generation, or the next question, will tell
    return path_of(query, [edges[link.standing_id] for link in links])


async def on_one_generation(
    first: int | None,
    live: Callable[[], Awaitable[int | None]],
    read: Callable[[int], Awaitable[Answer]],
    empty: Answer,
) -> Answer:
    """What ``read`` says about a generation that was live before it began and still is when it ends.

    Generations only grow, so that an equal number means that no swap came between. ``first`` is the one believed to
    be live; a wrong one costs a second reading.
    """
    generation = await live() if first is None else first
    for _ in range(_ATTEMPTS):
        if generation is None:
            return empty
        answer = await read(generation)
        now = await live()
        if now == generation:
            return answer
        generation = now
    raise Unavailable("the graph was replaced again and again while it was read; try again")
