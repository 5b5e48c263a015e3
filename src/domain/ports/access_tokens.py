"""Tokens of identity providers."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Protocol

from domain.identity.issuer import Issuer


@dataclass(frozen=True, slots=True)
class VerifiedToken:
    """A token whose signature, issuer, audience and times were verified. ``expires_at``: seconds since 1970."""

    issuer: Issuer
    claims: Mapping[str, Any]
    expires_at: float


class AccessTokens(Protocol):
    """Reads access tokens. It asks nobody once the keys of an issuer are known."""

    async def read(self, token: str) -> VerifiedToken:
        """The token's claims.

        Raises NotAuthenticated for what is malformed, forged, expired, not valid yet, of an unknown issuer or for
        another audience. Raises Unavailable when the issuer's keys are needed and cannot be had.
        """
        ...
