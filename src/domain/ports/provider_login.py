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


class ProviderLogin(Protocol):
    """Talks to the authorization servers of the configured issuers. Raises Unavailable when one does not answer."""

    @property
    def issuers(self) -> Mapping[str, str]:
        """The issuers that browsers can sign in at, with what people call them."""
        ...

    async def address(self, attempt: LoginAttempt, redirect_uri: str) -> str:
        """Where the browser is sent. Raises InvalidInput for an unknown issuer."""
        ...

    async def redeem(self, attempt: LoginAttempt, redirect_uri: str, answer: Mapping[str, str]) -> VerifiedToken:
        """The verified ID token for the answer's code. Raises NotAuthenticated for an answer to another attempt."""
        ...


class Seal(Protocol):
    """Keeps what a browser carries from reading and from changing it."""

    def close(self, content: Mapping[str, Any], seconds: float) -> str:
        """The sealed content, good for so long."""
        ...

    def open(self, text: str) -> Mapping[str, Any] | None:
        """The content; None for what was not sealed here, or is over."""
        ...
