"""Health, metrics, changes and dead letters over HTTP."""

from __future__ import annotations

import httpx

from tests.entrypoints.api.conftest import Tenant


async def test_health_readiness_and_metrics_need_no_key(anonymous: httpx.AsyncClient) -> None:
    assert (await anonymous.get("/health")).json() == {"state": "ok"}
    ready = (await anonymous.get("/readiness")).json()
    assert ready["state"] == "ready"
    assert [s["name"] for s in ready["services"]] == ["database", "objects", "graph"]
    text = (await anonymous.get("/metrics")).text
    assert 'assay_http_requests_total{method="GET",route="/readiness",status="200"} 1.0' in text
    assert 'assay_lag_revisions{projection="graph"}' in text


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
