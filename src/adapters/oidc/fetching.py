"""Small JSON documents of an identity provider, over HTTP with limits."""

from __future__ import annotations

import asyncio
import json
from typing import Any
from urllib.parse import quote_plus, urlsplit

import httpx

from domain.errors import Unavailable

LONGEST = 256 * 1024
"""Bytes of a document: discovery and key sets have a few thousand."""
SECONDS = 5.0
"""For the whole of a request, however slowly its parts come."""
_LOOPBACK = frozenset({"127.0.0.1", "::1", "localhost"})


class ProviderUnavailable(Unavailable):
    """The identity provider does not answer, or with what cannot be used."""

    code = "identity_provider_unavailable"


def client() -> httpx.AsyncClient:
    """A client that follows no redirect: where a provider is, its configuration says."""
    return httpx.AsyncClient(follow_redirects=False, timeout=SECONDS, headers={"accept": "application/json"})


async def fetch_json(http: httpx.AsyncClient, url: str) -> dict[str, Any]:
    """The object at the address. Raises ProviderUnavailable, also for what is too long, too slow or no object."""
    require_secure(url)
    return await _answered(http, http.build_request("GET", url), (200,))


async def post_form(
    http: httpx.AsyncClient, url: str, form: dict[str, str], auth: tuple[str, str] | None
) -> dict[str, Any]:
    """The object that a form is answered with, by 200 or by 400 or 401 with an OAuth error in it."""
    require_secure(url)
    request = http.build_request("POST", url, data=form)
    if auth is not None:
        # RFC 6749 2.3.1 wants both parts as a form would have them.
        basic = httpx.BasicAuth(quote_plus(auth[0]), quote_plus(auth[1]))
        request = next(basic.auth_flow(request))
    return await _answered(http, request, (200, 400, 401))


def require_secure(url: str) -> None:
    """Raise ProviderUnavailable unless the address is https, or http on loopback."""
    parts = urlsplit(url)
    if parts.scheme != "https" and not (parts.scheme == "http" and parts.hostname in _LOOPBACK):
        raise ProviderUnavailable("the identity provider names an address that is not https; correct its configuration")


async def _answered(http: httpx.AsyncClient, request: httpx.Request, statuses: tuple[int, ...]) -> dict[str, Any]:
    where = request.url.host
    try:
        async with asyncio.timeout(SECONDS):
            response = await http.send(request, stream=True)
            try:
                body = await _body(response, where)
            finally:
                await response.aclose()
    except (httpx.HTTPError, TimeoutError) as error:
        raise ProviderUnavailable(f"the identity provider at {where} does not answer; try again later") from error
    if response.status_code not in statuses:
        raise ProviderUnavailable(f"the identity provider at {where} answered with status {response.status_code}")
    try:
        found = json.loads(body or b"{}")  # a revocation is answered with nothing
    except (ValueError, RecursionError):
        found = None
    if not isinstance(found, dict):
        raise ProviderUnavailable(f"the identity provider at {where} answered with something that is no JSON object")
    return found


async def _body(response: httpx.Response, where: str) -> bytes:
    body = b""
    async for part in response.aiter_bytes():
        body += part
        if len(body) > LONGEST:
            raise ProviderUnavailable(f"the identity provider at {where} answered with more than {LONGEST} bytes")
    return body
