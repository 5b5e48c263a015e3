"""Usage of paid models and the monthly limit over HTTP."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from uuid import UUID

import asyncpg
import pytest

from adapters.postgres.usage_meter import PostgresUsageMeter
from domain.errors import BudgetExhausted
from domain.identity.ids import GroupId, OrganizationId
from domain.ports.usage import UsageEntry
from tests.entrypoints.api.conftest import Tenant
from tests.services.database import Database


async def spend(pool: asyncpg.Pool, tenant: Tenant, model: str, at: datetime) -> None:
    organization = OrganizationId(UUID(tenant.id))
    root = "SELECT group_id FROM scopes WHERE organization_id = $1 AND kind = 'organization'"
    group = GroupId(await pool.fetchval(root, organization))
    await PostgresUsageMeter(pool).record(UsageEntry(organization, group, "extraction", model, 1_000, 500, 1, at))


@pytest.fixture
async def priced(database: Database) -> asyncpg.Pool:
    pool = await asyncpg.create_pool(database.administrator, server_settings={"search_path": "assay,public"})
    await pool.execute("INSERT INTO model_prices VALUES ('large', 2000000, 4000000)")
    return pool


async def test_usage_is_shown_by_day_and_the_limit_stops_the_next_call(
    acme: Tenant, other: Tenant, priced: asyncpg.Pool
) -> None:
    now = datetime.now(UTC)
    await spend(priced, acme, "large", now)
    await spend(priced, acme, "large", now)
    await spend(priced, acme, "small", now - timedelta(days=40))
    shown = (await acme.get("/v1/usage")).json()
    assert shown["days"] == [
        {
            "day": now.date().isoformat(), "scope": "organization", "role": "extraction", "model": "large", "calls": 2,
            "requests": 2, "texts": 0, "input_tokens": 2_000, "output_tokens": 1_000, "price": 0.008,
        }
    ]  # fmt: skip
    assert shown["spending"] == {"spent": 0.008, "limit": None}
    earlier = (await acme.get("/v1/usage", since=(now - timedelta(days=60)).date().isoformat())).json()
    assert [day["model"] for day in earlier["days"]] == ["large", "small"]
    limited = await acme.post("/v1/usage/limit", {"limit": 0.008})
    assert limited.json() == {"spent": 0.008, "limit": 0.008}, limited.text
    with pytest.raises(BudgetExhausted):
        await PostgresUsageMeter(priced).check(OrganizationId(UUID(acme.id)))
    assert (await acme.post("/v1/usage/limit", {"limit": None})).json()["limit"] is None
    await PostgresUsageMeter(priced).check(OrganizationId(UUID(acme.id)))
    rates = {"principal_units": 120_000, "organization_units": 600_000}
    nothing = {"days": [], "spending": {"spent": 0.0, "limit": None}, "budgets": [], "rates": rates}
    assert (await other.get("/v1/usage")).json() == nothing
    kinds = [change["kind"] for change in (await acme.get("/v1/changes")).json()["items"]]
    assert kinds.count("set_monthly_limit") == 2
    await priced.close()


async def test_a_limit_that_cannot_be_is_refused(acme: Tenant) -> None:
    for wish, field in (({"limit": -1}, "limit"), ({"limit": "much"}, "limit"), ({}, "limit")):
        answer = await acme.post("/v1/usage/limit", wish)
        assert answer.status_code == 422, answer.text
        assert answer.json()["field"] == field
    assert (await acme.get("/v1/usage", since="yesterday")).status_code == 422
