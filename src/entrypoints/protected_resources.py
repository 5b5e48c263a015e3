"""What OAuth clients are told of the two resources served here: metadata (RFC 9728) and challenges (RFC 6750)."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from typing import Any

from domain.identity.grants import Grant
from domain.ports.token_verifier import Resource
from entrypoints.sections.serving import ApiSettings

WELL_KNOWN = "/.well-known/oauth-protected-resource"
_PATHS = {Resource.API: "", Resource.MCP: "/mcp"}
_NAMES = {Resource.API: "Assay", Resource.MCP: "Assay over MCP"}
_AUTHORITY = re.compile(r"[A-Za-z0-9._-]+(:[0-9]{1,5})?\Z|\[[0-9A-Fa-f:.]+\](:[0-9]{1,5})?\Z")


def base_address(api: ApiSettings, scheme: str, host: str) -> str:
    """The address that clients reach this server at: the configured one, else the one of the request.

    ``host`` is its Host header; where that is no host and port, the address that the server listens on.
    """
    if api.public_url is not None:
        return api.public_url
    return f"{scheme}://{host if _AUTHORITY.match(host) else f'{api.host}:{api.port}'}"


def address_of(base: str, resource: Resource) -> str:
    """The resource's own name: what a client sends as ``resource`` (RFC 8707), and a token's audience is then."""
    return base + _PATHS[resource]


def metadata_address(base: str, resource: Resource) -> str:
    """Where the resource's metadata is."""
    return f"{base}{WELL_KNOWN}{_PATHS[resource]}"


def metadata(base: str, resource: Resource, issuers: Sequence[str]) -> dict[str, Any]:
    """The metadata; without an issuer no authorization server is named, and API keys are the only way in."""
    found: dict[str, Any] = {
        "resource": address_of(base, resource),
        "scopes_supported": [grant.value for grant in Grant],
        "bearer_methods_supported": ["header"],
        "resource_name": _NAMES[resource],
    }
    if issuers:
        found["authorization_servers"] = list(issuers)
    if resource is Resource.API:
        found["resource_documentation"] = f"{base}/v1/openapi.json"
    return found


def challenge(base: str, resource: Resource, error: str | None = None, scope: Iterable[Grant] = (Grant.READ,)) -> str:
    """The value of WWW-Authenticate. ``error`` is left out where no token was sent."""
    wanted = frozenset(scope)
    words = " ".join(grant.value for grant in Grant if grant in wanted)
    said = f'Bearer realm="assay", resource_metadata="{metadata_address(base, resource)}", scope="{words}"'
    return f'{said}, error="{error}"' if error else said
