"""The first import of vectors: filled, then indexed, beside inserting into an index whose search graph is live."""

from __future__ import annotations

from dataclasses import replace
from functools import partial
from uuid import UUID

import numpy as np

from adapters.postgres.pool import open_pool
from adapters.postgres.vector_store import PostgresVectorStore
from benchmarks.report import Line
from benchmarks.servers import administrator, migrated_database, postgres
from benchmarks.timing import Side, Stopwatch
from domain.identity.access import Access
from domain.ports.embedder import Vectors
from domain.ports.vector_store import VectorIndex, VectorKind
from tests.services.filled_record import fill, finish, prepare, tenant_access

DIMENSION, CLUSTERS, BATCH, ROUNDS = 384, 200, 1_000, 3


async def measure(count: int) -> list[Line]:
    """Both ways three times in turn, each into a new index."""
    after, live = Side(), Side()
    with postgres() as server:
        database = await migrated_database(server)
        async with administrator(database) as connection:
            await prepare(connection)
            await fill(connection, {1: count})
            await finish(connection)
            await connection.execute("VACUUM ANALYZE")
            ids = [row[0] for row in await connection.fetch("SELECT fact_id FROM facts")]
        pool = await open_pool(database.application)
        watch, store, vectors = Stopwatch(server.process), PostgresVectorStore(pool), clustered(count)
        access = replace(tenant_access(1), write_scopes=tenant_access(1).read_scopes)
        for number in range(ROUNDS):
            index = await store.rebuild(access, f"filled first {number}", DIMENSION)
            await watch.of(after, count, partial(_filled_first, store, access, index, ids, vectors))
            index = await store.rebuild(access, f"live {number}", DIMENSION)
            await store.build_graphs(index, 0)
            await watch.of(live, count, partial(_stored, store, access, index, ids, vectors))
        await pool.close()
    return [
        Line(
            "first import of vectors", after.rate, "/s", "into a live HNSW", live.rate, 3, n=ROUNDS * count,
            conditions=f"{count:,} vectors of {DIMENSION} half-precision dimensions around {CLUSTERS} centres, one "
            f"tenant, {BATCH:,} a batch, the building of the search graph included; medians of {ROUNDS} rounds in turn",
            cpu_ratio=after.cpu_ratio(live),
        )
    ]  # fmt: skip


async def _filled_first(
    store: PostgresVectorStore, access: Access, index: VectorIndex, ids: list[UUID], vectors: Vectors
) -> None:
    await _stored(store, access, index, ids, vectors)
    assert await store.build_graphs(index, 0) > 0


async def _stored(
    store: PostgresVectorStore, access: Access, index: VectorIndex, ids: list[UUID], vectors: Vectors
) -> None:
    for start in range(0, len(ids), BATCH):
        part = ids[start : start + BATCH]
        assert await store.store(access, index, VectorKind.FACT, part, vectors[start : start + BATCH]) == len(part)


def clustered(count: int) -> Vectors:
    """Unit vectors, shape (count, 384), float32, around near-orthogonal centres."""
    chance = np.random.default_rng(5)
    centres = chance.standard_normal((CLUSTERS, DIMENSION))
    drawn = centres[chance.integers(CLUSTERS, size=count)] + 0.5 * chance.standard_normal((count, DIMENSION))
    unit: Vectors = (drawn / np.linalg.norm(drawn, axis=1, keepdims=True)).astype(np.float32)
    return unit
