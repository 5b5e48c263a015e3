"""Who is behind a token, of whatever kind it is."""

from __future__ import annotations

import hashlib
import re
import time
from collections.abc import Callable
from dataclasses import replace
from typing import Protocol

from application.identity.admit_subject import AdmitSubject, as_credential
from application.identity.remembered import REMEMBER_SECONDS, Remembered
from domain.errors import NotAuthenticated
from domain.identity.claims import grants_of, identity_of, resources_of
from domain.identity.ids import OrganizationId
from domain.ports.access_tokens import AccessTokens
from domain.ports.token_verifier import Credential, TokenVerifier

LONGEST = 16 * 1024
"""Characters of any token: a longer one is refused unread."""
_JWT = re.compile(r"[A-Za-z0-9_-]+\.[A-Za-z0-9_-]+\.[A-Za-z0-9_-]*\Z")


class RememberingVerifier(TokenVerifier, Protocol):
    """A verifier that remembers for a moment, and forgets when it is told."""

    def forget(self, organization_id: OrganizationId | None) -> None:
        """Verify anew what is of the organization; None is everything."""
        ...


class ProviderTokens:
    """Implements ``TokenVerifier`` for tokens of identity providers.

    - The token's grants bound what it may do; the roles are those of its principal's memberships.
    - A verified token is remembered for ``remember_seconds`` at most, until it expires, and until ``forget``.
    """

    def __init__(
        self,
        tokens: AccessTokens,
        admit: AdmitSubject,
        *,
        remember_seconds: float = REMEMBER_SECONDS,
        now: Callable[[], float] = time.monotonic,
        epoch: Callable[[], float] = time.time,
    ) -> None:
        self._tokens = tokens
        self._admit = admit
        self._epoch = epoch
        self._known: Remembered[bytes, Credential] = Remembered(remember_seconds, now=now)

    async def verify(self, token: str) -> Credential:
        digest = hashlib.sha256(token.encode()).digest()
        return self._known.get(digest) or await self._look_up(token, digest)

    def forget(self, organization_id: OrganizationId | None) -> None:
        """Look again at the principals of the organization; None is all."""
        self._known.forget(organization_id)

    async def _look_up(self, token: str, digest: bytes) -> Credential:
        turn = self._known.turn
        read = await self._tokens.read(token)
        identity = identity_of(read.issuer, read.claims)
        plain = as_credential(await self._admit(identity, provision=read.issuer.provision), identity)
        principal = replace(plain.principal, grants=grants_of(read.issuer, read.claims))
        credential = Credential(principal, plain.reach, resources_of(read.issuer, read.claims))
        self._known.keep(digest, credential, identity.organization_id, turn, read.expires_at - self._epoch())
        return credential


class AnyToken:
    """Implements ``TokenVerifier``: a token in the form of a JWT is a provider's, where there is one; else a key."""

    def __init__(self, keys: RememberingVerifier, provider_tokens: RememberingVerifier | None) -> None:
        self._keys = keys
        self._provider_tokens = provider_tokens

    def forget(self, organization_id: OrganizationId | None) -> None:
        """Verify anew what is of the organization; None is everything."""
        self._keys.forget(organization_id)
        if self._provider_tokens is not None:
            self._provider_tokens.forget(organization_id)

    async def verify(self, token: str) -> Credential:
        if len(token) > LONGEST:
            raise NotAuthenticated(f"this token has more than {LONGEST} characters; no token of ours is so long")
        if self._provider_tokens is not None and _JWT.match(token):
            return await self._provider_tokens.verify(token)
        return await self._keys.verify(token)
