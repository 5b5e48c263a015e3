"""Model calls are priced and limited; votes replace one another and stay in the tenant."""

from __future__ import annotations

from datetime import UTC, datetime
from uuid import uuid4

import pytest

from adapters.postgres.usage_meter import PostgresUsageMeter
from application.knowledge.give_feedback import GiveFeedback
from domain.errors import BudgetExhausted, NotFound
from domain.identity.ids import FactId
from domain.knowledge.assertion import Claim, Mention
from domain.ports.usage import UsageEntry
from tests.services.world import World


async def test_a_used_up_month_stops_the_next_call(world: World) -> None:
    meter = PostgresUsageMeter(world.pool)
    organization = world.access.organization_id
    async with world.pool.acquire() as connection, connection.transaction():
        await connection.execute("SELECT enter_tenant($1, '')", organization)
        await connection.execute("UPDATE organizations SET monthly_model_limit_micros = 0")
    with pytest.raises(BudgetExhausted, match="used up"):
        await meter.check(organization)


async def test_a_call_without_a_price_is_counted(world: World) -> None:
    meter = PostgresUsageMeter(world.pool)
    entry = UsageEntry(
        world.access.organization_id, world.access.write_scope, "extraction", "m", 100, 20, 1, datetime.now(UTC)
    )
    await meter.record(entry)
    await meter.check(world.access.organization_id)
    rows = await world.rows("SELECT input_tokens, output_tokens, price_micros FROM usage")
    assert [tuple(r) for r in rows] == [(100, 20, 0)]


async def test_a_second_vote_replaces_the_first_and_a_foreign_fact_is_not_found(world: World) -> None:
    placed = (await world.say(Claim(Mention("Acme"), "founded by", Mention("Ada"), 1.0))).placed
    fact = next(iter(placed.values()))
    give = GiveFeedback(world.unit_of_work)
    await give(world.access, fact, True, "who founded acme", {"relevance": 1.0})
    await give(world.access, fact, False)
    assert [tuple(r) for r in await world.rows("SELECT helpful FROM feedback")] == [(False,)]
    with pytest.raises(NotFound, match="no fact"):
        await give(world.access, FactId(uuid4()), True)
