"""Organizations, scopes, people and keys over HTTP."""

from __future__ import annotations

from uuid import UUID

import httpx

from tests.entrypoints.api.conftest import Tenant, client_of


async def test_an_organization_needs_the_operators_key(acme: Tenant) -> None:
    answer = await acme.post("/v1/organizations", {"name": "X", "owner": "Y"})
    assert (answer.status_code, answer.json()["code"]) == (401, "not_authenticated")
    assert (await acme.get("/v1/organizations/current")).json() == {"id": acme.id, "name": "Acme", "gate": "by_tier"}


async def test_workspaces_and_projects_are_made_and_listed(acme: Tenant, other: Tenant) -> None:
    made = await acme.post("/v1/workspaces", {"name": "Sales"})
    assert made.status_code == 201
    assert (made.json()["kind"], made.json()["path"]) == ("workspace", "sales")
    project = await acme.post("/v1/projects", {"workspace": "sales", "name": "q3"})
    assert project.json()["path"] == "sales/q3"
    elsewhere = await acme.post("/v1/workspaces", {"name": "q4"}, scope="sales")
    assert (elsewhere.status_code, elsewhere.json()["field"]) == (422, "scope")
    assert "make a project with POST /v1/projects" in elsewhere.json()["detail"]
    assert [s["path"] for s in (await acme.get("/v1/workspaces")).json()["items"]] == ["sales"]
    assert [s["path"] for s in (await acme.get("/v1/projects")).json()["items"]] == ["sales/q3"]
    assert (await acme.post("/v1/workspaces", {"name": "SALES"})).status_code == 409
    assert (await other.get("/v1/projects")).json() == {"items": []}


async def test_foreign_and_unknown_scopes_give_the_same_answer(acme: Tenant, other: Tenant) -> None:
    await other.post("/v1/workspaces", {"name": "secret"})
    answers = []
    for scope in ("secret", "nothing"):
        answer = await acme.get("/v1/principals", scope=scope)
        body = answer.json()
        body.pop("request_id")
        answers.append((answer.status_code, str(body).replace(scope, "…")))
    assert answers[0] == answers[1]
    assert answers[0][0] == 404
    assert (await acme.post("/v1/projects", {"workspace": "secret", "name": "mine"})).status_code == 404


async def test_an_agent_gets_a_key_of_a_workspace_and_loses_it(acme: Tenant, transport: httpx.ASGITransport) -> None:
    await acme.post("/v1/workspaces", {"name": "sales"})
    agent = (await acme.post("/v1/principals", {"name": "bot", "kind": "agent"}, scope="sales")).json()
    wish = {"principal_id": agent["id"], "name": "bot's", "role": "member"}
    assert (await acme.post("/v1/api-keys", wish)).json()["field"] == "role"
    issued = (await acme.post("/v1/api-keys", wish, scope="sales")).json()
    assert issued["key"].startswith(issued["prefix"])
    async with client_of(transport, issued["key"]) as bot:
        assert [s["path"] for s in (await bot.get("/v1/workspaces")).json()["items"]] == ["sales"]
        assert (await bot.get("/v1/workspaces?scope=organization")).status_code == 404
        refused = await bot.post("/v1/workspaces", json={"name": "mine"})
        assert (refused.status_code, refused.json()["code"]) == (403, "forbidden")
        assert [k["id"] for k in (await bot.get("/v1/api-keys")).json()["items"]] == [issued["id"]]
    listed = (await acme.get("/v1/api-keys")).json()["items"]
    assert [(k["scope"], k["role"]) for k in listed] == [("sales", "member"), ("organization", "owner")]
    assert all("key_hash" not in k and "key" not in k for k in listed)
    assert (await acme.client.delete(f"/v1/api-keys/{issued['id']}")).json()["revision"] > 0
    assert (await acme.client.delete(f"/v1/api-keys/{issued['id']}")).json() == {"revision": None}


async def test_memberships_are_set_and_listed(acme: Tenant, other: Tenant) -> None:
    person = (await acme.post("/v1/principals", {"name": "Max", "kind": "human", "role": "viewer"})).json()["id"]
    changed = await acme.client.put("/v1/memberships", json={"principal_id": person, "role": "curator"})
    assert changed.status_code == 200
    listed = (await acme.get("/v1/memberships")).json()["items"]
    assert [(m["principal_name"], m["scope"], m["role"]) for m in listed] == [
        ("Max", "organization", "curator"), ("Olga", "organization", "owner"),
    ]  # fmt: skip
    for foreign in (other.owner_id, str(UUID(int=7))):
        answer = await acme.client.put("/v1/memberships", json={"principal_id": foreign, "role": "viewer"})
        assert (answer.status_code, answer.json()["field"]) == (404, "principal_id")


async def test_a_foreign_key_reads_as_an_unknown_one(acme: Tenant, other: Tenant) -> None:
    theirs = (await other.get("/v1/api-keys")).json()["items"][0]["id"]
    for foreign in (theirs, str(UUID(int=7))):
        answer = await acme.client.delete(f"/v1/api-keys/{foreign}")
        assert answer.status_code == 404
        assert answer.json()["detail"] == f"there is no API key {foreign} here"
