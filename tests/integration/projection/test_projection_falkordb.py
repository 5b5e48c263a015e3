"""The graph on FalkorDB follows the record."""

from __future__ import annotations

import os
import signal
from collections.abc import AsyncIterator
from pathlib import Path

import pytest
from valkey import Valkey

from adapters.embedded.falkordb import EmbeddedFalkorDB
from adapters.embedded.resp_server import RespAddress
from adapters.graphiti.falkordb_engine import FalkorDBMemoryEngine
from adapters.graphiti.schema import graph_name
from tests.contracts.projection_contract import ProjectedEngineContract, recorded
from tests.integration.projection.changes import says
from tests.integration.projection.projecting import projecting
from tests.services.world import World

pytestmark = pytest.mark.services


class TestFalkorDBProjection(ProjectedEngineContract):
    @pytest.fixture
    async def engine(self, falkordb_server: RespAddress) -> AsyncIterator[FalkorDBMemoryEngine]:
        engine = FalkorDBMemoryEngine.at(falkordb_server.url)
        yield engine
        await engine.aclose()


async def test_a_killed_falkordb_comes_back_with_its_snapshot_and_catches_up_with_the_record(
    world: World, tmp_path: Path
) -> None:
    server = EmbeddedFalkorDB(tmp_path / "graph")
    address = server.start()
    engine = FalkorDBMemoryEngine.at(address.url)
    follow = projecting(world, engine)
    organization = world.access.organization_id
    await world.say(*(says("Hub", "depends on", f"Part {n}") for n in range(20)))
    await follow.project(world.access)
    with Valkey.from_url(address.url) as client:
        client.save()
    await world.say(*(says("Hub", "depends on", f"Part {n}") for n in range(20, 25)), source="later")
    head = (await follow.project(world.access)).watermark
    running = server.running()
    assert running is not None
    os.kill(running.pid, signal.SIGKILL)
    assert server.start() == address
    assert (await engine.watermark(organization) or 0) < head
    outcome = await follow.project(world.access)
    assert (outcome.watermark, outcome.changes, outcome.rebuilt) == (head, 5, False)
    assert await engine.digest(organization) == await recorded(world)
    await engine.aclose()
    server.stop()


async def test_a_graph_that_does_not_say_how_far_it_has_come_is_fed_again(
    world: World, falkordb_server: RespAddress
) -> None:
    engine = FalkorDBMemoryEngine.at(falkordb_server.url)
    follow, organization = projecting(world, engine), world.access.organization_id
    await world.say(says("Acme", "founded by", "Ada"))
    head = (await follow.project(world.access)).watermark
    await engine._driver.write(graph_name(organization), "MATCH (g:Generation) SET g.watermark = NULL")
    assert await engine.watermark(organization) == 0
    outcome = await follow.project(world.access)
    assert (outcome.watermark, outcome.changes, outcome.rebuilt) == (head, 1, False)
    assert await engine.watermark(organization) == head
    await engine.aclose()
