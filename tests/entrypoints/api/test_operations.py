"""Health, metrics, changes and dead letters over HTTP."""

from __future__ import annotations

from dataclasses import replace

import httpx
import pytest

from entrypoints.api.app import create_api
from entrypoints.application import Application
from entrypoints.sections.serving import ApiSettings
from tests.entrypoints.api.conftest import METRICS_KEY, OPERATOR_KEY, Tenant, client_of, transport_of


@pytest.fixture
def transport(running: Application) -> httpx.ASGITransport:
    """An API of the test's own, whose metrics begin at zero."""
    return transport_of(create_api(running, running.settings))


async def test_health_and_readiness_need_no_key(anonymous: httpx.AsyncClient) -> None:
    assert (await anonymous.get("/health")).json() == {"state": "ok"}
    ready = (await anonymous.get("/readiness")).json()
    assert ready["state"] == "ready"
    assert [s["name"] for s in ready["services"]] == ["database", "objects", "graph"]


async def test_metrics_are_for_the_keys_of_the_installation(
    running: Application, transport: httpx.ASGITransport, anonymous: httpx.AsyncClient, acme: Tenant
) -> None:
    assert (await anonymous.get("/metrics")).status_code == 401
    assert (await acme.get("/metrics")).status_code == 401
    await anonymous.get("/readiness")
    for key in (OPERATOR_KEY, METRICS_KEY):
        async with client_of(transport, key) as client:
            text = (await client.get("/metrics")).text
        assert 'assay_http_requests_total{method="GET",route="/readiness",status="200"} 1.0' in text
        assert 'assay_lag_revisions{projection="graph"}' in text
    async with client_of(transport, METRICS_KEY) as client:
        assert (await client.post("/v1/organizations", json={"name": "A", "owner": "B"})).status_code == 401


async def test_without_a_key_for_them_metrics_are_shown_to_nobody(running: Application) -> None:
    settings = running.settings.model_copy(update={"api": ApiSettings(allowed_hosts=("assay.test",))})
    bare = transport_of(create_api(replace(running, settings=settings), settings))
    async with client_of(bare, OPERATOR_KEY) as client:
        answer = await client.get("/metrics")
    assert answer.status_code == 403
    assert "set ASSAY_API__METRICS_KEY" in answer.json()["detail"]


async def test_the_routes_are_documented(anonymous: httpx.AsyncClient) -> None:
    document = (await anonymous.get("/v1/openapi.json")).json()
    assert document["components"]["securitySchemes"]["key"]["scheme"] == "bearer"
    assert {"/v1/workspaces", "/v1/api-keys", "/v1/changes"} <= set(document["paths"])


async def test_changes_are_read_from_a_revision_on(acme: Tenant, other: Tenant) -> None:
    await acme.post("/v1/workspaces", {"name": "sales"})
    await other.post("/v1/workspaces", {"name": "legal"})
    first = (await acme.get("/v1/changes", limit=1)).json()
    assert [(m["revision"], m["kind"]) for m in first["items"]] == [(1, "create_organization")]
    rest = (await acme.get("/v1/changes", since=first["next"])).json()
    assert [(m["revision"], m["kind"]) for m in rest["items"]] == [(2, "create_workspace")]
    assert (await acme.get("/v1/revision")).json()["head"] == 2


async def test_dead_letters_of_nobody(acme: Tenant) -> None:
    assert (await acme.get("/v1/jobs/dead-letters")).json() == {"items": [], "next": None}
    assert (await acme.post("/v1/jobs/retry", {"ids": [1]})).status_code == 404
    assert (await acme.post("/v1/jobs/retry", {"ids": []})).json()["field"] == "ids"
    assert (await acme.get("/v1/jobs/dead-letters", cursor="nonsense")).json()["field"] == "cursor"
