"""An agent's session from nothing but an address: discovery, a token for the resource, and more scopes when needed."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any, cast
from urllib.parse import parse_qs

import httpx2
import pytest
from mcp import Client, MCPError
from mcp.client.auth import TokenStorage
from mcp.client.auth.extensions.client_credentials import ClientCredentialsOAuthProvider
from mcp.client.streamable_http import streamable_http_client
from mcp.shared.auth import OAuthClientInformationFull, OAuthToken, ProtectedResourceMetadata

from domain.identity.grants import Grant
from entrypoints.protected_resources import WELL_KNOWN
from tests.entrypoints.api.token_doors import Doors, tokens_by_code
from tests.entrypoints.api.token_doors import doors as doors
from tests.entrypoints.api.token_doors import node_packages as node_packages
from tests.entrypoints.api.token_doors import oidc_providers as oidc_providers
from tests.services.oidc_provider import MCP, PUBLIC, ROBOT

Steps = list[tuple[str, str]]


class Kept(TokenStorage):
    """What the client was given, in memory."""

    def __init__(self) -> None:
        self.token: OAuthToken | None = None

    async def get_tokens(self) -> OAuthToken | None:
        return self.token

    async def set_tokens(self, tokens: OAuthToken) -> None:
        self.token = tokens

    async def get_client_info(self) -> OAuthClientInformationFull | None:
        return None

    async def set_client_info(self, client_info: OAuthClientInformationFull) -> None:
        raise AssertionError("nothing is registered")


@asynccontextmanager
async def agent(doors: Doors, steps: Steps, **options: Any) -> AsyncIterator[Client]:
    """A client whose requests to our address go to the running Assay, and all others over the network."""

    async def note(request: httpx2.Request) -> None:
        form = parse_qs((await request.aread()).decode()) if request.url.path == "/token" else {}
        said = f"{form['resource'][0]} {form['scope'][0]}" if form else ""
        steps.append((f"{request.method} {request.url.path}", said))

    ours = cast(Any, doors.http)._transport.app
    mounts = {"all://assay.test": httpx2.ASGITransport(ours)}
    async with (
        httpx2.AsyncClient(mounts=mounts, event_hooks={"request": [note]}, verify=False, **options) as http,
        Client(streamable_http_client(MCP, http_client=http)) as client,
    ):
        yield client


async def names(client: Client) -> set[str]:
    return {tool.name for tool in (await client.list_tools()).tools}


async def test_an_agent_finds_its_way_in_and_gets_more_scopes_when_a_tool_needs_them(doors: Doors) -> None:
    steps, kept, issuer = Steps(), Kept(), doors.providers[0].issuer
    auth = ClientCredentialsOAuthProvider(MCP, kept, *ROBOT, issuer=issuer)
    document = {"title": "Minutes", "content": "Ann Lee leads Sales since May 2024."}
    async with agent(doors, steps, auth=auth) as client:
        assert steps[:4] == [
            ("POST /mcp", ""),
            (f"GET {WELL_KNOWN}/mcp", ""),
            ("GET /.well-known/oauth-authorization-server", ""),
            ("POST /token", f"{MCP} read"),
        ]
        assert kept.token is not None
        assert kept.token.scope == "read"
        listed = await names(client)
        assert "search_knowledge" in listed
        assert "propose_document" not in listed
        assert not (await client.call_tool("search_knowledge", {"query": "who leads Sales"})).is_error
        del steps[:]
        proposed = await client.call_tool("propose_document", document)
        assert not proposed.is_error, proposed.content
        assert steps[:3] == [("POST /mcp", ""), ("POST /token", f"{MCP} read propose"), ("POST /mcp", "")]
        assert "propose_document" in await names(client)
        assert "create_snapshot" not in await names(client)


async def test_a_token_of_a_person_does_what_its_scopes_cover_and_no_more(doors: Doors) -> None:
    token = tokens_by_code(doors.providers[0], "alice", MCP, "openid read")["access_token"]
    async with agent(doors, Steps(), headers={"Authorization": f"Bearer {token}"}) as client:
        assert not (await client.call_tool("list_sources", {})).is_error
        with pytest.raises(MCPError, match="remembering needs the scope propose"):
            await client.call_tool("remember", {"text": "Rain on Monday."})
    found = await doors.mcp(tokens_by_code(doors.providers[0], "alice", MCP, "openid propose")["access_token"])
    assert found.status_code == 403
    assert 'scope="read propose", error="insufficient_scope"' in found.headers["www-authenticate"]


@pytest.mark.parametrize(("path", "resource"), [("", PUBLIC), ("/mcp", MCP)])
async def test_the_metadata_names_the_resource_and_who_makes_its_tokens(doors: Doors, path: str, resource: str) -> None:
    answer = await doors.http.get(f"{WELL_KNOWN}{path}")
    assert answer.headers["cache-control"] == "public, max-age=3600"
    found = ProtectedResourceMetadata.model_validate(answer.json())
    assert str(found.resource) == resource
    assert [str(server) for server in found.authorization_servers] == [one.issuer for one in doors.providers]
    assert found.scopes_supported == [grant.value for grant in Grant]
    assert found.bearer_methods_supported == ["header"]


async def test_a_challenge_of_the_api_leads_to_its_metadata_and_asks_for_more_scopes(doors: Doors) -> None:
    token = tokens_by_code(doors.providers[0], "alice", PUBLIC, "openid read")["access_token"]
    refused = await doors.http.post("/v1/memory", json={"text": "Rain."}, headers={"Authorization": f"Bearer {token}"})
    assert refused.status_code == 403
    assert refused.headers["www-authenticate"] == (
        f'Bearer realm="assay", resource_metadata="{PUBLIC}{WELL_KNOWN}", scope="read propose", '
        'error="insufficient_scope"'
    )
    wrong = await doors.get("nonsense")
    assert wrong.status_code == 401
    assert wrong.headers["www-authenticate"] == (
        f'Bearer realm="assay", resource_metadata="{PUBLIC}{WELL_KNOWN}", scope="read", error="invalid_token"'
    )
