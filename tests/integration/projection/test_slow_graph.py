"""A graph that takes its time keeps the worker's lease; a worker that lost it stops."""

from __future__ import annotations

import asyncio

import asyncpg
import pytest

from adapters.inmemory.memory_engine import InMemoryMemoryEngine
from domain.identity.ids import OrganizationId
from domain.retrieval.graph import Batch
from tests.integration.projection.changes import says
from tests.integration.projection.projecting import projecting
from tests.services.database import Database
from tests.services.world import World

pytestmark = pytest.mark.services
LEASE = 0.4


class SlowEngine(InMemoryMemoryEngine):
    """Applies nothing before it may."""

    def __init__(self) -> None:
        super().__init__()
        self.asked, self.may, self.cut_off = asyncio.Event(), asyncio.Event(), False

    async def apply(self, organization_id: OrganizationId, generation: int, batch: Batch) -> None:
        self.asked.set()
        try:
            await self.may.wait()
        except asyncio.CancelledError:
            self.cut_off = True
            raise
        await super().apply(organization_id, generation, batch)


async def renewals(world: World) -> list[object]:
    return [row["lease_until"] for row in await world.rows("SELECT lease_until FROM projections")]


async def test_the_lease_is_renewed_for_as_long_as_a_portion_takes(world: World) -> None:
    await world.say(says("Acme", "founded by", "Ada"))
    engine = SlowEngine()
    follow = projecting(world, engine, lease_seconds=LEASE)
    working = asyncio.create_task(follow.project(world.access))
    await engine.asked.wait()
    seen = set()
    while len(seen) < 6:  # of which each is a quarter of the lease later: more than a whole lease has gone by
        seen |= set(await renewals(world))
    assert (await projecting(world, engine, lease_seconds=LEASE).project(world.access)).busy
    engine.may.set()
    assert (await working).changes == 1
    assert not engine.cut_off


async def test_a_worker_whose_lease_was_taken_stops_what_it_applies(world: World, database: Database) -> None:
    await world.say(says("Acme", "founded by", "Ada"))
    engine = SlowEngine()
    working = asyncio.create_task(projecting(world, engine, lease_seconds=LEASE).project(world.access))
    await engine.asked.wait()
    administrator = await asyncpg.connect(database.administrator)
    await administrator.execute(
        "UPDATE assay.projections SET lease_holder = gen_random_uuid(), lease_until = 'infinity'"
    )
    await administrator.close()
    assert (await working).busy
    assert engine.cut_off
