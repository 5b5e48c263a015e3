"""What an identity provider says of itself (OpenID Connect Discovery, RFC 8414)."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import httpx

from adapters.oidc.fetching import ProviderUnavailable, fetch_json, require_secure

KEEP_SECONDS = 3_600.0
RETRY_SECONDS = 10.0
PATH = "/.well-known/openid-configuration"


@dataclass(frozen=True, slots=True)
class Metadata:
    """Where the provider does what; None where it does not. ``names_itself``: its answers carry ``iss`` (RFC 9207)."""

    keys: str
    authorization: str | None
    token: str | None
    revocation: str | None
    names_itself: bool


class Discovery:
    """One issuer's metadata: asked for when first needed, then once an hour; while it is away the old holds."""

    def __init__(self, issuer: str, http: httpx.AsyncClient, *, now: Callable[[], float] = time.monotonic) -> None:
        self._issuer = issuer
        self._http = http
        self._now = now
        self._lock = asyncio.Lock()
        self._known: Metadata | None = None
        self._due = float("-inf")

    async def metadata(self) -> Metadata:
        """Raises ProviderUnavailable when it was never had, at most one try in ten seconds."""
        if self._known is not None and self._now() < self._due:
            return self._known
        async with self._lock:
            if self._now() < self._due:
                return self._had()
            self._due = self._now() + RETRY_SECONDS
            try:
                self._known = _metadata(self._issuer, await fetch_json(self._http, self._issuer.rstrip("/") + PATH))
                self._due = self._now() + KEEP_SECONDS
            except ProviderUnavailable:
                if self._known is None:
                    raise
            return self._had()

    def _had(self) -> Metadata:
        if self._known is None:
            raise ProviderUnavailable("the identity provider did not answer a moment ago; try again later")
        return self._known


def _metadata(issuer: str, document: dict[str, Any]) -> Metadata:
    if document.get("issuer") != issuer:
        raise ProviderUnavailable("the identity provider calls itself otherwise; correct its address in the settings")
    found: dict[str, str | None] = {}
    for name in ("jwks_uri", "authorization_endpoint", "token_endpoint", "revocation_endpoint"):
        value = document.get(name)
        if isinstance(value, str):
            require_secure(value)
        found[name] = value if isinstance(value, str) else None
    if found["jwks_uri"] is None:
        raise ProviderUnavailable("the identity provider does not say where its keys are")
    return Metadata(
        keys=found["jwks_uri"],
        authorization=found["authorization_endpoint"],
        token=found["token_endpoint"],
        revocation=found["revocation_endpoint"],
        names_itself=document.get("authorization_response_iss_parameter_supported") is True,
    )
