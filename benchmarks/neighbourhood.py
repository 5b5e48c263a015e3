"""The edges within one to three hops at a moment, through the engine port, beside a bare query for the same edges."""

from __future__ import annotations

import statistics
from collections.abc import Awaitable, Callable, Sequence
from datetime import UTC, datetime
from typing import Any

import asyncpg
import numpy as np

from adapters.graphiti.falkordb_driver import LimitedFalkorDriver, falkordb_client
from adapters.graphiti.falkordb_engine import FalkorDBMemoryEngine
from adapters.graphiti.schema import EDGE_COLUMNS, graph_name
from adapters.postgres.memory_engine import PostgresMemoryEngine
from adapters.postgres.pool import open_pool
from benchmarks.projection import following
from benchmarks.report import Line
from benchmarks.servers import administrator, graph_server, migrated_database, postgres
from benchmarks.timing import elapsed
from domain.identity.ids import EntityId
from domain.ports.memory_engine import MemoryEngine
from domain.retrieval.graph import GraphView, NeighbourhoodQuery, micros
from tests.services.filled_record import fill, finish, prepare, tenant_access

ROUNDS, HOPS, LIMIT = 3, (1, 2, 3), 10_000
QUESTIONS = {1: 60, 2: 60, 3: 20}
AS_OF = datetime(2022, 6, 1, tzinfo=UTC)
Bare = Callable[[EntityId, int], Awaitable[int]]

_HOLDS = """{0}.lifecycle IN ['active', 'disputed'] AND {0}.valid_from_us <= $at
AND ({0}.valid_to_us IS NULL OR {0}.valid_to_us > $at)"""
_SQL_NEAR = """SELECT s.{wanted} AS id FROM f{m} f
    JOIN standings s ON s.organization_id = $1 AND s.{end} = f.id
    WHERE s.to_rev = 9223372036854775807 AND s.lifecycle IN ('active', 'disputed') AND s.valid_from <= $3
      AND (s.valid_to IS NULL OR s.valid_to > $3)"""
_SQL_EDGES = """SELECT s.standing_id, s.fact_id, s.group_id, s.subject_id, s.predicate, s.object_id, f.object_literal,
       f.sentence, s.valid_from, s.valid_to, s.lifecycle, s.confidence, s.standing_hash, s.from_rev
FROM e JOIN standings s ON s.organization_id = $1 AND s.standing_id = e.id
JOIN facts f ON f.organization_id = $1 AND f.fact_id = s.fact_id"""


async def measure(facts: int) -> list[Line]:
    """Each number of hops on each engine, three rounds on each side in turn."""
    with postgres() as server, graph_server() as graphs:
        database = await migrated_database(server)
        async with administrator(database) as connection:
            await prepare(connection)
            await fill(connection, {1: facts})
            await finish(connection)
            await connection.execute("VACUUM ANALYZE")
            starts = [EntityId(row[0]) for row in await connection.fetch(
                "SELECT DISTINCT subject_id FROM standings ORDER BY subject_id")]  # fmt: skip
        chosen = np.random.default_rng(7).choice(len(starts), min(len(starts), max(QUESTIONS.values())), replace=False)
        starts = [starts[n] for n in chosen.tolist()]
        async with following(database, graphs.address.url) as follow:
            await follow.project()
        pool = await open_pool(database.application)
        client, engine = falkordb_client(graphs.address.url), FalkorDBMemoryEngine.at(graphs.address.url)
        async with administrator(database) as bare:
            organization = tenant_access(1).organization_id
            graph = LimitedFalkorDriver(client, query_timeout_s=60.0)
            lines = await _compared(PostgresMemoryEngine(pool), _sql(bare, organization), starts, facts)
            lines += await _compared(engine, _cypher(graph, graph_name(organization)), starts, facts)
        await engine.aclose()
        await client.aclose()
        await pool.close()
    return lines


async def _compared(engine: MemoryEngine, bare: Bare, starts: Sequence[EntityId], facts: int) -> list[Line]:
    access, lines = tenant_access(1), []
    view = GraphView(access.organization_id, access.read_scopes, AS_OF)
    for hops in HOPS:
        some, ours, theirs = starts[: QUESTIONS[hops]], [], []
        sizes = []
        for number in range(ROUNDS + 1):
            mine: list[float] = []
            other: list[float] = []
            for start in some:
                with elapsed(mine):
                    found = await engine.neighbourhood(NeighbourhoodQuery(view, (start,), hops, limit=LIMIT))
                    hop_of = {met.edge.standing_id: met.hop for met in found.edges}  # what a walk takes from it
                with elapsed(other):
                    count = await bare(start, hops)
                assert found.truncated or len(hop_of) == count, (engine.name, hops, len(found.edges), count)
                sizes.append(count)
            if number:  # the first round warms caches and plans
                ours.append(statistics.median(mine))
                theirs.append(statistics.median(other))
        lines.append(
            Line(
                f"{hops} {'hop' if hops == 1 else 'hops'}, {engine.name} engine", statistics.median(ours), "ms",
                "bare query", statistics.median(theirs), 1.5, lower_is_better=True, n=ROUNDS * len(some),
                conditions=f"{facts:,} facts of one tenant, as of 2022, one client; the bare query asks for the same "
                "edges and columns as a superuser and leaves the rows as they are; ours gives edges in order, with "
                "hops and ids, and reads further fields of a row when they are asked for; question by question; "
                f"medians of {ROUNDS} rounds' p50; {statistics.median(sizes):.0f} edges at {hops} hops",
            )
        )  # fmt: skip
    return lines


def _cypher(driver: LimitedFalkorDriver, graph: str) -> Bare:
    async def ask(start: EntityId, hops: int) -> int:
        steps = "".join(
            f"OPTIONAL MATCH (x)-[s{n}:RELATES_TO]-(y:Entity) WHERE {_HOLDS.format(f's{n}')} AND NOT y:Value "
            "WITH collect(DISTINCT x) + collect(DISTINCT y) AS f UNWIND f AS x WITH DISTINCT x "
            for n in range(1, hops)
        )
        rows: Sequence[Sequence[Any]] | None = await driver.read(
            graph,
            f"MATCH (x:Entity {{uuid: $start}}) {steps}MATCH (x)-[e:RELATES_TO]-() WHERE {_HOLDS.format('e')} "
            f"WITH DISTINCT e RETURN {', '.join(EDGE_COLUMNS)}",
            start=str(start),
            at=micros(AS_OF),
        )
        return len(rows or ())

    return ask


def _sql(connection: asyncpg.Connection, organization: object) -> Bare:
    def near(m: int, out: str, back: str) -> str:
        both = (
            _SQL_NEAR.format(wanted=out, end="subject_id", m=m),
            _SQL_NEAR.format(wanted=back, end="object_key", m=m),
        )
        return " UNION ".join(both)

    def statement(hops: int) -> str:
        steps = "".join(
            f", f{n} AS MATERIALIZED ({near(n - 1, 'object_id', 'subject_id')} UNION SELECT id FROM f{n - 1})"
            for n in range(1, hops)
        )
        edges = near(hops - 1, "standing_id", "standing_id")
        return f"WITH f0 AS (SELECT $2::uuid AS id){steps}, e AS ({edges}) {_SQL_EDGES}"

    statements = {hops: statement(hops) for hops in HOPS}

    async def ask(start: EntityId, hops: int) -> int:
        return len(await connection.fetch(statements[hops], organization, start, AS_OF))

    return ask
