"""Following the record into FalkorDB, and building a graph anew, beside writing the same elements straight into it."""

from __future__ import annotations

from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass, field, replace
from functools import partial
from typing import Any
from uuid import uuid4

from adapters.graphiti.falkordb_driver import LimitedFalkorDriver, falkordb_client
from adapters.graphiti.falkordb_engine import FalkorDBMemoryEngine
from adapters.graphiti.schema import graph_name
from adapters.inmemory.key_store import InMemoryKeyStore
from adapters.postgres.pool import open_pool
from adapters.postgres.projection_feed import PostgresProjectionFeed
from adapters.postgres.scope_finder import PostgresScopeFinder
from adapters.system.ids import TimeOrderedIds
from application.identity.access import AccessResolver
from application.projection.builder import GraphBuilder
from application.projection.catch_up import CatchUp
from application.projection.project import ProjectFacts
from application.projection.projector import Projector
from application.projection.rebuild import RebuildGraph
from benchmarks.report import Line
from benchmarks.servers import Server, administrator, graph_server, migrated_database, postgres
from benchmarks.timing import Side, Stopwatch
from benchmarks.writing import TripleWriter, triple_writer, triples
from domain.identity.principal import PrincipalKind, Role
from tests.services.database import Database
from tests.services.filled_record import fill, finish, prepare, tenant_access

BATCH, ROUNDS = 1_000, 3

READ_NODES = "MATCH (n:Entity) RETURN n.uuid, n.group_id, n.name"
READ_EDGES = """MATCH (a)-[e:RELATES_TO]->(b) WHERE e.revision > $after
RETURN a.uuid, b.uuid, e.uuid, e.name, e.fact, e.valid_from_us, e.valid_to_us, e.group_id, e.lifecycle,
    e.standing_hash"""
INDEXES = ("CREATE INDEX FOR (n:Entity) ON (n.uuid)", "CREATE INDEX FOR ()-[e:RELATES_TO]-() ON (e.uuid)")
NODES = "UNWIND $rows AS r MERGE (n:Entity {uuid: r[0]}) SET n.group_id = r[1], n.name = r[2]"
EDGES = """UNWIND $rows AS r MATCH (a:Entity {uuid: r[0]}) MATCH (b:Entity {uuid: r[1]})
MERGE (a)-[e:RELATES_TO {uuid: r[2]}]->(b)
SET e.name = r[3], e.fact = r[4], e.valid_from_us = r[5], e.valid_to_us = r[6], e.group_id = r[7], e.lifecycle = r[8],
    e.standing_hash = r[9]"""


async def measure(edges: int) -> list[Line]:
    """A third of the edges a round: written, projected, and written directly; then all of them built anew."""
    with postgres() as server, graph_server() as graphs:
        watch = Stopwatch(server.process, (graphs.process,))
        database = await _small_record(server)
        async with (
            following(database, graphs.address.url) as follow,
            triple_writer(database, InMemoryKeyStore()) as writer,
        ):
            await follow.project()
            for number in range(ROUNDS):
                await follow.round(watch, writer, number, edges // ROUNDS // BATCH * BATCH)
            for _ in range(ROUNDS):
                await follow.anew(watch)
            return follow.lines()


@dataclass(slots=True)
class Following:
    """Three sides of one load and two of a rebuild."""

    driver: LimitedFalkorDriver
    graph: str
    projecting: ProjectFacts
    rebuilding: RebuildGraph
    written: Side = field(default_factory=Side)
    projected: Side = field(default_factory=Side)
    direct: Side = field(default_factory=Side)
    rebuilt: Side = field(default_factory=Side)
    direct_anew: Side = field(default_factory=Side)
    edges: int = 0

    async def project(self) -> None:
        """What the worker does for a job."""
        await self.projecting(_ACCESS)

    async def round(self, watch: Stopwatch, writer: TripleWriter, number: int, count: int) -> None:
        """Write triples into the record, bring them into the graph, and put what that made into a graph by itself."""
        claims = triples(count, count // 5, number)
        revisions: list[int] = []

        async def write() -> None:
            for start in range(0, count, BATCH):
                revisions.append((await writer.write(claims[start : start + BATCH])).revision or 0)

        await watch.of(self.written, count, write)
        await watch.of(self.projected, count, self.project)
        load = await self._load(min(revisions) - 1)
        assert len(load.edges) > 0.9 * count
        await watch.of(self.direct, len(load.edges), partial(self._put, load, await self._empty_graph()))
        self.edges += len(load.edges)

    async def anew(self, watch: Stopwatch) -> None:
        """Build the whole graph again, and put the same into an empty one."""
        await watch.of(self.rebuilt, self.edges, partial(self.rebuilding, _ACCESS))
        load = await self._load(0)
        await watch.of(self.direct_anew, len(load.edges), partial(self._put, load, await self._empty_graph()))

    async def _load(self, after: int) -> Load:
        nodes = await self.driver.read(self.graph, READ_NODES)
        edges = await self.driver.read(self.graph, READ_EDGES, after=after)
        assert nodes
        assert edges
        used = {end for edge in edges for end in edge[:2]}
        return Load([node for node in nodes if node[0] in used], edges)

    async def _empty_graph(self) -> str:
        graph = f"direct_{uuid4().hex}"
        for statement in INDEXES:
            await self.driver.write(graph, statement)
        return graph

    async def _put(self, load: Load, graph: str) -> None:
        for statement, rows in ((NODES, load.nodes), (EDGES, load.edges)):
            for start in range(0, len(rows), BATCH):
                await self.driver.write(graph, statement, rows=rows[start : start + BATCH])

    def lines(self) -> list[Line]:
        """Against the direct write, and against writing to the record."""
        conditions = (
            f"{self.edges:,} edges of one tenant; the peer puts the same nodes and edges, read back from the graph, "
            f"into an empty one, UNWIND of {BATCH:,} and MERGE, from rows that lie ready in memory; it leaves out "
            "documents, mentions, seven of an edge's fifteen properties and the removal of what was there before; "
            f"medians of {ROUNDS} rounds in turn"
        )
        return [
            Line(work, ours.rate, "edges/s", peer, theirs.rate, goal, n=self.edges, conditions=conditions,
                 cpu_ratio=ours.cpu_ratio(theirs))
            for work, ours, peer, theirs, goal in (
                ("projecting into FalkorDB", self.projected, "direct MERGE", self.direct, 0.6),
                ("projecting into FalkorDB", self.projected, "writing to the record", self.written, 0.5),
                ("rebuilding the graph", self.rebuilt, "direct MERGE", self.direct_anew, 0.6),
            )
        ]  # fmt: skip


@dataclass(frozen=True, slots=True)
class Load:
    """Rows of ``NODES`` and ``EDGES``."""

    nodes: Sequence[Sequence[Any]]
    edges: Sequence[Sequence[Any]]


_MEMBER = tenant_access(1, role=Role.OWNER)
_ACCESS = replace(_MEMBER, principal=replace(_MEMBER.principal, kind=PrincipalKind.SYSTEM))
"""As the worker works."""


@asynccontextmanager
async def following(database: Database, graph_url: str) -> AsyncIterator[Following]:
    """The worker's use cases on real adapters."""
    pool, engine = await open_pool(database.application), FalkorDBMemoryEngine.at(graph_url)
    client = falkordb_client(graph_url)
    try:
        resolver = AccessResolver(PostgresScopeFinder(pool))
        feed, ids = PostgresProjectionFeed(pool), TimeOrderedIds()
        catch_up = CatchUp(feed, engine)
        builder = GraphBuilder(feed, engine, ids, catch_up)
        projector = Projector(feed, engine, ids, catch_up, builder)
        yield Following(
            LimitedFalkorDriver(client, query_timeout_s=60.0),
            graph_name(_ACCESS.organization_id),
            ProjectFacts(resolver, projector),
            RebuildGraph(resolver, builder, projector, engine.projected),
        )
    finally:
        await client.aclose()
        await engine.aclose()
        await pool.close()


async def _small_record(server: Server) -> Database:
    database = await migrated_database(server)
    async with administrator(database) as connection:
        await prepare(connection)
        await fill(connection, {1: 50})
        await finish(connection)
    return database
