"""Tokens that are made for one resource and bounded by scopes, as an authorization server would make them."""

from __future__ import annotations

import secrets
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import replace
from typing import Any, cast

import httpx2
from litestar import Litestar
from mcp import Client
from mcp.client.streamable_http import streamable_http_client

from application.quotas.sign_ins import SignIns
from domain.identity.grants import Grant
from domain.ports.rate_limiter import RateLimiter
from domain.ports.token_verifier import Credential, Resource, TokenVerifier
from entrypoints.application import Application
from entrypoints.mcp.http import over_http
from entrypoints.mcp.server import AssayServer, create_server
from entrypoints.mcp.sign_in import by_request

BASE = "http://127.0.0.1:8080"


class BoundedTokens:
    """A verifier of tokens that stand for a key, with less to do."""

    def __init__(self, verifier: TokenVerifier) -> None:
        self._verifier = verifier
        self._tokens: dict[str, tuple[str, frozenset[Grant] | None, frozenset[Resource] | None]] = {}

    def made(self, key: str, *grants: Grant, resource: Resource = Resource.MCP) -> str:
        """A token for the key's principal."""
        token = secrets.token_urlsafe(24)
        self._tokens[token] = (key, frozenset(grants), frozenset({resource}))
        return token

    async def verify(self, token: str) -> Credential:
        key, grants, resources = self._tokens.get(token, (token, None, None))
        credential = await self._verifier.verify(key)
        return replace(credential, principal=replace(credential.principal, grants=grants), resources=resources)


def signed_in_by(app: Application, tokens: BoundedTokens, limiter: RateLimiter) -> Application:
    """The application, with such tokens at its doors."""
    return replace(app, verifier=tokens, sign_ins=SignIns(tokens, limiter, 0))


@asynccontextmanager
async def door(app: Application, server: AssayServer | None = None) -> AsyncIterator[httpx2.ASGITransport]:
    """MCP in this process, without the API beside it; ``server`` in place of our own."""
    async with over_http(app, server or create_server(app, by_request)) as handler:
        yield httpx2.ASGITransport(cast(Any, Litestar([handler], openapi_config=None, logging_config=None)))


@asynccontextmanager
async def agent(
    transport: httpx2.ASGITransport, token: str, query: str = "", mode: Any = "auto"
) -> AsyncIterator[Client]:
    """A connected client with a token."""
    headers = {"Authorization": f"Bearer {token}"}
    async with (
        httpx2.AsyncClient(transport=transport, headers=headers) as http,
        Client(streamable_http_client(f"{BASE}/mcp{query}", http_client=http), mode=mode) as client,
    ):
        yield client
