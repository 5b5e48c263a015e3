"""Who gets past the gate of the HTTP transport."""

from __future__ import annotations

from typing import Any

import httpx2
import pytest
from mcp import Client
from mcp.client.streamable_http import streamable_http_client

from application.identity.issue_key import NewKey
from domain.identity.principal import Role
from entrypoints.application import Application
from entrypoints.protected_resources import WELL_KNOWN
from tests.entrypoints.mcp.conftest import METRICS_KEY
from tests.entrypoints.mcp.filling import Tenant

LIST = {"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": {"name": "list_sources", "arguments": {}}}
ACCEPT = {"Accept": "application/json, text/event-stream", "MCP-Protocol-Version": "2025-11-25"}


async def post(address: str, key: str | None, **headers: str) -> httpx2.Response:
    signed = {"Authorization": f"Bearer {key}"} if key else {}
    async with httpx2.AsyncClient() as client:
        return await client.post(f"{address}/mcp", json=LIST, headers=ACCEPT | signed | headers)


def problem(answer: httpx2.Response, status: int, code: str) -> dict[str, Any]:
    assert answer.status_code == status, answer.text
    assert answer.headers["content-type"] == "application/problem+json"
    body = answer.json()
    assert (body["status"], body["code"], body["request_id"]) == (status, code, answer.headers["x-request-id"])
    assert isinstance(body, dict)
    return body


async def test_a_request_with_a_key_is_answered_without_a_session(address: str, acme: Tenant) -> None:
    answer = await post(address, acme.agent_key)
    assert answer.status_code == 200, answer.text
    assert answer.headers["content-type"] == "application/json"
    assert "mcp-session-id" not in answer.headers
    assert answer.json()["result"]["structuredContent"]["sources"]


@pytest.mark.parametrize("key", [None, "assay_" + "A" * 43, "nonsense"])
async def test_without_a_valid_key_there_is_no_call(address: str, key: str | None) -> None:
    answer = await post(address, key)
    problem(answer, 401, "not_authenticated")
    challenge = f'Bearer realm="assay", resource_metadata="{address}{WELL_KNOWN}/mcp", scope="read"'
    assert answer.headers["www-authenticate"] == challenge + (', error="invalid_token"' if key else "")


async def test_a_revoked_key_stops_working(address: str, app: Application, acme: Tenant) -> None:
    issued = await app.identity.issue_key(acme.owner, NewKey(acme.owner.principal.id, "brief", Role.MEMBER))
    await app.identity.revoke_key(acme.owner, issued.id)
    problem(await post(address, issued.key.text), 401, "not_authenticated")


async def test_a_wrong_host_is_refused(address: str, acme: Tenant) -> None:
    assert (await post(address, acme.agent_key, Host="evil.example")).status_code == 421
    assert (await post(address, acme.agent_key, Host="LOCALHOST:1234")).status_code == 200


async def test_a_page_of_another_site_is_refused(address: str, acme: Tenant) -> None:
    refused = problem(await post(address, acme.agent_key, Origin="https://evil.example"), 403, "wrong_origin")
    assert refused["field"] == "Origin"
    problem(await post(address, acme.agent_key, Origin="null"), 403, "wrong_origin")
    for allowed in ("https://console.example", "http://localhost:3000"):
        assert (await post(address, acme.agent_key, Origin=allowed)).status_code == 200


@pytest.mark.parametrize("method", ["GET", "DELETE", "PUT"])
async def test_every_message_is_a_post(address: str, acme: Tenant, method: str) -> None:
    headers = {"Authorization": f"Bearer {acme.agent_key}", "Accept": "text/event-stream"}
    async with httpx2.AsyncClient() as client:
        answer = await client.request(method, f"{address}/mcp", headers=headers)
    problem(answer, 405, "method_not_allowed")
    assert answer.headers["allow"] == "POST"


async def test_the_route_has_a_name_in_the_metrics(address: str, acme: Tenant) -> None:
    await post(address, acme.agent_key)
    async with httpx2.AsyncClient() as client:
        metrics = (await client.get(f"{address}/metrics", headers={"Authorization": f"Bearer {METRICS_KEY}"})).text
    assert 'route="/mcp"' in metrics


async def test_a_client_of_the_older_protocol_is_served(address: str, acme: Tenant) -> None:
    headers = {"Authorization": f"Bearer {acme.agent_key}"}
    async with (
        httpx2.AsyncClient(headers=headers, timeout=30) as http,
        Client(streamable_http_client(f"{address}/mcp", http_client=http), mode="legacy") as client,
    ):
        assert client.protocol_version == "2025-11-25"
        result = await client.call_tool("predicates_in_use", {})
        assert not result.is_error


async def test_too_large_a_body_is_refused(address: str, acme: Tenant) -> None:
    headers = ACCEPT | {"Authorization": f"Bearer {acme.agent_key}", "Content-Type": "application/json"}
    async with httpx2.AsyncClient() as client:
        answer = await client.post(f"{address}/mcp", content=b" " * 3_000_000, headers=headers)
    assert answer.status_code == 413


async def test_a_page_of_an_allowed_origin_may_send_what_clients_of_the_protocol_send(address: str) -> None:
    asked = "authorization,content-type,mcp-protocol-version,mcp-session-id,mcp-method,mcp-name,last-event-id"
    headers = {
        "Origin": "https://console.example",
        "Access-Control-Request-Method": "POST",
        "Access-Control-Request-Headers": asked,
    }
    async with httpx2.AsyncClient() as client:
        answer = await client.options(f"{address}/mcp", headers=headers)
    assert answer.status_code in {200, 204}, answer.text
    allowed = {name.strip().lower() for name in answer.headers["access-control-allow-headers"].split(",")}
    assert set(asked.split(",")) <= allowed
