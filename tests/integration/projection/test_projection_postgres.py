"""The engine that reads the record itself is always where the record is."""

from __future__ import annotations

import asyncpg
import pytest

from adapters.postgres.memory_engine import PostgresMemoryEngine
from tests.contracts.projection_contract import ProjectionContract
from tests.integration.projection.changes import says
from tests.integration.projection.projecting import Projecting
from tests.services.world import World

pytestmark = pytest.mark.services


class TestPostgresProjection(ProjectionContract):
    @pytest.fixture
    def engine(self, pool: asyncpg.Pool) -> PostgresMemoryEngine:
        return PostgresMemoryEngine(pool)

    async def test_its_watermark_is_the_head_after_a_catch_up(self, world: World, follow: Projecting) -> None:
        await world.say(says("Acme", "founded by", "Ada"))
        await follow.project(world.access)
        (only,) = await follow.feed.generations(world.access, "postgres")
        assert only.watermark == await follow.feed.head(world.access)
        assert (await follow.verify(world.access, deep=True)).whole
