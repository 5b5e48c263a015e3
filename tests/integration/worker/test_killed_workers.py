"""Workers die in the middle of their work, again and again, and nothing is lost or doubled."""

from __future__ import annotations

import asyncio
import random

import asyncpg
import pytest

from adapters.embedded.resp_server import RespAddress
from adapters.graphiti.falkordb_engine import FalkorDBMemoryEngine
from adapters.postgres.operations import PostgresOperations
from adapters.postgres.projection_feed import PostgresProjectionFeed
from tests.contracts.projection_contract import recorded
from tests.integration.projection.changes import notes, says
from tests.integration.worker.fleet import Fleet
from tests.services.database import Database
from tests.services.world import World

pytestmark = [pytest.mark.services, pytest.mark.slow]

WORKERS = 8
SECONDS = 15.0
BETWEEN_KILLS = 1.0


async def write_until(world: World, deadline: float, number: int) -> int:
    """Say things about few subjects from many sources, so that writers meet in the same slots."""
    chance, written = random.Random(number), 0
    while asyncio.get_running_loop().time() < deadline:
        subjects = [f"Plant {chance.randrange(6)}" for _ in range(3)]
        claims = [says(subject, "headquartered in", f"City {chance.randrange(5)}") for subject in subjects]
        claims += [notes(subject, "has status", f"status {chance.randrange(4)}") for subject in subjects]
        await world.say(*claims, source=f"source {number}.{chance.randrange(40)}")
        written += 1
    return written


async def test_eight_workers_and_writers_with_one_worker_killed_every_second(
    world: World, database: Database, falkordb_server: RespAddress
) -> None:
    fleet, clock = Fleet(database, falkordb_server.url), asyncio.get_running_loop()
    administrator = await asyncpg.connect(database.administrator)
    try:
        await fleet.open()
        for _ in range(WORKERS):
            await fleet.start()
        deadline = clock.time() + SECONDS
        writers = [asyncio.create_task(write_until(world, deadline, n)) for n in range(2)]
        kills = 0
        while clock.time() < deadline:
            await asyncio.sleep(BETWEEN_KILLS)
            await fleet.kill_one()
            kills += 1
        written = sum(await asyncio.gather(*writers))
        assert kills >= 5
        assert written >= 10
        head = await PostgresProjectionFeed(world.pool).head(world.access)
        operations = PostgresOperations(world.pool, "falkordb")
        async with asyncio.timeout(90):
            while True:
                marks = await operations.watermarks(world.access)
                left = await administrator.fetchval("SELECT count(*) FROM assay.pgqueuer")
                if (marks.graph, marks.vectors, left) == (head, head, 0):
                    break
                await asyncio.sleep(0.2)
    finally:
        codes = await fleet.stop()
    assert codes == [0] * WORKERS
    await _nothing_is_lost_or_doubled(world, falkordb_server, administrator)
    await administrator.close()


async def _nothing_is_lost_or_doubled(
    world: World, falkordb_server: RespAddress, administrator: asyncpg.Connection
) -> None:
    engine = FalkorDBMemoryEngine.at(falkordb_server.url)
    try:
        assert await engine.digest(world.access.organization_id) == await recorded(world)
        counts = await engine.counts(world.access.organization_id)
        stored = await world.rows("SELECT (SELECT count(*) FROM entities), (SELECT count(*) FROM documents)")
        assert (counts.entities, counts.documents) == tuple(stored[0])
    finally:
        await engine.aclose()
    vectors = await world.rows(
        """SELECT (SELECT count(*) FROM fact_vectors), (SELECT count(*) FROM facts),
                  (SELECT count(*) FROM entity_vectors), (SELECT count(*) FROM entities)"""
    )
    facts_embedded, facts, names_embedded, names = vectors[0]
    assert (facts_embedded, names_embedded) == (facts, names)
    assert await administrator.fetchval("SELECT count(*) FROM assay.pgqueuer_log WHERE status = 'failed'") == 0
    database = await administrator.fetchval("SELECT current_database()")
    assert await administrator.fetchval("SELECT deadlocks FROM pg_stat_database WHERE datname = $1", database) == 0
    async with world.unit_of_work(world.access) as tx:
        assert await tx.chronicle.chain_faults(1) == []
