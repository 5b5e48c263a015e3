"""Model calls are priced and limited; votes replace one another and stay in the tenant."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta, timezone
from uuid import uuid4

import asyncpg
import httpx
import pytest

from adapters.embeddings.caching import CachingEmbedder, RecentVectors
from adapters.embeddings.openai import OpenAIEmbedder
from adapters.inmemory.language_model import InMemoryLanguageModel
from adapters.postgres.usage_meter import PostgresUsageMeter
from adapters.reranking.language_model import LanguageModelReranker
from adapters.system.clock import SystemClock
from application.knowledge.give_feedback import GiveFeedback
from application.models.metering import MeteredEmbedder, MeteredLanguageModel, embedder_for
from application.models.replies import Answer
from domain.errors import BudgetExhausted, NotFound
from domain.identity.ids import FactId
from domain.knowledge.assertion import Claim, Mention
from domain.ports.usage import UsageEntry
from tests.contracts.model_server import Reply, impatient_chain, model_server
from tests.services.database import Database
from tests.services.world import World


async def test_a_used_up_month_stops_the_next_call(world: World) -> None:
    meter = PostgresUsageMeter(world.pool)
    organization = world.access.organization_id
    async with world.pool.acquire() as connection, connection.transaction():
        await connection.execute("SELECT enter_tenant($1, '')", organization)
        await connection.execute("UPDATE organizations SET monthly_model_limit_micros = 0")
    with pytest.raises(BudgetExhausted, match="used up"):
        await meter.check(organization)


async def test_calls_are_counted_by_role_model_and_day_with_what_they_cost(world: World, database: Database) -> None:
    administrator = await asyncpg.connect(database.administrator)
    await administrator.execute("INSERT INTO assay.model_prices VALUES ('m', 2000000, 10000000)")
    await administrator.close()
    meter, tenant = PostgresUsageMeter(world.pool), (world.access.organization_id, world.access.write_scope)
    late = datetime(2026, 3, 31, 23, 30, tzinfo=timezone(timedelta(hours=-5)))
    for role, model, at in (
        ("extraction", "m", datetime(2026, 3, 31, 23, 30, tzinfo=UTC)),
        ("extraction", "m", datetime(2026, 3, 31, 1, 0, tzinfo=UTC)),
        ("extraction", "m", late),
        ("embedding", "free", late),
    ):
        await meter.record(UsageEntry(*tenant, role, model, 100, 20, 3, at, texts=5))
    rows = await world.rows(
        """SELECT day::text, role, model, calls, requests, texts, input_tokens, output_tokens, price_micros
           FROM usage ORDER BY day, role"""
    )
    assert [tuple(r) for r in rows] == [
        ("2026-03-31", "extraction", "m", 2, 6, 10, 200, 40, 800),
        ("2026-04-01", "embedding", "free", 1, 3, 5, 100, 20, 0),
        ("2026-04-01", "extraction", "m", 1, 3, 5, 100, 20, 400),
    ]


async def test_embeddings_and_reranking_spend_the_same_limit_as_other_models(world: World, database: Database) -> None:
    administrator = await asyncpg.connect(database.administrator)
    await administrator.execute("INSERT INTO assay.model_prices VALUES ('m', 1000000, 0), ('judge', 1000000, 0)")
    await administrator.execute("UPDATE assay.organizations SET monthly_model_limit_micros = 9")
    await administrator.close()
    meter, clock = PostgresUsageMeter(world.pool), SystemClock()
    judge = MeteredLanguageModel(
        InMemoryLanguageModel([Answer('{"relevances": [10]}', "judge", 2, 1)]), meter, clock.now
    )
    async with model_server() as server, httpx.AsyncClient(base_url=server.url) as client:
        counted = {"data": [{"index": 0, "embedding": [1, 0]}], "usage": {"prompt_tokens": 7}}
        server.will_reply(Reply(counted))
        paid, recent = OpenAIEmbedder(client, impatient_chain(), model="m", dimension=2), RecentVectors()
        metered = MeteredEmbedder(
            paid, meter, clock.now, lambda inner, whose: CachingEmbedder(inner, recent, whose=whose)
        )
        embedder = embedder_for(world.access, metered)
        await embedder.embed_queries(["who"])
        scores = await LanguageModelReranker(judge).score(
            "who", ["Ada"], organization_id=world.access.organization_id, group_id=world.access.write_scope
        )
        assert scores == [1.0]
        rows = await world.rows("SELECT role, model, calls, input_tokens, price_micros FROM usage ORDER BY role")
        assert [tuple(r) for r in rows] == [("embedding", "m", 1, 7, 7), ("rerank", "judge", 1, 2, 2)]
        with pytest.raises(BudgetExhausted, match="used up"):
            await embedder.embed_queries(["what"])
        with pytest.raises(BudgetExhausted, match="used up"):
            await LanguageModelReranker(judge).score(
                "who", ["Ada"], organization_id=world.access.organization_id, group_id=world.access.write_scope
            )
        await embedder.embed_queries(["who"])
        assert len(server.received) == 1


async def test_a_second_vote_replaces_the_first_and_a_foreign_fact_is_not_found(world: World) -> None:
    placed = (await world.say(Claim(Mention("Acme"), "founded by", Mention("Ada"), 1.0))).placed
    fact = next(iter(placed.values()))
    give = GiveFeedback(world.unit_of_work)
    await give(world.access, fact, True, "who founded acme", {"relevance": 1.0})
    await give(world.access, fact, False)
    assert [tuple(r) for r in await world.rows("SELECT helpful FROM feedback")] == [(False,)]
    with pytest.raises(NotFound, match="no fact"):
        await give(world.access, FactId(uuid4()), True)
