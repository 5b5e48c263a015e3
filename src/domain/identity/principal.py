"""Who acts. A principal comes from a verified credential, never from a parameter of a request."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

from domain.errors import InvalidInput, shown
from domain.identity.grants import Grant
from domain.identity.ids import OrganizationId, PrincipalId


class PrincipalKind(StrEnum):
    """What sort of actor a principal is."""

    HUMAN = "human"
    AGENT = "agent"
    SYSTEM = "system"


class Role(StrEnum):
    """What a principal may do. Each role includes those before it; compare with ``at_least``."""

    VIEWER = "viewer"
    MEMBER = "member"
    CURATOR = "curator"
    ADMIN = "admin"
    OWNER = "owner"

    def at_least(self, other: Role) -> bool:
        """Whether this role includes ``other``."""
        return _RANK[self] >= _RANK[other]


_RANK = {role: rank for rank, role in enumerate(Role)}


@dataclass(frozen=True, slots=True)
class Principal:
    """An actor in one organization, with the connection that it acts through (an API key, a token, a session).

    ``grants``: what that connection may do at most; None bounds nothing.
    """

    id: PrincipalId
    organization_id: OrganizationId
    kind: PrincipalKind
    role: Role
    connection_id: str
    name: str
    grants: frozenset[Grant] | None = None

    def __post_init__(self) -> None:
        if not self.connection_id.strip():
            raise InvalidInput("A principal needs a connection id; it was empty.", field="connection_id")
        if not self.name.strip():
            raise InvalidInput(f"A principal needs a name; got {shown(self.name)}.", field="name")
