"""What OAuth clients read first: which resources are served here, and who makes tokens for them (RFC 9728)."""

from __future__ import annotations

from typing import Any

from litestar import Response, get

from domain.ports.token_verifier import Resource
from entrypoints.api.sign_in import App, HttpRequest
from entrypoints.protected_resources import WELL_KNOWN, base_address, metadata

_KEPT = {"Cache-Control": "public, max-age=3600"}


@get(WELL_KNOWN, tags=["operations"])
async def api_resource(request: HttpRequest, app: App) -> Response[dict[str, Any]]:
    """The metadata of this API as a protected resource (RFC 9728)."""
    return _metadata(request, app, Resource.API)


@get(f"{WELL_KNOWN}/mcp", tags=["operations"])
async def mcp_resource(request: HttpRequest, app: App) -> Response[dict[str, Any]]:
    """The metadata of the MCP server at `/mcp` as a protected resource (RFC 9728)."""
    return _metadata(request, app, Resource.MCP)


def _metadata(request: HttpRequest, app: App, resource: Resource) -> Response[dict[str, Any]]:
    settings = app.settings
    base = base_address(settings.api, request.url.scheme, request.headers.get("host", ""))
    issuers = [issuer.issuer for issuer in settings.identity.issuers]
    return Response(metadata(base, resource, issuers), headers=_KEPT)
