"""Who is behind a token."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Protocol

from domain.errors import NotAuthenticated
from domain.identity.ids import GroupId
from domain.identity.principal import Principal
from domain.identity.resource import Resource as Resource


@dataclass(frozen=True, slots=True)
class Credential:
    """What a verified token says: its principal, whose role is the most that it may do, and the widest scope.

    ``resources`` are those that it was made for; None for a key, which serves at every door. ``opens_personal`` tells
    whether it leads to the principal's personal scope.
    """

    principal: Principal
    reach: GroupId
    resources: frozenset[Resource] | None = None
    opens_personal: bool = True

    def require_for(self, resource: Resource) -> None:
        """Raise NotAuthenticated when the token was made for another resource."""
        if self.resources is not None and resource not in self.resources:
            raise NotAuthenticated(
                "this token was issued for another resource; ask the authorization server for one for this address",
                field="Authorization",
            )


class CredentialRefused(NotAuthenticated):
    """It was valid once: revoked, expired, or of somebody who was disabled.

    To its bearer it reads as any other refusal; ``credential`` is for the audit of its organization.
    """

    def __init__(self, message: str, credential: Credential) -> None:
        super().__init__(message)
        self.credential = credential


class TokenVerifier(Protocol):
    """Turns a token into a credential."""

    async def verify(self, token: str) -> Credential:
        """The token's credential.

        Raises NotAuthenticated: malformed, unknown and revoked tokens read the same; an expired one may say so.
        Raises Unavailable when the answer cannot be had.
        """
        ...
