"""The authorization code flow (OAuth 2.1, OpenID Connect, RFC 7636, RFC 9207)."""

from __future__ import annotations

import base64
import hashlib
import hmac
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from urllib.parse import urlencode

import httpx

from adapters.oidc.access_tokens import Trusted, peeked, verified_claims
from adapters.oidc.discovery import Discovery
from adapters.oidc.fetching import ProviderUnavailable, post_form
from domain.errors import InvalidInput, NotAuthenticated, shown
from domain.ports.access_tokens import VerifiedToken
from domain.ports.provider_login import LoginAttempt

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
        asked = {
            "response_type": "code",
            "client_id": client.client_id,
            "redirect_uri": redirect_uri,
            "scope": " ".join(client.scopes),
            "state": attempt.state,
            "nonce": attempt.nonce,
            "code_challenge": challenge_of(attempt.verifier),
            "code_challenge_method": "S256",
        }
        return f"{endpoint}{'&' if '?' in endpoint else '?'}{urlencode(asked)}"

    async def redeem(self, attempt: LoginAttempt, redirect_uri: str, answer: Mapping[str, str]) -> VerifiedToken:
        client = self._client(attempt.issuer)
        metadata = await client.discovery.metadata()
        named = answer.get("iss")
        ours = hmac.compare_digest(answer.get("state", "").encode(), attempt.state.encode())
        if not ours or named not in (attempt.issuer, None) or (named is None and metadata.names_itself):
            raise NotAuthenticated(_REFUSAL)
        if "code" not in answer or metadata.token is None:
            said = shown(answer.get("error", "no code"))
            raise NotAuthenticated(f"the identity provider did not sign you in ({said}); begin again at /login")
        form = {
            "grant_type": "authorization_code",
            "code": answer["code"],
            "redirect_uri": redirect_uri,
            "code_verifier": attempt.verifier,
            "client_id": client.client_id,
        }
        auth = None if client.client_secret is None else (client.client_id, client.client_secret)
        given = await post_form(self._http, metadata.token, form, auth)
        token = given.get("id_token")
        if not isinstance(token, str):
            raise NotAuthenticated(f"the identity provider refused the code ({shown(given.get('error', 'no token'))})")
        return await self._id_token(client, token, attempt.nonce)

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
