"""How fast the FalkorDB engine is beside the bare database: applying 20,000 edges, and walks of one to three hops.

    python -m benchmarks.graph_engines

It starts a FalkorDB of its own in a temporary folder. Both sides of a ratio run in turn, three times; medians count.
"""

from __future__ import annotations

import asyncio
import statistics
import tempfile
import time
from collections.abc import Awaitable, Callable
from datetime import UTC, datetime
from hashlib import sha256
from pathlib import Path
from uuid import UUID, uuid4

import numpy as np

from adapters.embedded.falkordb import EmbeddedFalkorDB
from adapters.graphiti.falkordb_driver import falkordb_client
from adapters.graphiti.falkordb_engine import FalkorDBMemoryEngine
from adapters.inmemory.memory_engine import InMemoryMemoryEngine
from domain.identity.ids import EntityId, FactId, GroupId, OrganizationId, Revision, StandingId
from domain.ports.memory_engine import MemoryEngine
from domain.retrieval.graph import Batch, EdgeElement, EntityElement, GraphView, NeighbourhoodQuery, PathQuery
from domain.standing.testimony import Lifecycle

EDGES, ENTITIES, ROUNDS = 20_000, 4_000, 3
SCOPE = GroupId("p_" + "1" * 32)
NOW = datetime(2026, 1, 1, tzinfo=UTC)
START = datetime(2020, 1, 1, tzinfo=UTC)
DIRECT = """UNWIND $rows AS r
MATCH (a:Entity {uuid: r.s}) MATCH (b:Entity {uuid: r.o})
MERGE (a)-[e:RELATES_TO {uuid: r.id}]->(b)
SET e.name = r.p, e.fact = r.f, e.valid_from_us = r.vf, e.valid_to_us = r.vt"""
BARE = (
    "MATCH (a:Entity {uuid: $start})-[e:RELATES_TO]-(b:Entity) WHERE e.valid_from_us <= $at RETURN DISTINCT b.uuid",
    """MATCH (a:Entity {uuid: $start})-[e:RELATES_TO]-(b:Entity) WHERE e.valid_from_us <= $at
    WITH DISTINCT b MATCH (b)-[f:RELATES_TO]-(c:Entity) WHERE f.valid_from_us <= $at RETURN DISTINCT c.uuid""",
    """MATCH (a:Entity {uuid: $start})-[e:RELATES_TO]-(b:Entity) WHERE e.valid_from_us <= $at
    WITH DISTINCT b MATCH (b)-[f:RELATES_TO]-(c:Entity) WHERE f.valid_from_us <= $at
    WITH DISTINCT c MATCH (c)-[g:RELATES_TO]-(d:Entity) WHERE g.valid_from_us <= $at RETURN DISTINCT d.uuid""",
)


def made(kind: int, number: int) -> UUID:
    return UUID(f"01890000-{kind:04x}-7000-8000-{number:012x}")


def graph() -> Batch:
    """Skewed degrees, median about eight."""
    chance = np.random.default_rng(3)
    subjects = (ENTITIES * chance.random(EDGES) ** 2.0).astype(int)
    objects = (ENTITIES * chance.random(EDGES) ** 1.5).astype(int)
    entities = [EntityElement(EntityId(made(1, n)), SCOPE, f"entity {n}", "thing") for n in range(ENTITIES)]
    edges = [
        EdgeElement(
            StandingId(made(3, n)),
            FactId(made(4, n)),
            SCOPE,
            entities[subject].entity_id,
            f"P{n % 12}",
            entities[object_ if object_ != subject else (object_ + 1) % ENTITIES].entity_id,
            None,
            f"entity {subject} stands in relation number {n % 12} to entity {object_} since 2020",
            START,
            None,
            Lifecycle.ACTIVE,
            0.9,
            sha256(str(n).encode()).digest(),
            Revision(n),
        )
        for n, (subject, object_) in enumerate(zip(subjects.tolist(), objects.tolist(), strict=True))
    ]
    return Batch(tuple(entities), upsert_edges=tuple(edges))


async def timed(work: Awaitable[object]) -> float:
    begun = time.perf_counter()
    await work
    return time.perf_counter() - begun


async def direct_load(url: str, batch: Batch) -> float:
    """Seconds for the edges with the fewest useful properties, through the database's own client, MERGE by 1,000."""
    client = falkordb_client(url)
    graph = client.select_graph(f"direct_{uuid4().hex}")
    await graph.query("CREATE INDEX FOR (n:Entity) ON (n.uuid)")
    await graph.query("CREATE INDEX FOR ()-[e:RELATES_TO]-() ON (e.uuid)")
    ids = [str(entity.entity_id) for entity in batch.upsert_entities]
    await graph.query("UNWIND $ids AS i CREATE (:Entity {uuid: i})", {"ids": ids})
    begun = time.perf_counter()
    for first in range(0, EDGES, 1000):
        rows: list[dict[str, object]] = [
            {"s": str(e.subject_id), "o": str(e.object_id), "id": str(e.standing_id), "p": e.predicate}
            | {"f": e.fact_text, "vf": e.revision, "vt": None}
            for e in batch.upsert_edges[first : first + 1000]
        ]
        await graph.query(DIRECT, {"rows": rows})
    seconds = time.perf_counter() - begun
    await graph.delete()
    await client.aclose()
    return seconds


async def load(engine: MemoryEngine, batch: Batch) -> tuple[OrganizationId, float]:
    """Seconds for the edges alone, and again for the same edges."""
    organization_id = OrganizationId(uuid4())
    await engine.prepare(organization_id, 1)
    await engine.swap(organization_id, 1)
    await engine.apply(organization_id, 1, Batch(batch.upsert_entities))
    return organization_id, await timed(engine.apply(organization_id, 1, Batch(upsert_edges=batch.upsert_edges)))


async def median_ms(question: Callable[[EntityId], Awaitable[object]], starts: list[EntityId]) -> float:
    return 1000 * statistics.median([await timed(question(start)) for start in starts])


async def main() -> None:
    batch = graph()
    with tempfile.TemporaryDirectory() as folder:
        server = EmbeddedFalkorDB(Path(folder) / "falkordb")
        url = server.start().url
        try:
            await compare(url, batch)
        finally:
            server.stop()


async def compare(url: str, batch: Batch) -> None:
    engine, reference = FalkorDBMemoryEngine.at(url), InMemoryMemoryEngine()
    direct, ours, again = [], [], []
    for _ in range(ROUNDS):
        direct.append(EDGES / await direct_load(url, batch))
        organization_id, seconds = await load(engine, batch)
        ours.append(EDGES / seconds)
        seconds = await timed(engine.apply(organization_id, 1, Batch(upsert_edges=batch.upsert_edges)))
        again.append(EDGES / seconds)
    twin, _ = await load(reference, batch)
    rates = [statistics.median(rate) for rate in (direct, ours, again)]
    print(f"edges/s: direct MERGE {rates[0]:,.0f}, engine {rates[1]:,.0f}, replacing them {rates[2]:,.0f}")
    print(f"engine / direct: {rates[1] / rates[0]:.2f}")
    print(f"digest of {EDGES:,} edges: {1000 * await timed(engine.digest(organization_id)):.0f} ms")

    chance = np.random.default_rng(5)
    starts = [batch.upsert_entities[n].entity_id for n in chance.integers(0, ENTITIES, 60).tolist()]
    client = falkordb_client(url)
    bare_graph = client.select_graph(f"org_{organization_id.hex}")
    at = 1_600_000_000_000_000
    view, twin_view = GraphView(organization_id, (SCOPE,), NOW), GraphView(twin, (SCOPE,), NOW)
    for hops in (1, 2, 3):
        some = starts[: (60, 60, 15)[hops - 1]]

        async def bare(start: EntityId, hops: int = hops) -> object:
            return await bare_graph.ro_query(BARE[hops - 1], {"start": str(start), "at": at})

        async def walk(start: EntityId, hops: int = hops) -> object:
            return await engine.neighbourhood(NeighbourhoodQuery(view, (start,), hops))

        async def check(start: EntityId, hops: int = hops) -> object:
            return await reference.neighbourhood(NeighbourhoodQuery(twin_view, (start,), hops))

        results = [(await median_ms(bare, some), await median_ms(walk, some)) for _ in range(ROUNDS)]
        bare_ms, walk_ms = (statistics.median(side) for side in zip(*results, strict=True))
        equal = all([await walk(start) == await check(start) for start in some])
        print(
            f"{hops} hops: bare ids {bare_ms:.2f} ms, engine {walk_ms:.2f} ms, ratio {walk_ms / bare_ms:.2f}, "
            f"in memory {await median_ms(check, some):.2f} ms, equal {equal}"
        )

    async def path(start: EntityId) -> object:
        return await engine.shortest_path(PathQuery(view, start, starts[0]))

    print(f"shortest path: {await median_ms(path, starts[1:31]):.1f} ms")
    await client.aclose()
    await engine.aclose()


if __name__ == "__main__":
    asyncio.run(main())
