"""Streamable HTTP, to be mounted beside the REST API under ``/mcp``."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import cast

from litestar import asgi
from litestar.handlers import ASGIRouteHandler
from litestar.types import Receive, Scope, Send
from mcp.server.transport_security import TransportSecuritySettings
from starlette.types import ASGIApp
from starlette.types import Receive as AnyReceive
from starlette.types import Scope as AnyScope
from starlette.types import Send as AnySend

from entrypoints.application import Application
from entrypoints.mcp.gate import Gate
from entrypoints.mcp.profiles import Profile
from entrypoints.mcp.server import AssayServer, create_server
from entrypoints.mcp.sign_in import by_request
from entrypoints.telemetry import Metrics

PATH = "/mcp"


@asynccontextmanager
async def mcp_over_http(app: Application, metrics: Metrics | None = None) -> AsyncIterator[ASGIRouteHandler]:
    """A route handler for ``/mcp``, served while the context is open; enter and leave it in one task."""
    async with over_http(app, create_server(app, by_request, metrics)) as handler:
        yield handler


@asynccontextmanager
async def over_http(app: Application, server: AssayServer) -> AsyncIterator[ASGIRouteHandler]:
    """The same for any server.

    No session is kept between requests, so any process behind a balancer answers any of them.
    """
    inner = server.streamable_http_app(
        streamable_http_path=PATH,
        stateless_http=True,
        json_response=True,
        max_request_body_size=app.settings.limits.body_bytes,
        # The gate has checked Host and Origin, and says what to do about a refusal.
        transport_security=TransportSecuritySettings(enable_dns_rebinding_protection=False),
    )
    gate = Gate(inner, app.sign_ins, app.admission, app.settings.api, Profile(app.settings.mcp.profile))
    async with server.session_manager.run():
        yield _mounted(gate)


def _mounted(gate: ASGIApp) -> ASGIRouteHandler:
    @asgi(PATH, is_mount=True, copy_scope=False)
    async def mcp(scope: Scope, receive: Receive, send: Send) -> None:
        """The Model Context Protocol over streamable HTTP."""
        # What surrounds the router names its metrics and its log line by this.
        scope["path_template"] = PATH
        below = scope["path"].strip("/")
        inner = cast(AnyScope, {**scope, "path": f"{PATH}/{below}" if below else PATH, "root_path": ""})
        await gate(inner, cast(AnyReceive, receive), cast(AnySend, send))

    return mcp
