"""The memory engine that needs no graph: it walks the record itself, at any revision."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import asyncpg

from adapters.postgres.pool import translated
from adapters.postgres.rows import literal_of
from adapters.postgres.statements import statements
from domain.identity.ids import OPEN, EntityId, OrganizationId, Revision, StandingId
from domain.knowledge.wording import describe
from domain.retrieval.graph import (
    Batch,
    Direction,
    EdgeElement,
    GraphCounts,
    GraphView,
    HopEdge,
    Neighbourhood,
    NeighbourhoodQuery,
    Path,
    PathQuery,
    Subgraph,
    SubgraphQuery,
    edge_outline,
    path_of,
    subgraph_of,
)
from domain.retrieval.traversal import Link, PathSearch
from domain.standing.digest import bucket, bucket_digests
from domain.standing.testimony import Lifecycle

_SQL = statements("graph")
_LATEST = Revision(OPEN - 1)
_ONLY_GENERATION = 1
_LIFECYCLES = {lifecycle.value: lifecycle for lifecycle in Lifecycle}


class PostgresMemoryEngine:
    """Implements ``MemoryEngine`` over the standings. It is always at the head and has nothing to build.

    One statement a question; a search for a path takes one a step and holds on to the revision at its start.
    """

    name = "postgres"
    reads_history = True
    projected = False
    swaps_atomically = True

    def __init__(self, pool: asyncpg.Pool) -> None:
        self._pool = pool

    async def ping(self) -> None:
        with translated():
            await self._pool.fetchval("SELECT 1")

    async def prepare(self, organization_id: OrganizationId, generation: int) -> None:
        """Nothing to do."""

    async def apply(self, organization_id: OrganizationId, generation: int, batch: Batch) -> None:
        """Nothing to do: the batch was read from where this engine reads."""

    async def swap(self, organization_id: OrganizationId, generation: int) -> None:
        """Nothing to do."""

    async def drop(self, organization_id: OrganizationId) -> None:
        """Nothing to do: the record is not a copy."""

    async def live_generation(self, organization_id: OrganizationId) -> int | None:
        return _ONLY_GENERATION

    async def mark(self, organization_id: OrganizationId, generation: int, watermark: Revision) -> None:
        """Nothing to do."""

    async def watermark(self, organization_id: OrganizationId, generation: int | None = None) -> Revision | None:
        """None: it has no copy that could lag."""
        return None

    async def neighbourhood(self, query: NeighbourhoodQuery) -> Neighbourhood:
        view = query.view
        rows = await self._fetch(
            "neighbourhood",
            *_tenant(view),
            list(query.entity_ids),
            query.hops,
            query.direction is not Direction.IN,
            query.direction is not Direction.OUT,
            None if query.predicates is None else list(query.predicates),
            view.as_of,
            _LATEST if view.known_at is None else view.known_at,
            _lifecycles(view),
            query.limit,
        )
        kept = rows[: query.limit]
        met = tuple(HopEdge(row[0], edge_outline(row, _values, row[1], row[4], row[6])) for row in kept)
        ends = {row[4] for row in kept} | {row[6] for row in kept}
        return Neighbourhood(met, tuple(sorted(ends - {None})), len(rows) > query.limit)

    async def shortest_path(self, query: PathQuery) -> Path | None:
        view, ends = query.view, [query.source_id, query.target_id]
        (start,) = await self._fetch("readable", *_tenant(view), ends)
        if not set(ends) <= set(start["entities"]):
            return None
        known_at = start["revision"] if view.known_at is None else view.known_at
        search = PathSearch(query)
        while search.frontier:
            search.grow(await self._links(query, search.frontier, search.direction, known_at))
        links = search.links()
        if not links:
            return None if links is None else path_of(query, [])
        rows = await self._fetch("edges", *_tenant(view), [link.standing_id for link in links], known_at)
        edges = {row["standing_id"]: _edge(row) for row in rows}
        return path_of(query, [edges[link.standing_id] for link in links])

    async def subgraph(self, query: SubgraphQuery) -> Subgraph:
        view = query.view
        rows = await self._fetch(
            "among",
            *_tenant(view),
            list(query.entity_ids),
            view.as_of,
            _LATEST if view.known_at is None else view.known_at,
            _lifecycles(view),
        )
        return subgraph_of([_edge(row) for row in rows])

    async def digest(self, organization_id: OrganizationId, generation: int | None = None) -> list[bytes]:
        return bucket_digests(await self._hashes(organization_id))

    async def elements_in_bucket(
        self, organization_id: OrganizationId, bucket_number: int, generation: int | None = None
    ) -> Sequence[tuple[StandingId, bytes]]:
        return sorted(pair for pair in await self._hashes(organization_id) if bucket(pair[0]) == bucket_number)

    async def counts(self, organization_id: OrganizationId, generation: int | None = None) -> GraphCounts:
        (row,) = await self._fetch("counts", organization_id)
        return GraphCounts(**row)

    async def _links(
        self, query: PathQuery, frontier: Sequence[EntityId], direction: Direction, known_at: Revision
    ) -> list[Link]:
        rows = await self._fetch(
            "links",
            *_tenant(query.view),
            list(frontier),
            direction is not Direction.IN,
            direction is not Direction.OUT,
            None if query.predicates is None else list(query.predicates),
            query.view.as_of,
            known_at,
            _lifecycles(query.view),
        )
        return [Link(*row) for row in rows]

    async def _hashes(self, organization_id: OrganizationId) -> list[tuple[StandingId, bytes]]:
        return [(StandingId(row[0]), row[1]) for row in await self._fetch("hashes", organization_id)]

    async def _fetch(self, name: str, *arguments: Any) -> list[asyncpg.Record]:
        with translated():
            return await self._pool.fetch(_SQL[name], *arguments)


def _tenant(view: GraphView) -> tuple[OrganizationId, str]:
    return view.organization_id, ",".join(view.scopes)


def _lifecycles(view: GraphView) -> list[str]:
    return [lifecycle.value for lifecycle in view.lifecycles]


def _edge(row: asyncpg.Record) -> EdgeElement:
    return EdgeElement(*_values(row))


def _values(row: asyncpg.Record) -> tuple[Any, ...]:
    """What an edge has, of a row as every statement of edges returns it."""
    _, standing, fact, group, subject, name, entity, literal, sentence, since, until, state, confidence, *rest = row
    text = describe(literal_of(literal)) if entity is None else None
    ids = standing, fact, group, subject, name, entity
    return *ids, text, sentence or "", since, until, _LIFECYCLES[state], round(confidence, 6), *rest
