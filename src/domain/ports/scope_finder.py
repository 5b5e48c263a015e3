"""From the name of a scope to the scopes in force."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Protocol

from domain.identity.ids import GroupId, OrganizationId, PrincipalId
from domain.identity.principal import Role
from domain.identity.scope_name import ScopeName
from domain.ports.token_verifier import Credential


@dataclass(frozen=True, slots=True)
class FoundScope:
    """A scope and those that contain it, narrowest first. ``role``: what the principal's memberships give there."""

    chain: tuple[GroupId, ...]
    role: Role | None


class ScopeFinder(Protocol):
    """Looks scopes up before there is a tenant. Every method raises Unavailable when the database does not answer."""

    async def find(self, credential: Credential, name: ScopeName | None) -> FoundScope | None:
        """The named scope, or that of the credential's reach; None when there is none within reach."""
        ...

    async def chain(self, organization_id: OrganizationId, group_id: GroupId) -> tuple[GroupId, ...]:
        """The scope and those that contain it, narrowest first; empty when there is none."""
        ...

    async def below(
        self, organization_id: OrganizationId, group_id: GroupId, principal_id: PrincipalId | None = None
    ) -> tuple[GroupId, ...]:
        """The scope and every scope in it, personal ones included; for a principal, only its own of those."""
        ...
