"""Signing in at an identity provider with a browser: authorization code with PKCE."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Protocol

from domain.ports.access_tokens import VerifiedToken


@dataclass(frozen=True, slots=True)
class LoginAttempt:
    """What only the browser that began knows: it comes back in the answer, or proves it. ``verifier`` is PKCE's."""

    issuer: str
    state: str
    nonce: str
    verifier: str


@dataclass(frozen=True, slots=True)
class TokenSet:
    """What a provider gave. ``identity`` is the verified ID token, where there is one."""

    access_token: str
    refresh_token: str | None
    expires_in: float
    identity: VerifiedToken | None


class ProviderLogin(Protocol):
    """Talks to the authorization servers of the configured issuers. Raises Unavailable when one does not answer."""

    @property
    def issuers(self) -> Mapping[str, str]:
        """The issuers that browsers can sign in at, with what people call them."""
        ...

    async def address(self, attempt: LoginAttempt, redirect_uri: str) -> str:
        """Where the browser is sent. Raises InvalidInput for an unknown issuer."""
        ...

    async def redeem(self, attempt: LoginAttempt, redirect_uri: str, answer: Mapping[str, str]) -> TokenSet:
        """The tokens for the answer's code. Raises NotAuthenticated for an answer to another attempt."""
        ...

    async def refresh(self, issuer: str, refresh_token: str) -> TokenSet:
        """New tokens. Raises NotAuthenticated when the provider gives none any more."""
        ...

    async def revoke(self, issuer: str, refresh_token: str) -> None:
        """Tell the provider that the token is not used any more, where it listens."""
        ...


class Seal(Protocol):
    """Keeps what a browser carries from reading and from changing it."""

    def close(self, content: Mapping[str, Any], seconds: float) -> str:
        """The sealed content, good for so long."""
        ...

    def open(self, text: str) -> Mapping[str, Any] | None:
        """The content; None for what was not sealed here, or is over."""
        ...
