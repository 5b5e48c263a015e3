"""Budgets of organizations and workspaces, and rates of an organization, over HTTP."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import Any
from uuid import UUID

import asyncpg
import httpx
import pytest

from adapters.postgres.usage_meter import PostgresUsageMeter
from domain.errors import BudgetExhausted
from domain.identity.ids import GroupId, OrganizationId
from domain.ports.usage import UsageEntry
from tests.entrypoints.api.conftest import Tenant
from tests.services.database import Database


async def put(tenant: Tenant, **wish: Any) -> httpx.Response:
    return await tenant.client.put("/v1/usage/quotas", json=wish)


async def assert_one(tenant: Tenant, about: str, **parameters: Any) -> httpx.Response:
    statement = {"subject": "Ada", "predicate": "knows", "object": about}
    return await tenant.post("/v1/assertions", {"statements": [statement]}, **parameters)


async def test_assertions_beyond_the_budget_of_a_workspace_are_refused_and_none_is_kept(acme: Tenant) -> None:
    assert (await acme.post("/v1/workspaces", {"name": "small"})).status_code == 201
    assert (await assert_one(acme, "Bob", scope="small")).status_code in {200, 201}
    answer = await put(acme, workspace="small", assertions=1)
    assert answer.json() == {
        "budgets": [{"scope": "workspace", "what": "assertions", "budget": 1.0, "used": 1.0, "remaining": 0.0}],
        "rates": {"principal_units": 120_000, "organization_units": 600_000},
    }, answer.text
    refused = await assert_one(acme, "Cyd", scope="small")
    assert (refused.status_code, refused.json()["code"]) == (429, "storage_budget_exhausted")
    assert refused.json()["detail"].startswith("the budget of 1 for assertions would be passed; nothing was kept")
    assert (await assert_one(acme, "Cyd")).status_code in {200, 201}
    facts = (await acme.get("/v1/facts", subject="Ada", scope="small", within="workspace")).json()
    assert [fact["object"]["name"] for fact in facts["items"]] == ["Bob"]


async def test_an_artifact_beyond_the_budget_is_refused_before_it_is_stored(acme: Tenant, other: Tenant) -> None:
    assert (await put(acme, artifact_bytes=20)).status_code == 200
    wish = {"record_key": "a.txt", "text": "twenty bytes and more"}
    refused = await acme.post("/v1/documents", wish)
    assert (refused.status_code, refused.json()["code"]) == (429, "storage_budget_exhausted")
    assert "retry-after" not in refused.headers
    assert (await acme.get("/v1/documents")).json()["items"] == []
    assert (await acme.post("/v1/documents", wish | {"text": "few"})).status_code == 202
    (line,) = (await acme.get("/v1/usage")).json()["budgets"]
    assert line == {"scope": "organization", "what": "artifact_bytes", "budget": 20.0, "used": 3.0, "remaining": 17.0}
    assert (await other.post("/v1/documents", wish)).status_code == 202
    assert (await other.get("/v1/usage")).json()["budgets"] == []


async def test_a_workspaces_models_stop_and_the_others_go_on(acme: Tenant, database: Database) -> None:
    assert (await acme.post("/v1/workspaces", {"name": "dear"})).status_code == 201
    assert (await put(acme, workspace="dear", monthly_model_limit=0.5)).status_code == 200
    organization = OrganizationId(UUID(acme.id))
    administrator = await asyncpg.create_pool(database.administrator, server_settings={"search_path": "assay,public"})
    query = "SELECT kind, group_id FROM scopes WHERE organization_id = $1 AND kind <> 'personal'"
    groups = {row["kind"]: row["group_id"] for row in await administrator.fetch(query, organization)}
    await administrator.execute("INSERT INTO model_prices VALUES ('dear', 1000000, 0) ON CONFLICT DO NOTHING")
    meter, now = PostgresUsageMeter(administrator), datetime.now(UTC)
    workspace, root = GroupId(groups["workspace"]), GroupId(groups["organization"])
    await meter.check(organization, workspace)
    await meter.record(UsageEntry(organization, workspace, "extraction", "dear", 600_000, 0, 1, now))
    with pytest.raises(BudgetExhausted, match=r"limit of this workspace for model calls is used up \(0.60 of 0.50\)"):
        await meter.check(organization, workspace)
    await meter.check(organization, root)
    await administrator.close()


@pytest.mark.parametrize(
    ("wish", "field"),
    [
        ({"principal_units": 120_001}, "principal_units"),
        ({"organization_units": 0}, "organization_units"),
        ({"workspace": "room", "principal_units": 5}, "principal_units"),
        ({"monthly_model_limit": 1}, "monthly_model_limit"),
    ],
)
async def test_what_cannot_be_set_is_refused(acme: Tenant, wish: dict[str, Any], field: str) -> None:
    await acme.post("/v1/workspaces", {"name": "room"})
    answer = await put(acme, **wish)
    assert (answer.status_code, answer.json()["field"]) == (422, field)


async def test_a_rate_under_which_the_dearest_request_never_passes_is_refused_with_the_least(acme: Tenant) -> None:
    for name in ("principal_units", "organization_units"):
        answer = await put(acme, **{name: 9})
        said = "it is at least 10, which the dearest request costs; with 9 that would never pass"
        assert (answer.status_code, answer.json()["field"], answer.json()["detail"]) == (422, name, said)
    assert (await acme.get("/v1/usage")).json()["rates"]["principal_units"] == 120_000


async def test_an_organizations_own_rate_holds(acme: Tenant) -> None:
    answer = await put(acme, principal_units=10)
    assert (answer.status_code, answer.json()) == (
        200, {"budgets": [], "rates": {"principal_units": 10, "organization_units": 600_000}},
    )  # fmt: skip
    assert (await acme.get("/v1/usage")).json()["rates"] == answer.json()["rates"]
    # Remembered for ten seconds by each process; a new tenant's is not known yet to a process that never met it.
    changes = (await acme.get("/v1/changes")).json()["items"]
    assert [change["kind"] for change in changes].count("set_quotas") == 1
