"""A write that is sent again under its idempotency key is done once."""

from __future__ import annotations

import asyncio

import httpx

from entrypoints.api.app import create_api
from entrypoints.api.replay import SECRET_ANSWERS
from entrypoints.application import Application
from tests.entrypoints.api.conftest import Tenant


async def send(tenant: Tenant, key: str, body: object, path: str = "/v1/workspaces") -> httpx.Response:
    return await tenant.client.post(path, json=body, headers={"Idempotency-Key": key})


async def test_the_same_request_gets_the_same_answer(acme: Tenant) -> None:
    first = await send(acme, "k1", {"name": "sales"})
    again = await send(acme, "k1", {"name": "sales"})
    assert first.status_code == again.status_code == 201
    assert again.json() == first.json()
    assert ("idempotent-replayed" in first.headers, again.headers["idempotent-replayed"]) == (False, "true")
    assert again.headers["x-request-id"] != first.headers["x-request-id"]
    assert len((await acme.get("/v1/workspaces")).json()["items"]) == 1


async def test_another_request_under_the_key_is_refused(acme: Tenant, other: Tenant) -> None:
    await send(acme, "k1", {"name": "sales"})
    refused = await send(acme, "k1", {"name": "legal"})
    assert (refused.status_code, refused.json()["code"]) == (409, "idempotency_key_reused")
    assert (await send(other, "k1", {"name": "legal"})).status_code == 201
    assert [w["path"] for w in (await acme.get("/v1/workspaces")).json()["items"]] == ["sales"]


async def test_a_request_that_failed_leaves_its_key_free(acme: Tenant) -> None:
    refused = await send(acme, "k1", {"name": "a b"})
    assert (refused.status_code, refused.json()["field"]) == (422, "name")
    assert (await send(acme, "k1", {"name": "ab"})).status_code == 201


async def test_at_the_same_moment_it_is_done_once(acme: Tenant) -> None:
    said = {"statements": [{"subject": "Acme", "predicate": "FOUNDED_BY", "object": "Ada"}]}
    answers = await asyncio.gather(*(send(acme, "k1", said, "/v1/assertions") for _ in range(5)))
    assert {a.status_code for a in answers} <= {201, 409}
    assert {a.json()["code"] for a in answers if a.status_code == 409} <= {"still_at_work"}
    assert len({a.text for a in answers if a.status_code == 201}) == 1
    assert next(a.json()["merged"] for a in answers if a.status_code == 201) == 0


async def test_the_header_is_refused_where_it_cannot_be_kept(acme: Tenant) -> None:
    wish = {"principal_id": acme.owner_id, "name": "spare", "role": "viewer"}
    refused = await send(acme, "k1", wish, "/v1/api-keys")
    assert (refused.status_code, refused.json()["field"]) == (422, "Idempotency-Key")
    key = (await acme.get("/v1/api-keys")).json()["items"][0]["id"]
    refused = await send(acme, "k1", {}, f"/v1/api-keys/{key}/rotate")
    assert (refused.status_code, refused.json()["field"]) == (422, "Idempotency-Key")
    assert (await send(acme, "", {"name": "x"})).json()["field"] == "Idempotency-Key"
    stream = await acme.client.post(
        "/v1/triples?name=x", content=b"", headers={"Idempotency-Key": "k", "Content-Type": "application/x-ndjson"}
    )
    assert (stream.status_code, stream.json()["field"]) == (422, "Idempotency-Key")


async def test_no_answer_that_holds_a_key_is_kept(running: Application) -> None:
    document = create_api(running, running.settings).openapi_schema.to_schema()
    schemas = document["components"]["schemas"]
    holding = {name for name, schema in schemas.items() if {"key", "secret"} & schema.get("properties", {}).keys()}
    held = {
        path
        for path, operations in document["paths"].items()
        for operation in operations.values()
        for status, response in operation.get("responses", {}).items()
        if status.startswith("2") and any(f"schemas/{name}'" in str(response) for name in holding)
    }
    assert held == SECRET_ANSWERS


async def test_the_header_lets_nobody_in(anonymous: httpx.AsyncClient) -> None:
    answer = await anonymous.post("/v1/workspaces", json={"name": "x"}, headers={"Idempotency-Key": "k"})
    assert answer.status_code == 401
