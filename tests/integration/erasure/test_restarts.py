"""An erasure whose job was held, or is gone, is started again; in the end it is reported."""

from __future__ import annotations

from collections.abc import AsyncIterator

import asyncpg
import pytest

from adapters.inmemory.memory_engine import InMemoryMemoryEngine
from adapters.postgres.scope_finder import PostgresScopeFinder
from adapters.postgres.stragglers import PostgresStragglers
from adapters.postgres.vector_store import PostgresVectorStore
from application.identity.access import AccessResolver
from application.projection.sweep import ERASURE_RESTARTS, Sweep
from domain.ports.job_queue import JobKind
from tests.integration.erasure.test_erase import eraser, says, source_named
from tests.services.database import Database
from tests.services.world import World

LATER = """UPDATE assay.erasures SET requested_at = requested_at - interval '1 year',
    restarted_at = restarted_at - interval '1 year'"""


@pytest.fixture
async def administrator(database: Database) -> AsyncIterator[asyncpg.Connection]:
    connection = await asyncpg.connect(database.administrator)
    yield connection
    await connection.close()


@pytest.fixture
def sweep(world: World) -> Sweep:
    pool = world.pool
    resolver = AccessResolver(PostgresScopeFinder(pool))
    engine, store = InMemoryMemoryEngine(), PostgresVectorStore(pool)
    return Sweep(PostgresStragglers(pool), world.unit_of_work, resolver, engine, store)


async def jobs(administrator: asyncpg.Connection) -> list[str]:
    rows = await administrator.fetch("SELECT status FROM assay.pgqueuer WHERE entrypoint = 'erase' ORDER BY id")
    return [row["status"] for row in rows]


async def test_an_erasure_is_started_again_a_bounded_number_of_times_and_then_reported(
    world: World, sweep: Sweep, administrator: asyncpg.Connection
) -> None:
    await world.say(says("Acme", "owns", "Brik"))
    erasure = await eraser(world)(world.access, await source_named(world, "records"), "gone")
    await administrator.execute(LATER)
    assert (await sweep.upkeep()).jobs[JobKind.ERASE] == 0, "its job waits"
    await administrator.execute("UPDATE assay.pgqueuer SET status = 'failed' WHERE entrypoint = 'erase'")
    assert (await sweep.upkeep()).jobs[JobKind.ERASE] == 1
    assert await jobs(administrator) == ["failed", "queued"]
    (job,) = await administrator.fetch("SELECT * FROM assay.pgqueuer WHERE entrypoint = 'erase' AND status = 'queued'")
    assert job["payload"] == str(erasure.id).encode()

    await administrator.execute("DELETE FROM assay.pgqueuer WHERE entrypoint = 'erase'")
    assert (await sweep.upkeep()).jobs[JobKind.ERASE] == 0, "it was started just now"
    for _ in range(ERASURE_RESTARTS - 1):
        await administrator.execute(LATER)
        assert (await sweep.upkeep()).jobs[JobKind.ERASE] == 1
        await administrator.execute("DELETE FROM assay.pgqueuer WHERE entrypoint = 'erase'")
    await administrator.execute(LATER)
    told = await sweep.upkeep()
    assert told.jobs[JobKind.ERASE] == 0
    (message,) = told.failures.values()
    assert f"the clean-up of the erasure {erasure.id} was started again {ERASURE_RESTARTS} times" in message
    async with world.unit_of_work(world.access) as tx:
        row = await tx.erasures.erasure(erasure.id)
    assert row is not None
    assert row.restarts == ERASURE_RESTARTS


async def test_an_erasure_that_is_done_is_left_alone(
    world: World, sweep: Sweep, administrator: asyncpg.Connection
) -> None:
    await world.say(says("Acme", "owns", "Brik"))
    await eraser(world)(world.access, await source_named(world, "records"), "gone")
    await administrator.execute("DELETE FROM assay.pgqueuer WHERE entrypoint = 'erase'")
    await administrator.execute("UPDATE assay.erasures SET state = 'done'")
    await administrator.execute(LATER)
    told = await sweep.upkeep()
    assert (told.jobs[JobKind.ERASE], told.failures) == (0, {})
