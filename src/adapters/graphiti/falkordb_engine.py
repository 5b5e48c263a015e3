"""The memory engine on FalkorDB: one graph an organization, and one beside it for each generation being built."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping, Sequence
from functools import partial
from typing import Any
from uuid import UUID

from falkordb.asyncio import FalkorDB
from redis.exceptions import ResponseError

from adapters.graphiti.falkordb_driver import LimitedFalkorDriver, falkordb_client, falkordb_errors
from adapters.graphiti.falkordb_statements import (
    COUNTS,
    EDGES_WHOLE,
    GENERATION,
    HASHES_OF_NODES,
    INDEX_STATES,
    INDEXES,
    LAST_NODE,
    MARK_GENERATION,
    MARK_WATERMARK,
    NODES_WHOLE,
    WATERMARK,
    WRITES,
)
from adapters.graphiti.looking import Looked
from adapters.graphiti.reading import GraphReading
from adapters.graphiti.schema import graph_name
from adapters.graphiti.walking import neighbourhood_of, on_one_generation, search_path, walk_neighbourhood
from adapters.graphiti.writing import BatchWriting
from domain.erasure.canaries import Sought
from domain.errors import NotFound, Unavailable
from domain.identity.ids import GroupId, OrganizationId, Revision, StandingId
from domain.ports.erasure import StoreScan
from domain.retrieval.graph import (
    Batch,
    GraphCounts,
    Neighbourhood,
    NeighbourhoodQuery,
    Path,
    PathQuery,
    Subgraph,
    SubgraphQuery,
    require_current,
)
from domain.standing.digest import bucket, bucket_digests

_PAGE_NODES = 5_000
_AT_ONCE = 2
_INDEX_POLL_S = 0.005
_INDEX_LIMIT_S = 120.0
_REWRITE_LIMIT_S = 30.0
_QUERY_MEMORY_S = 5.0
"""What the server noted of queries is in its keys after at most half of that."""


class FalkorDBMemoryEngine:
    """A ``MemoryEngine`` on FalkorDB 4. Call ``aclose`` at the end.

    The live graph is named after the organization; a generation that is being built has ``_g`` and its number behind
    that name. A swap renames it over the live one, which is one step for every reader.
    """

    name = "falkordb"
    reads_history = False
    projected = True
    swaps_atomically = True

    def __init__(self, client: FalkorDB, *, query_timeout_s: float = 10.0) -> None:
        self._client = client
        self._timeout_s = query_timeout_s
        self._driver = LimitedFalkorDriver(client, query_timeout_s=query_timeout_s)
        self._last_seen: dict[OrganizationId, int] = {}

    @classmethod
    def at(cls, url: str, *, connections: int = 16, query_timeout_s: float = 10.0) -> FalkorDBMemoryEngine:
        """An engine on the server at a ``redis://``, ``rediss://`` or ``unix://`` URL; connects on first use."""
        return cls(falkordb_client(url, connections=connections), query_timeout_s=query_timeout_s)

    async def aclose(self) -> None:
        """Close every connection."""
        await self._client.aclose()

    def graphiti_driver(self, organization_id: OrganizationId) -> LimitedFalkorDriver:
        """A driver with which graphiti's own classes read the organization's live graph."""
        return LimitedFalkorDriver(self._client, graph_name(organization_id), query_timeout_s=self._timeout_s)

    async def ping(self) -> None:
        """Returns when the server answers."""
        async with falkordb_errors():
            await self._client.connection.ping()

    async def persist(self) -> list[str]:
        """Write what is held now over the snapshot and the log that the server keeps, if it keeps them.

        The server's own memory of queries, which has their parameters, goes before, and is switched off.
        Returns what is left of earlier contents, in sentences. Raises Unavailable.
        """
        async with falkordb_errors():
            connection = self._client.connection
            _, remembers = await connection.execute_command("GRAPH.CONFIG", "GET", "CMD_INFO")
            if remembers:
                await connection.execute_command("GRAPH.CONFIG", "SET", "CMD_INFO", "no")
                await asyncio.sleep(_QUERY_MEMORY_S)
            for name in await self._client.list_graphs():
                await connection.execute_command("GRAPH.SLOWLOG", name, "RESET")
                await connection.delete(f"telemetry{{{name}}}")
            await connection.execute_command("SAVE")
            if (await connection.config_get("appendonly")).get("appendonly") != "yes":
                return []
            await connection.execute_command("BGREWRITEAOF")
            for _ in range(round(_REWRITE_LIMIT_S / _INDEX_POLL_S)):
                state = await connection.info("persistence")
                if not (state["aof_rewrite_in_progress"] or state["aof_rewrite_scheduled"]):
                    return []
                await asyncio.sleep(_INDEX_POLL_S)
        return ["FalkorDB's append-only file holds removed elements until its rewriting, which has begun, is done"]

    async def scan(self, organization_id: OrganizationId, scopes: Sequence[GroupId], sought: Sought) -> StoreScan:
        """Every node and edge of every generation, and what the server remembers of queries on them."""
        looked, ours = Looked(scopes, sought), graph_name(organization_id)
        async with falkordb_errors():
            names = [name for name in await self._client.list_graphs() if name.startswith(ours)]
        for name in names:
            last = await self._driver.read(name, LAST_NODE)
            for low in range(0, (last[0][0] or 0) + 1 if last else 0, _PAGE_NODES):
                page = {"low": low, "high": low + _PAGE_NODES}
                looked.at("nodes", await self._driver.read(name, NODES_WHOLE, **page) or ())
                looked.at("edges", await self._driver.read(name, EDGES_WHOLE, **page) or ())
            async with falkordb_errors():
                connection = self._client.connection
                for line in await connection.execute_command("GRAPH.SLOWLOG", name):
                    looked.at_text("slow queries", str(line))
                for line in await connection.xrange(f"telemetry{{{name}}}"):
                    looked.at_text("remembered queries", str(line))
        return looked.scan()

    async def prepare(self, organization_id: OrganizationId, generation: int) -> None:
        """Make the generation's graph and wait until its indexes can be used."""
        if await self.live_generation(organization_id) == generation:
            return
        graph = _building(organization_id, generation)
        if await self._exists(graph):
            await self._await_indexes(graph)
            return
        for statement in INDEXES:
            await self._driver.write(graph, statement)
        await self._await_indexes(graph)
        await self._driver.write(graph, MARK_GENERATION, number=generation)

    async def apply(self, organization_id: OrganizationId, generation: int, batch: Batch) -> None:
        """Write the batch, at most 1,000 rows a statement; a graph takes one statement after the other."""
        write = partial(self._driver.write, await self._prepared(organization_id, generation))
        await BatchWriting(write, WRITES, at_once=_AT_ONCE)(batch)

    async def mark(self, organization_id: OrganizationId, generation: int, watermark: Revision) -> None:
        """Kept in the graph, so that a snapshot of it says how far it goes."""
        graph = await self._prepared(organization_id, generation)
        await self._driver.write(graph, MARK_WATERMARK, watermark=watermark)

    async def watermark(self, organization_id: OrganizationId, generation: int | None = None) -> Revision | None:
        """How far a generation has come; None when there is none."""
        rows = await self._driver.read(await self._graph(organization_id, generation), WATERMARK)
        # A graph that was built before graphs said so is fed again from the start.
        return Revision(rows[0][0] or 0) if rows else None

    async def neighbourhood(self, query: NeighbourhoodQuery) -> Neighbourhood:
        """One statement, which sees one generation. When it is cut at the limit, one statement a hop is next.

        Only a walk by hops tells which edges are the first, and it stops as soon as it has enough.
        """
        require_current(query.view, self.name)
        reader = self._live_graph(query.view.organization_id)
        if query.hops == 1:
            return await walk_neighbourhood(reader, query)
        rows = await reader.rows_within(query, query.limit + 1)
        if len(rows) <= query.limit:
            return neighbourhood_of(query, rows)
        return await on_one_generation(
            self._last_seen.get(query.view.organization_id),
            lambda: self.live_generation(query.view.organization_id),
            lambda _: walk_neighbourhood(reader, query),
            Neighbourhood(),
        )

    async def shortest_path(self, query: PathQuery) -> Path | None:
        """A search from both ends."""
        require_current(query.view, self.name)
        reader = self._live_graph(query.view.organization_id)
        return await on_one_generation(
            self._last_seen.get(query.view.organization_id),
            lambda: self.live_generation(query.view.organization_id),
            lambda _: search_path(reader, query),
            None,
        )

    async def subgraph(self, query: SubgraphQuery) -> Subgraph:
        """The edges between the entities, in one statement."""
        require_current(query.view, self.name)
        return await self._live_graph(query.view.organization_id).subgraph(query)

    async def digest(self, organization_id: OrganizationId, generation: int | None = None) -> list[bytes]:
        """256 digests over the edges, read page by page."""
        return bucket_digests(await self._hashes(organization_id, generation))

    async def elements_in_bucket(
        self, organization_id: OrganizationId, bucket_number: int, generation: int | None = None
    ) -> Sequence[tuple[StandingId, bytes]]:
        """The (id, hash) pairs of one bucket, by id."""
        hashes = await self._hashes(organization_id, generation)
        return sorted(pair for pair in hashes if bucket(pair[0]) == bucket_number)

    async def counts(self, organization_id: OrganizationId, generation: int | None = None) -> GraphCounts:
        """How many elements there are."""
        graph = await self._graph(organization_id, generation)
        replies = [await self._driver.read(graph, statement) for statement in COUNTS]
        entities, literals, documents, mentions, edges = (reply[0][0] if reply else 0 for reply in replies)
        return GraphCounts(entities - literals, documents, mentions, edges, literals)

    async def live_generation(self, organization_id: OrganizationId) -> int | None:
        """The number that the live graph carries."""
        rows = await self._driver.read(graph_name(organization_id), GENERATION)
        if not rows:
            self._last_seen.pop(organization_id, None)
            return None
        self._last_seen[organization_id] = number = int(rows[0][0])
        return number

    async def swap(self, organization_id: OrganizationId, generation: int) -> None:
        """Rename the generation over the live graph, then remove what is left of others."""
        if await self.live_generation(organization_id) != generation:
            async with falkordb_errors():
                try:
                    await self._client.connection.rename(
                        _building(organization_id, generation), graph_name(organization_id)
                    )
                except ResponseError as error:
                    if "no such key" not in str(error):
                        raise
            if await self.live_generation(organization_id) != generation:
                raise self._not_prepared(generation)
        await self._remove_building(organization_id)

    async def drop(self, organization_id: OrganizationId) -> None:
        """Remove the live graph and every generation being built."""
        await self._remove(graph_name(organization_id))
        await self._remove_building(organization_id)
        self._last_seen.pop(organization_id, None)

    def _live_graph(self, organization_id: OrganizationId) -> GraphReading:
        graph = graph_name(organization_id)

        async def read(statement: str, parameters: Mapping[str, Any]) -> Sequence[Sequence[Any]]:
            return await self._driver.read(graph, statement, **parameters) or ()

        return GraphReading(read)

    async def _graph(self, organization_id: OrganizationId, generation: int | None) -> str:
        """The name under which a generation is read; perhaps of no graph at all."""
        if generation is None or generation == await self.live_generation(organization_id):
            return graph_name(organization_id)
        return _building(organization_id, generation)

    async def _prepared(self, organization_id: OrganizationId, generation: int) -> str:
        """The name of a graph that exists: writing to another name would make one."""
        graph = await self._graph(organization_id, generation)
        if not await self._exists(graph):
            raise self._not_prepared(generation)
        return graph

    def _not_prepared(self, generation: int) -> NotFound:
        return NotFound(f"generation {generation} of the {self.name} graph is not prepared")

    async def _exists(self, graph: str) -> bool:
        async with falkordb_errors():
            return bool(await self._client.connection.exists(graph))

    async def _await_indexes(self, graph: str) -> None:
        deadline = asyncio.get_running_loop().time() + _INDEX_LIMIT_S
        while any(state != "OPERATIONAL" for (state,) in await self._driver.read(graph, INDEX_STATES) or ()):
            if asyncio.get_running_loop().time() > deadline:
                raise Unavailable(f"the indexes of a {self.name} graph are not ready after {_INDEX_LIMIT_S:g} s")
            await asyncio.sleep(_INDEX_POLL_S)

    async def _hashes(self, organization_id: OrganizationId, generation: int | None) -> list[tuple[StandingId, bytes]]:
        graph = await self._graph(organization_id, generation)
        last = await self._driver.read(graph, LAST_NODE)
        hashes: list[tuple[StandingId, bytes]] = []
        for low in range(0, (last[0][0] or 0) + 1 if last else 0, _PAGE_NODES):
            rows = await self._driver.read(graph, HASHES_OF_NODES, low=low, high=low + _PAGE_NODES)
            hashes += [(StandingId(UUID(standing)), bytes.fromhex(digest)) for standing, digest in rows or ()]
        return hashes

    async def _remove_building(self, organization_id: OrganizationId) -> None:
        async with falkordb_errors():
            names = await self._client.list_graphs()
        for name in names:
            if name.startswith(f"{graph_name(organization_id)}_g"):
                await self._remove(name)

    async def _remove(self, graph: str) -> None:
        async with falkordb_errors():
            try:
                await self._client.select_graph(graph).delete()
            except ResponseError as error:
                if "empty key" not in str(error):
                    raise


def _building(organization_id: OrganizationId, generation: int) -> str:
    return f"{graph_name(organization_id)}_g{generation}"
