"""What is listed for whom, and how what is not is refused: by the role, the token's scopes and the profile."""

from __future__ import annotations

from collections.abc import AsyncIterator
from dataclasses import replace
from typing import Any

import httpx2
import pytest
from mcp import Client, MCPError

from adapters.inmemory.rate_limiter import InMemoryRateLimiter
from application.identity.issue_key import NewKey
from domain.identity.grants import Grant
from domain.identity.permissions import Action, permit
from domain.identity.principal import Role
from domain.ports.token_verifier import Resource
from entrypoints.application import Application
from entrypoints.mcp.profiles import Profile
from entrypoints.mcp.quotas import ToolQuotas
from entrypoints.mcp.server import create_server
from entrypoints.mcp.sign_in import Call, SignIn, by_key, by_request
from entrypoints.mcp.tools import catalogue
from entrypoints.protected_resources import WELL_KNOWN
from entrypoints.sections.serving import McpSettings
from entrypoints.settings import SettingsInvalid
from entrypoints.telemetry import Metrics
from tests.entrypoints.mcp.bounded_tokens import BASE, BoundedTokens, agent, door, signed_in_by
from tests.entrypoints.mcp.conftest import held, refused
from tests.entrypoints.mcp.filling import Tenant
from tests.entrypoints.mcp.test_server import READS

OFFERS = {
    "propose_document", "propose_correction", "propose_entity_edit", "propose_promotion", "assert_fact", "remember",
}  # fmt: skip
ALL = READS | OFFERS | {"feedback", "create_snapshot"}
METADATA = f'resource_metadata="{BASE}{WELL_KNOWN}/mcp"'
FACT = {"subject": "Borrowdale", "predicate": "mines", "object": "graphite"}


@pytest.fixture(scope="module")
def tokens(app: Application) -> BoundedTokens:
    return BoundedTokens(app.verifier)


@pytest.fixture(scope="module")
def bounded(app: Application, tokens: BoundedTokens) -> Application:
    return signed_in_by(app, tokens, InMemoryRateLimiter(lambda: 0))


@pytest.fixture(scope="module")
async def transport(bounded: Application) -> AsyncIterator[httpx2.ASGITransport]:
    async with held(door(bounded)) as opened:
        yield opened


async def names(client: Client) -> set[str]:
    return {tool.name for tool in (await client.list_tools()).tools}


async def call(
    transport: httpx2.ASGITransport, tool: str, arguments: dict[str, Any], **headers: str
) -> httpx2.Response:
    body = {"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": {"name": tool, "arguments": arguments}}
    accept = {"Accept": "application/json, text/event-stream", "MCP-Protocol-Version": "2025-11-25"}
    async with httpx2.AsyncClient(transport=transport) as client:
        return await client.post(f"{BASE}/mcp", json=body, headers=accept | headers)


def bearer(token: str) -> dict[str, str]:
    return {"Authorization": f"Bearer {token}"}


@pytest.mark.parametrize(
    ("grants", "listed"),
    [
        ({Grant.READ}, READS),
        ({Grant.READ, Grant.PROPOSE}, READS | OFFERS),
        ({Grant.READ, Grant.FEEDBACK, Grant.SNAPSHOT}, READS | {"feedback", "create_snapshot"}),
        ({Grant.PROPOSE}, OFFERS),
        ({Grant.ADMIN}, ALL),
        (set(), set()),
    ],
    ids=lambda value: "+".join(sorted(value)) if len(value) < 4 else "",
)
async def test_a_token_lists_what_its_scopes_cover(
    transport: httpx2.ASGITransport, tokens: BoundedTokens, acme: Tenant, grants: set[Grant], listed: set[str]
) -> None:
    async with agent(transport, tokens.made(acme.agent_key, *grants)) as client:
        assert await names(client) == listed
        reads = bool(grants & {Grant.READ, Grant.ADMIN})
        assert [prompt.name for prompt in (await client.list_prompts()).prompts] == (["cited_answer"] if reads else [])
        assert len((await client.list_resource_templates()).resource_templates) == (2 if reads else 0)


@pytest.mark.parametrize(
    ("role", "query", "listed"),
    [
        (Role.VIEWER, "", READS | {"feedback"}),
        (Role.MEMBER, "", ALL),
        (Role.MEMBER, "?profile=curator", ALL),
        (Role.MEMBER, "?profile=contributor", ALL),
        (Role.MEMBER, "?profile=reader", READS),
    ],
)
async def test_a_key_lists_what_its_role_may_do_in_the_profile(
    app: Application, transport: httpx2.ASGITransport, acme: Tenant, role: Role, query: str, listed: set[str]
) -> None:
    key = await app.identity.issue_key(acme.owner, NewKey(acme.owner.principal.id, "listing", role))
    async with agent(transport, key.key.text, query) as client:
        assert await names(client) == listed


async def test_the_setting_bounds_the_profile_over_both_transports(app: Application, acme: Tenant) -> None:
    settings = app.settings.model_copy(update={"mcp": McpSettings(profile="reader")})
    async with (
        door(replace(app, settings=settings)) as transport,
        agent(transport, acme.agent_key, "?profile=curator") as client,
    ):
        assert await names(client) == READS
    async with Client(create_server(app, by_key(app.verifier, acme.agent_key, Profile.READER))) as client:
        assert await names(client) == READS
        problem = await refused(client, "remember", text="Rain.")
        assert (problem["code"], problem["field"]) == ("not_found", "name")
        other = await refused(client, "rememver", text="Rain.")
        assert other["detail"] == problem["detail"].replace("remember", "rememver")


async def test_a_call_beyond_the_scopes_is_answered_with_what_to_ask_for_and_does_nothing(
    transport: httpx2.ASGITransport, tokens: BoundedTokens, acme: Tenant
) -> None:
    token = tokens.made(acme.agent_key, Grant.READ, Grant.FEEDBACK)
    answer = await call(transport, "assert_fact", FACT, **bearer(token))
    assert answer.status_code == 403
    assert answer.headers["www-authenticate"] == (
        f'Bearer realm="assay", {METADATA}, scope="read propose feedback", error="insufficient_scope"'
    )
    problem = answer.json()["error"]["data"]
    assert (problem["code"], problem["retryable"]) == ("insufficient_scope", False)
    found = await call(transport, "query_facts", {"subject": "Borrowdale"}, **bearer(token))
    assert found.json()["result"]["structuredContent"]["facts"] == []


async def test_a_scope_that_is_needed_in_the_middle_of_a_call_is_asked_for_as_well(
    bounded: Application, tokens: BoundedTokens, acme: Tenant
) -> None:
    async def keep(call: Call) -> str:
        """Reads, then keeps."""
        permit(await SignIn(bounded, by_request).access(call), Action.SNAPSHOT)
        return "kept"

    server = create_server(bounded, by_request)
    server.offer(keep, Action.READ, catalogue.READS)
    async with door(bounded, server) as transport:
        answer = await call(transport, "keep", {}, **bearer(tokens.made(acme.agent_key, Grant.READ)))
        assert answer.status_code == 403, answer.text
        assert 'scope="read snapshot", error="insufficient_scope"' in answer.headers["www-authenticate"]
        both = tokens.made(acme.agent_key, Grant.READ, Grant.SNAPSHOT)
        assert (await call(transport, "keep", {}, **bearer(both))).status_code == 200


@pytest.mark.parametrize("mode", ["auto", "legacy"])
async def test_an_agent_is_told_which_scope_is_missing_over_each_protocol(
    transport: httpx2.ASGITransport, tokens: BoundedTokens, acme: Tenant, mode: Any
) -> None:
    said = "reading needs the scope read; this credential has not got it"
    async with agent(transport, tokens.made(acme.agent_key, Grant.PROPOSE), mode=mode) as client:
        with pytest.raises(MCPError, match=said):
            await client.call_tool("list_sources", {})
        with pytest.raises(MCPError, match=said):
            await client.read_resource(f"assay://document/{acme.document_id}")
        with pytest.raises(MCPError, match=said):
            await client.get_prompt("cited_answer", {"question": "who"})


async def test_over_stdio_a_missing_scope_is_the_result_of_the_tool(
    app: Application, tokens: BoundedTokens, acme: Tenant
) -> None:
    token = tokens.made(acme.agent_key, Grant.READ)
    async with Client(create_server(app, by_key(tokens, token))) as client:
        assert await names(client) == READS
        problem = await refused(client, "remember", text="Rain.")
    assert problem["code"] == "insufficient_scope"
    assert problem["next_step"].startswith("Ask the person for a token with that scope")


async def test_a_role_that_is_too_low_is_the_result_of_the_tool_whatever_the_scopes(
    app: Application, transport: httpx2.ASGITransport, tokens: BoundedTokens, acme: Tenant
) -> None:
    key = await app.identity.issue_key(acme.owner, NewKey(acme.owner.principal.id, "low", Role.VIEWER))
    for token in (tokens.made(key.key.text, Grant.PROPOSE), tokens.made(key.key.text, Grant.READ)):
        answer = await call(transport, "assert_fact", FACT, **bearer(token))
        problem = answer.json()["result"]["structuredContent"]
        assert (answer.status_code, problem["code"]) == (200, "forbidden")
        assert "needs the role member" in problem["detail"]


async def test_a_token_for_the_api_is_refused(
    transport: httpx2.ASGITransport, tokens: BoundedTokens, acme: Tenant
) -> None:
    for_api = tokens.made(acme.agent_key, Grant.READ, resource=Resource.API)
    answer = await call(transport, "list_sources", {}, **bearer(for_api))
    assert (answer.status_code, answer.json()["code"]) == (401, "not_authenticated")
    assert answer.headers["www-authenticate"] == (
        f'Bearer realm="assay", {METADATA}, scope="read", error="invalid_token"'
    )


@pytest.mark.parametrize("query", ["?access_token=secret-token", "?profile=writer", "?profile", "?scope=sales"])
async def test_parameters_of_the_address_are_checked_and_never_a_way_to_sign_in(
    transport: httpx2.ASGITransport, acme: Tenant, query: str
) -> None:
    async with httpx2.AsyncClient(transport=transport) as client:
        anonymous = await client.post(f"{BASE}/mcp{query}", json={})
        answer = await client.post(f"{BASE}/mcp{query}", json={}, headers=bearer(acme.agent_key))
    assert anonymous.status_code == 401
    assert (answer.status_code, answer.json()["code"]) == (422, "invalid_input")
    assert "secret-token" not in answer.text


async def test_two_tokens_are_none(transport: httpx2.ASGITransport, acme: Tenant) -> None:
    twice = [("Authorization", f"Bearer {acme.agent_key}")] * 2
    async with httpx2.AsyncClient(transport=transport) as client:
        answer = await client.post(f"{BASE}/mcp", json={}, headers=twice)
    assert (answer.status_code, answer.json()["code"]) == (401, "not_authenticated")


async def test_a_tool_has_so_many_calls_a_minute_of_each_principal(app: Application, acme: Tenant) -> None:
    quotas = McpSettings(calls_per_minute=2, tool_calls_per_minute={"list_sources": 1, "recall": 0})
    key = await app.identity.issue_key(acme.owner, NewKey(acme.owner.principal.id, "busy", Role.VIEWER))
    server = create_server(
        replace(app, settings=app.settings.model_copy(update={"mcp": quotas})), by_key(app.verifier, key.key.text)
    )
    async with Client(server) as client:
        assert not (await client.call_tool("list_sources", {})).is_error
        problem = await refused(client, "list_sources")
        assert (problem["code"], problem["retryable"]) == ("rate_limited", True)
        assert problem["detail"].startswith("the limit 'calls of list_sources' of 1 units in 60 s is used up; wait ")
        for _ in range(2):
            assert not (await client.call_tool("predicates_in_use", {})).is_error
        assert (await refused(client, "predicates_in_use"))["code"] == "rate_limited"
        for _ in range(3):
            assert not (await client.call_tool("recall", {"query": "rain"})).is_error


def test_a_quota_of_a_tool_that_is_none_stops_the_start() -> None:
    with pytest.raises(
        SettingsInvalid, match=r"ASSAY_MCP__TOOL_CALLS_PER_MINUTE: there is no tool 'serach'; there are: a"
    ):
        ToolQuotas(1, {"serach": 5}).require_known(["a"])


def test_every_tool_has_a_row_and_what_only_reads_says_so(app: Application, acme: Tenant) -> None:
    caller_of = by_key(app.verifier, acme.agent_key)
    rows = list(catalogue.tools(app, SignIn(app, caller_of), Metrics()))
    assert {row.function.__name__ for row in rows} == ALL
    for row in rows:
        assert (row.action is Action.READ) is row.hints.read_only_hint, row.function.__name__
        assert Profile.CURATOR.offers(row.action)
        assert Profile.READER.offers(row.action) is (row.action is Action.READ)


async def test_a_tool_without_a_row_is_offered_to_nobody(app: Application, acme: Tenant) -> None:
    server = create_server(app, by_key(app.verifier, acme.owner_key))

    async def backdoor() -> str:
        """Open."""
        return "open"

    server.add_tool(backdoor)
    async with Client(server) as client:
        assert "backdoor" not in await names(client)
        assert (await refused(client, "backdoor"))["code"] == "not_found"
