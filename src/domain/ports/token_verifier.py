"""Who is behind a token."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Protocol

from domain.identity.ids import GroupId
from domain.identity.principal import Principal


@dataclass(frozen=True, slots=True)
class Credential:
    """What a verified token says: its principal, whose role is the most that it may do, and the widest scope."""

    principal: Principal
    reach: GroupId


class TokenVerifier(Protocol):
    """Turns a token into a credential."""

    async def verify(self, token: str) -> Credential:
        """The token's credential.

        Raises NotAuthenticated: malformed, unknown and revoked tokens read the same; an expired one may say so.
        Raises Unavailable when the answer cannot be had.
        """
        ...
