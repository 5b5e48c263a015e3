"""What claims of an identity provider gave: principals, and roles that go when the claims go."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Protocol

from domain.identity.ids import GroupId, PrincipalId
from domain.identity.principal import PrincipalKind, Role


class Claimed(Protocol):
    """Works in the transaction's organization and scopes. Roles that people gave are never touched."""

    async def add_principal(self, principal_id: PrincipalId, kind: PrincipalKind, name: str, subject: str) -> None:
        """Add a principal. Raises Conflict when the organization has the subject already."""
        ...

    async def groups(self) -> Mapping[str, GroupId]:
        """The readable scopes that are nobody's own, by path."""
        ...

    async def roles(self, principal_id: PrincipalId) -> Mapping[GroupId, Role]:
        """What claims gave the principal until now. Holds the principal against another that does the same."""
        ...

    async def give(self, principal_id: PrincipalId, group_id: GroupId, role: Role) -> None:
        """Give a role by claims, in place of what they gave before."""
        ...

    async def take(self, principal_id: PrincipalId, group_id: GroupId) -> None:
        """Take what claims gave."""
        ...

    async def note(self, principal_id: PrincipalId, name: str | None, digest: bytes | None) -> None:
        """Keep the name, where there is one, and the digest of what the claims gave."""
        ...
