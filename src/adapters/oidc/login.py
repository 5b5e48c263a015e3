"""The authorization code flow (OAuth 2.1, OpenID Connect, RFC 7636, RFC 9207)."""

from __future__ import annotations

import base64
import hashlib
import hmac
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from typing import Any
from urllib.parse import urlencode

import httpx

from adapters.oidc.access_tokens import Trusted, peeked, verified_claims
from adapters.oidc.discovery import Discovery
from adapters.oidc.fetching import ProviderUnavailable, post_form
from domain.errors import InvalidInput, NotAuthenticated, shown
from domain.ports.access_tokens import VerifiedToken
from domain.ports.provider_login import LoginAttempt, TokenSet

_REFUSAL = "this answer belongs to no sign-in that began here; begin again at /login"


@dataclass(frozen=True, slots=True)
class LoginClient:
    """Assay as a client of one issuer."""

    trusted: Trusted
    discovery: Discovery
    label: str
    client_id: str
    client_secret: str | None
    scopes: tuple[str, ...]
    resource: str | None = None

    @property
    def auth(self) -> tuple[str, str] | None:
        """How it proves itself, where it has a secret."""
        return None if self.client_secret is None else (self.client_id, self.client_secret)

    @property
    def form(self) -> dict[str, str]:
        """What every form of it has."""
        return {"client_id": self.client_id} | ({"resource": self.resource} if self.resource else {})


class OidcLogin:
    """Implements ``ProviderLogin``."""

    def __init__(
        self, clients: Mapping[str, LoginClient], http: httpx.AsyncClient, now: Callable[[], float] = time.time
    ) -> None:
        self._clients = clients
        self._http = http
        self._now = now

    @property
    def issuers(self) -> Mapping[str, str]:
        return {issuer: client.label for issuer, client in self._clients.items()}

    async def address(self, attempt: LoginAttempt, redirect_uri: str) -> str:
        client = self._client(attempt.issuer)
        endpoint = (await client.discovery.metadata()).authorization
        if endpoint is None:
            raise ProviderUnavailable("the identity provider does not say where browsers sign in")
        asked = client.form | {
            "response_type": "code",
            "redirect_uri": redirect_uri,
            "scope": " ".join(client.scopes),
            "state": attempt.state,
            "nonce": attempt.nonce,
            "code_challenge": challenge_of(attempt.verifier),
            "code_challenge_method": "S256",
        }
        if "offline_access" in client.scopes:
            asked["prompt"] = "consent"  # OpenID Connect Core 11: without it the scope is ignored
        return f"{endpoint}{'&' if '?' in endpoint else '?'}{urlencode(asked)}"

    async def redeem(self, attempt: LoginAttempt, redirect_uri: str, answer: Mapping[str, str]) -> TokenSet:
        client = self._client(attempt.issuer)
        metadata = await client.discovery.metadata()
        named = answer.get("iss")
        ours = hmac.compare_digest(answer.get("state", "").encode(), attempt.state.encode())
        if not ours or named not in (attempt.issuer, None) or (named is None and metadata.names_itself):
            raise NotAuthenticated(_REFUSAL)
        if "code" not in answer or metadata.token is None:
            said = shown(answer.get("error", "no code"))
            raise NotAuthenticated(f"the identity provider did not sign you in ({said}); begin again at /login")
        form = client.form | {
            "grant_type": "authorization_code",
            "code": answer["code"],
            "redirect_uri": redirect_uri,
            "code_verifier": attempt.verifier,
        }
        return await self._tokens(client, await post_form(self._http, metadata.token, form, client.auth), attempt.nonce)

    async def refresh(self, issuer: str, refresh_token: str) -> TokenSet:
        client = self._client(issuer)
        form = client.form | {"grant_type": "refresh_token", "refresh_token": refresh_token}
        endpoint = (await client.discovery.metadata()).token or ""
        given = await self._tokens(client, await post_form(self._http, endpoint, form, client.auth), None)
        return given if given.refresh_token else replace(given, refresh_token=refresh_token)

    async def revoke(self, issuer: str, refresh_token: str) -> None:
        client = self._client(issuer)
        endpoint = (await client.discovery.metadata()).revocation
        if endpoint is not None:
            await post_form(self._http, endpoint, client.form | {"token": refresh_token}, client.auth)

    async def _tokens(self, client: LoginClient, given: Mapping[str, Any], nonce: str | None) -> TokenSet:
        access, identity, refresh = given.get("access_token"), given.get("id_token"), given.get("refresh_token")
        if not isinstance(access, str):
            said = shown(given.get("error", "no token"))
            raise NotAuthenticated(f"the identity provider gave no token ({said}); sign in again")
        lasting = given.get("expires_in")
        return TokenSet(
            access_token=access,
            refresh_token=refresh if isinstance(refresh, str) else None,
            expires_in=float(lasting) if isinstance(lasting, int | float) else 0.0,
            identity=await self._id_token(client, identity, nonce) if nonce and isinstance(identity, str) else None,
        )

    async def _id_token(self, client: LoginClient, token: str, nonce: str) -> VerifiedToken:
        header, _ = peeked(token)
        claims = await verified_claims(token, header, client.trusted, [client.client_id], int(self._now()))
        named = claims.get("azp", client.client_id)
        if named != client.client_id or not hmac.compare_digest(str(claims.get("nonce")).encode(), nonce.encode()):
            raise NotAuthenticated(_REFUSAL)
        return VerifiedToken(client.trusted.issuer, claims, float(claims["exp"]))

    def _client(self, issuer: str) -> LoginClient:
        if issuer not in self._clients:
            raise InvalidInput(f"{shown(issuer)} is no identity provider that browsers sign in at", field="issuer")
        return self._clients[issuer]


def challenge_of(verifier: str) -> str:
    """PKCE's S256 challenge of a verifier."""
    return base64.urlsafe_b64encode(hashlib.sha256(verifier.encode()).digest()).decode().rstrip("=")
