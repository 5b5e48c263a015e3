"""Secrets, personal data, tainted facts and fetched pages over HTTP."""

from __future__ import annotations

import httpx

from entrypoints.application import Application
from tests.entrypoints.api.conftest import Tenant, client_of
from tests.entrypoints.api.test_ingestion import work_off

CARD = "4111 1111 1111 1111"


async def key_of(tenant: Tenant, role: str, kind: str = "human") -> str:
    """A key of somebody new with a role in the organization."""
    made = await tenant.post("/v1/principals", {"name": f"a {role}", "kind": kind, "role": role})
    assert made.status_code == 201, made.text
    issued = await tenant.post("/v1/api-keys", {"name": "test", "principal_id": made.json()["id"], "role": role})
    assert issued.status_code == 201, issued.text
    key = issued.json()["key"]
    assert isinstance(key, str)
    return key


async def test_an_administrator_says_what_becomes_of_secrets_and_the_document_says_what_was_found(
    running: Application, acme: Tenant, other: Tenant, transport: httpx.ASGITransport
) -> None:
    changed = await acme.client.put("/v1/sensitive", json={"treatments": {"email": "redact"}})
    assert changed.status_code == 200, changed.text
    told = changed.json()
    assert (told["stated"], told["in_force"]["email"], told["in_force"]["phone"]) == (
        {"email": "redact"},
        "redact",
        "allow",
    )
    assert (await acme.get("/v1/sensitive")).json() == told
    assert (await other.get("/v1/sensitive")).json()["stated"] == {}
    wrong = await acme.client.put("/v1/sensitive", json={"treatments": {"email": "hide"}})
    assert wrong.status_code == 422
    async with client_of(transport, await key_of(acme, "curator")) as curator:
        assert (await curator.put("/v1/sensitive", json={"treatments": {}})).status_code == 403
    body = {"record_key": "a.txt", "text": f"Northgate pays with {CARD}; mail anna@cangbien.vn."}
    receipt = (await acme.post("/v1/documents", body)).json()
    assert receipt["notes"]["screening"] == {"found": {"card": 1, "email": 1}}
    await work_off(running, acme, receipt)
    text = (await acme.get(f"/v1/versions/{receipt['version_id']}/text")).json()["text"]
    assert text == "Northgate pays with [card]•••••••••••••; mail [email]•••••••••."
    document = (await acme.get(f"/v1/documents/{receipt['document_id']}")).json()["versions"][0]
    assert document["screening"]["found"] == {"card": 1, "email": 1}
    original = f"/v1/documents/{receipt['document_id']}/original"
    assert CARD in (await acme.get(original)).text
    async with client_of(transport, await key_of(acme, "member")) as member:
        refused = await member.get(original)
    assert refused.status_code == 403
    assert CARD not in refused.text


async def test_a_page_is_fetched_only_where_hosts_are_allowed(acme: Tenant) -> None:
    for url in ("https://harbour.io/", "http://127.0.0.1/", "http://2130706433/"):
        answer = await acme.post("/v1/documents/fetch", {"url": url})
        assert (answer.status_code, answer.json()["code"]) == (422, "address_refused")


async def test_a_fact_that_only_an_agent_speaks_for_is_tainted_in_every_read_and_kept_out_on_request(
    acme: Tenant, transport: httpx.ASGITransport
) -> None:
    statement = {"subject": "Northgate", "predicate": "headquartered in", "object": {"entity": "Lyon", "kind": "place"}}
    async with client_of(transport, await key_of(acme, "curator", "agent")) as agent:
        said = await agent.post("/v1/assertions", json={"statements": [statement]})
    assert said.status_code in (200, 201), said.text
    waiting = {"subject": "Northgate", "lifecycle": "proposed"}
    (fact,) = (await acme.get("/v1/facts", **waiting)).json()["items"]
    assert (fact["tainted"], fact["flags"]) == (True, [])
    assert (await acme.get("/v1/facts", **waiting, untainted=True)).json()["items"] == []
    assert (await acme.get(f"/v1/facts/{fact['id']}/explanation")).json()["tainted"] is True
    (assertion,) = (await acme.get("/v1/assertions/waiting")).json()["items"]
    decided = {"ids": [assertion["assertion_id"]], "approve": True}
    done = await acme.post("/v1/assertions/decide", decided)
    assert done.status_code == 200, done.text
    (fact,) = (await acme.get("/v1/facts", subject="Northgate")).json()["items"]
    assert fact["tainted"] is False
    found = (await acme.post("/v1/search", {"query": "Northgate", "filter": {"untainted": True}})).json()
    assert [hit["fact"]["tainted"] for hit in found["hits"]] == [False]
