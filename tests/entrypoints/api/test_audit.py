"""Whoever comes to the API is in the audit of its organization, with what became of it, without a word of content."""

from __future__ import annotations

import json
import re
from collections.abc import Sequence
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from typing import Any

import httpx
import pytest
from litestar.routes import HTTPRoute

from application.audit.recorder import Recorder
from application.audit.trail import AuditTrail
from domain.audit.line import AuditAction, AuditLine
from domain.errors import Unavailable
from entrypoints.api.app import create_api
from entrypoints.api.audited import EXPORTS, READS_BY_POST, action_of_route
from entrypoints.application import Application, AuditUseCases
from tests.entrypoints.api.conftest import Tenant, client_of, transport_of

SECRET = "Qwyjibo"


async def lines(running: Application, tenant: Tenant, **asked: Any) -> list[dict[str, Any]]:
    """The lines of a tenant, the oldest first."""
    await running.audit.trail.flush()
    found = await tenant.get("/v1/audit", **asked)
    assert found.status_code == 200, found.text
    return list(reversed(found.json()["items"]))


def told(found: list[dict[str, Any]]) -> list[tuple[str, str, str]]:
    return [(line["action"], line["what"], line["outcome"]) for line in found]


async def key_for(tenant: Tenant, role: str, **wish: Any) -> tuple[str, str]:
    """The id and text of a new key of the owner's."""
    body = {"principal_id": tenant.owner_id, "name": "k", "role": role, **wish}
    made = (await tenant.post("/v1/api-keys", body)).json()
    return made["id"], made["key"]


async def test_reads_and_writes_have_lines_with_ids_and_without_content(running: Application, acme: Tenant) -> None:
    written = await acme.post("/v1/memory", {"text": f"{SECRET} likes tea.", "kind": "claim"}, scope="personal")
    statement = {"subject": SECRET, "predicate": "depends on", "object": f"{SECRET} ledger"}
    asserted = await acme.post("/v1/assertions", {"statements": [statement]})
    assert asserted.status_code == 201, (written.text, asserted.text)
    assert (await acme.get("/v1/search", q=SECRET)).status_code == 200
    found = await lines(running, acme)
    assert told(found)[0] == ("administer", "POST /v1/organizations", "ok")
    assert ("sign_in", "POST /v1/memory", "ok") in told(found)
    assert ("write", "POST /v1/assertions", "ok") in told(found)
    assert ("read", "GET /v1/search", "ok") in told(found)
    write = next(line for line in found if line["what"] == "POST /v1/assertions")
    assert write["revision"] is not None
    assert (write["door"], write["scope"], write["principal_name"]) == ("api", "organization", "Olga")
    assert write["principal_id"] == acme.owner_id
    assert write["address"] == "127.0.0.1"
    assert SECRET not in json.dumps(found)


async def test_a_line_has_the_ids_of_its_route_and_the_request_id_of_its_answer(
    running: Application, acme: Tenant
) -> None:
    missing = "00000000-0000-7000-8000-000000000007"
    answer = await acme.get(f"/v1/facts/{missing}")
    (line,) = await lines(running, acme, outcome="not_found")
    assert line["what"] == "GET /v1/facts/{fact_id}"
    assert (line["outcome"], line["objects"]) == ("not_found", [missing])
    assert line["request_id"] == answer.headers["x-request-id"]


async def test_a_change_of_a_role_and_of_keys_is_administration_with_whom_it_was_about(
    running: Application, acme: Tenant
) -> None:
    agent = (await acme.post("/v1/principals", {"name": "Robot", "kind": "agent", "role": "member"})).json()["id"]
    assert (await acme.client.put("/v1/memberships", json={"principal_id": agent, "role": "curator"})).is_success
    key, _ = await key_for(acme, "viewer")
    await acme.client.delete(f"/v1/api-keys/{key}")
    found = await lines(running, acme, action="administer")
    assert [line["what"] for line in found] == [
        "POST /v1/organizations", "POST /v1/principals", "PUT /v1/memberships", "POST /v1/api-keys",
        "DELETE /v1/api-keys/{key_id}",
    ]  # fmt: skip
    assert agent in found[1]["objects"]
    assert agent in found[2]["objects"]
    assert key in found[3]["objects"]
    assert found[4]["objects"] == [key]


async def test_what_a_role_forbids_is_refused_and_says_so(
    running: Application, acme: Tenant, transport: httpx.ASGITransport
) -> None:
    key, text = await key_for(acme, "viewer")
    async with client_of(transport, text) as viewer:
        assert (await viewer.get("/v1/audit")).status_code == 403
        assert (await viewer.post("/v1/principals", json={"name": "X", "kind": "agent"})).status_code == 403
    refused = await lines(running, acme, action="refused")
    assert told(refused) == [("refused", "GET /v1/audit", "forbidden"), ("refused", "POST /v1/principals", "forbidden")]
    assert {line["connection_id"] for line in refused} == {key}
    assert told(await lines(running, acme, outcome="forbidden")) == told(refused)


async def test_the_first_use_of_a_key_in_an_hour_is_a_sign_in(
    running: Application, acme: Tenant, transport: httpx.ASGITransport
) -> None:
    key, text = await key_for(acme, "viewer")
    async with client_of(transport, text) as viewer:
        for _ in range(3):
            await viewer.get("/v1/sources")
    found = [line for line in await lines(running, acme) if line["connection_id"] == key]
    assert [line["action"] for line in found] == ["sign_in", "read", "read", "read"]


async def test_a_revoked_and_an_expired_key_are_failed_sign_ins_once_a_minute(
    running: Application, acme: Tenant, transport: httpx.ASGITransport, capsys: pytest.CaptureFixture[str]
) -> None:
    revoked, revoked_text = await key_for(acme, "viewer")
    await acme.client.delete(f"/v1/api-keys/{revoked}")
    for text in (revoked_text, "assay_" + "B" * 43):
        async with client_of(transport, text) as client:
            for _ in range(3):
                assert (await client.get("/v1/sources")).status_code == 401
    failed = await lines(running, acme, action="sign_in_failed")
    assert told(failed) == [("sign_in_failed", "GET /v1/sources", "not_authenticated")]
    assert failed[0]["connection_id"] == revoked


async def test_another_organization_sees_none_of_it(running: Application, acme: Tenant, other: Tenant) -> None:
    await acme.get("/v1/sources")
    assert all(line["principal_id"] == other.owner_id for line in await lines(running, other))
    mine = {line["id"] for line in await lines(running, acme)}
    assert not mine & {line["id"] for line in await lines(running, other)}


async def test_an_administrator_of_a_workspace_sees_the_lines_of_that_workspace_only(
    running: Application, acme: Tenant, transport: httpx.ASGITransport
) -> None:
    await acme.post("/v1/workspaces", {"name": "sales"})
    body = {"principal_id": acme.owner_id, "name": "k", "role": "admin"}
    text = (await acme.post("/v1/api-keys", body, scope="sales")).json()["key"]
    async with client_of(transport, text) as admin:
        await admin.get("/v1/sources")
        await running.audit.trail.flush()
        found = (await admin.get("/v1/audit")).json()["items"]
    assert {line["scope"] for line in found} == {"workspace"}
    assert ("read", "GET /v1/sources", "ok") in told(found)


async def test_work_in_a_personal_scope_is_entered_in_the_organization_s(running: Application, acme: Tenant) -> None:
    await acme.get("/v1/facts", subject=SECRET, scope="personal")
    found = [line for line in await lines(running, acme, action="read") if line["what"] == "GET /v1/facts"]
    assert [line["scope"] for line in found] == ["organization"]


async def test_pages_go_on_and_a_cursor_belongs_to_its_filter(running: Application, acme: Tenant) -> None:
    for _ in range(5):
        await acme.get("/v1/sources")
    await running.audit.trail.flush()
    first = (await acme.get("/v1/audit", action="read", limit=2)).json()
    rest = (await acme.get("/v1/audit", action="read", limit=200, cursor=first["next"])).json()
    assert len({line["id"] for line in [*first["items"], *rest["items"]]}) == len(first["items"]) + len(rest["items"])
    assert "next" not in rest or rest["next"] is None
    assert (await acme.get("/v1/audit", action="write", cursor=first["next"])).status_code == 422
    assert (await acme.get("/v1/audit", since="2026-01-01T00:00:00")).status_code == 422


async def test_an_export_is_json_lines_and_has_a_line_of_its_own(running: Application, acme: Tenant) -> None:
    await acme.get("/v1/sources")
    await running.audit.trail.flush()
    answer = await acme.get("/v1/audit/export", until=(datetime.now(UTC) + timedelta(hours=1)).isoformat())
    assert answer.headers["content-type"].startswith("application/x-ndjson")
    exported = [json.loads(line) for line in answer.text.splitlines()]
    assert exported[0]["what"] == "POST /v1/organizations"
    assert [line["at"] for line in exported] == sorted(line["at"] for line in exported)
    assert told(await lines(running, acme, action="export")) == [("export", "GET /v1/audit/export", "ok")]
    assert ("read", "GET /v1/audit", "ok") in told(await lines(running, acme))


async def test_the_owner_says_how_long_lines_are_kept(running: Application, acme: Tenant) -> None:
    assert (await acme.get("/v1/audit/retention")).json() == {"days": None, "in_force": 365}
    answer = await acme.client.put("/v1/audit/retention", json={"days": 90})
    assert answer.json() == {"days": 90, "in_force": 90}
    assert (await acme.client.put("/v1/audit/retention", json={"days": 29})).status_code == 422
    assert ("administer", "PUT /v1/audit/retention", "ok") in told(await lines(running, acme))


class Nowhere:
    """A database that is away."""

    async def append(self, _: Sequence[AuditLine]) -> None:
        raise Unavailable("the database does not answer")


async def test_a_write_that_cannot_be_entered_has_no_answer(running: Application, acme: Tenant) -> None:
    trail = AuditTrail(Nowhere())
    recorder = Recorder(trail, running.ports.ids, running.ports.clock)
    unheard = replace(running, audit=AuditUseCases(trail, recorder))
    async with client_of(transport_of(create_api(unheard, running.settings)), acme.key) as client:
        answer = await client.post("/v1/workspaces", json={"name": "unseen"})
    assert (answer.status_code, answer.json()["code"]) == (503, "audit_unavailable")
    assert "unseen" not in answer.text


async def test_every_route_that_is_named_an_exception_exists(running: Application) -> None:
    api = create_api(running, running.settings)
    bare = re.compile(r":\w+}")
    known = {
        (method, bare.sub("}", route.path))
        for route in api.routes
        if isinstance(route, HTTPRoute)
        for method in route.methods
    }
    assert {("POST", path) for path in READS_BY_POST} - known == set()
    assert {("GET", path) for path in EXPORTS} - known == set()
    assert action_of_route("POST", "/v1/search") is AuditAction.READ
    assert action_of_route("POST", "/v1/documents") is AuditAction.WRITE
    assert action_of_route("GET", "/v1/audit/export") is AuditAction.EXPORT
