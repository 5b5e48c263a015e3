"""A running Assay with two real OpenID providers, each for an organization of its own, and a client at its doors."""

from __future__ import annotations

import base64
import hashlib
import secrets
import time
from collections.abc import AsyncIterator
from contextlib import AsyncExitStack
from dataclasses import dataclass
from typing import Any

import asyncpg
import httpx
import pytest
from joserfc import jwt
from joserfc.jwk import RSAKey
from pydantic import SecretStr

from adapters.postgres.unit_of_work import PostgresUnitOfWork
from adapters.system.ids import TimeOrderedIds
from application.identity.create_organization import CreateOrganization, NewOrganization, Operator, OrganizationCreated
from domain.identity.principal import Role
from entrypoints.api.app import create_api
from entrypoints.application import Application
from entrypoints.bootstrap import application
from entrypoints.mcp.http import mcp_over_http
from entrypoints.sections.identity import IdentitySettings, IssuerSettings, MembershipSettings
from entrypoints.sections.serving import ApiSettings
from entrypoints.settings import Settings
from tests.entrypoints.api.conftest import client_of, transport_of
from tests.entrypoints.mcp.conftest import held
from tests.services.node_packages import node_packages as node_packages
from tests.services.oidc_provider import BROWSER, PUBLIC, OidcProvider
from tests.services.oidc_provider import oidc_providers as oidc_providers

TERMINAL = "http://127.0.0.1:7777/callback"
RULES = (
    MembershipSettings(scope="organization", role=Role.VIEWER, kind="human"),
    MembershipSettings(scope="organization", role=Role.ADMIN, claim="groups", value="admins"),
    MembershipSettings(scope="engineering", role=Role.CURATOR, claim="groups", value="engineering"),
    MembershipSettings(scope="organization", role=Role.MEMBER, claim="client_id", value="robot", kind="agent"),
)


@dataclass
class Doors:
    """A running Assay with a client at each door, and its organizations: one for each provider."""

    app: Application
    settings: Settings
    http: httpx.AsyncClient
    providers: tuple[OidcProvider, OidcProvider]
    organizations: tuple[OrganizationCreated, OrganizationCreated]

    async def get(self, token: str, path: str = "/v1/organizations/current", **parameters: str) -> httpx.Response:
        headers = {"Authorization": f"Bearer {token}"}
        return await self.http.get(path, params=parameters, headers=headers)

    async def owner(self, method: str, path: str, body: object = None, **parameters: str) -> Any:
        """What the owner of the first organization is answered."""
        headers = {"Authorization": f"Bearer {self.organizations[0].key.key.text}"}
        answer = await self.http.request(method, path, json=body, params=parameters, headers=headers)
        assert answer.is_success, answer.text
        return answer.json()

    def forget(self) -> None:
        """What a notice of a change does a moment later."""
        self.app.forget_who(None)

    async def mcp(self, token: str) -> httpx.Response:
        call = {"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": {"name": "list_sources", "arguments": {}}}
        accept = {"Accept": "application/json, text/event-stream", "MCP-Protocol-Version": "2025-11-25"}
        return await self.http.post("/mcp", json=call, headers=accept | {"Authorization": f"Bearer {token}"})

    def made(self, subject: str, which: int = 0, **claims: Any) -> str:
        """A token with the provider's own signature."""
        provider, now = self.providers[which], int(time.time())
        key = RSAKey.import_key(provider.tell("keys")["private"])
        said = {"iss": provider.issuer, "aud": PUBLIC, "sub": subject, "iat": now, "exp": now + 60}
        return jwt.encode({"alg": "RS256", "typ": "at+jwt", "kid": key.kid}, said | claims, key)

    async def roles(self, name: str) -> set[tuple[str, str, str]]:
        """Where the first organization has whom of that name in which role, and by whom."""
        listed = (await self.owner("GET", "/v1/memberships"))["items"]
        return {(m["scope"], m["role"], m["given_by"]) for m in listed if m["principal_name"] == name}


def challenge_of(verifier: str) -> str:
    return base64.urlsafe_b64encode(hashlib.sha256(verifier.encode()).digest()).decode().rstrip("=")


def tokens_by_code(provider: OidcProvider, user: str, resource: str, scope: str = "openid read") -> dict[str, Any]:
    """Authorization code with PKCE, as a public client on loopback."""
    verifier, state = secrets.token_urlsafe(48), secrets.token_urlsafe(8)
    asked = httpx.QueryParams(
        client_id="terminal", response_type="code", redirect_uri=TERMINAL, scope=scope, resource=resource,
        state=state, nonce="n", code_challenge=challenge_of(verifier), code_challenge_method="S256",
    )  # fmt: skip
    back = provider.sign_in(f"{provider.issuer}/auth?{asked}", user, TERMINAL)
    assert (back["state"], back["iss"]) == (state, provider.issuer)
    form = {"grant_type": "authorization_code", "client_id": "terminal", "code": back["code"], "redirect_uri": TERMINAL}
    answer = provider.token(form | {"code_verifier": verifier, "resource": resource})
    assert answer.status_code == 200, answer.text
    found: dict[str, Any] = answer.json()
    return found


def settings_with(settings: Settings, issuers: tuple[IssuerSettings, ...]) -> Settings:
    api = ApiSettings(public_url=PUBLIC, allowed_hosts=("assay.test",))
    return settings.model_copy(update={"api": api, "identity": IdentitySettings(issuers=issuers)})


@pytest.fixture(scope="module")
async def doors(
    settings: Settings, pool: asyncpg.Pool, oidc_providers: tuple[OidcProvider, OidcProvider]
) -> AsyncIterator[Doors]:
    create = CreateOrganization(PostgresUnitOfWork(pool), TimeOrderedIds())
    acme = await create(Operator("test"), NewOrganization("Acme", "Olga"))
    other = await create(Operator("test"), NewOrganization("Other", "Otto"))
    one, two = oidc_providers
    client, secret = BROWSER[0], SecretStr(BROWSER[1])
    issuers = (
        IssuerSettings(
            issuer=one.issuer, organization=acme.organization_id, memberships=RULES, client_id=client,
            client_secret=secret, command_line_client_id="terminal", label="Acme staff",
        ),
        IssuerSettings(
            issuer=two.issuer, organization_claim="sub", organizations={"alice": other.organization_id},
            memberships=RULES[:1], client_id=client, client_secret=secret,
        ),
    )  # fmt: skip
    chosen = settings_with(settings, issuers)
    async with AsyncExitStack() as stack:
        app = await stack.enter_async_context(application(chosen))
        mcp = await stack.enter_async_context(held(mcp_over_http(app)))
        http = await stack.enter_async_context(client_of(transport_of(create_api(app, chosen, more=[mcp]))))
        made = Doors(app, chosen, http, oidc_providers, (acme, other))
        await made.owner("POST", "/v1/workspaces", {"name": "engineering"})
        yield made
