"""Organizations, scopes, principals and keys."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from typing import Protocol
from uuid import UUID

from domain.identity.grants import Grant
from domain.identity.ids import CredentialId, GroupId, OrganizationId, PrincipalId
from domain.identity.principal import PrincipalKind, Role
from domain.ports.budgets import Quotas


@dataclass(frozen=True, slots=True)
class ScopeRow:
    """A scope as it is listed; ``path`` is how a client names it."""

    id: UUID
    kind: str
    path: str
    gate: str | None
    created_at: datetime


@dataclass(frozen=True, slots=True)
class PrincipalRow:
    """A principal as it is listed."""

    id: PrincipalId
    kind: PrincipalKind
    name: str
    created_at: datetime
    disabled_at: datetime | None = None


@dataclass(frozen=True, slots=True)
class MembershipRow:
    """Who has which role where. ``given_by``: a person, or claims of the identity provider, which take it again."""

    principal_id: PrincipalId
    principal_name: str
    scope: str
    role: Role
    given_by: str


@dataclass(frozen=True, slots=True)
class KeyRow:
    """An API key as it is listed: never the key. ``grants``: the most that it may do, None for no bound.

    ``issued_by``: who saw it when it was made; None is the operator, or a key from before that was kept.
    """

    id: CredentialId
    name: str
    prefix: str
    principal_id: PrincipalId
    role: Role
    scope: str
    created_at: datetime
    expires_at: datetime | None
    revoked_at: datetime | None
    last_used_at: datetime | None
    grants: tuple[Grant, ...] | None
    replaced_by: CredentialId | None
    issued_by: PrincipalId | None


class Directory(Protocol):
    """Writes and lists who is here. Every method works in the transaction's organization and readable scopes."""

    async def add_organization(self, organization_id: OrganizationId, name: str, root: GroupId) -> None:
        """Make the organization, its own scope, and the head of its journal."""
        ...

    async def organization(self) -> tuple[str, str]:
        """The organization's name and gate policy."""
        ...

    async def gate_policy(self) -> str:
        """The gate of the narrowest readable scope that sets one, else the organization's."""
        ...

    async def add_scope(
        self, group_id: GroupId, kind: str, name: str, container: GroupId, owner: PrincipalId | None
    ) -> UUID:
        """Add a scope below another. Raises Conflict when the container has one of that name and kind."""
        ...

    async def set_monthly_limit(self, limit: float | None) -> None:
        """What models may cost the organization a month, in whole units of the prices' currency; None is no limit."""
        ...

    async def set_quotas(self, group_id: GroupId, quotas: Quotas) -> None:
        """What a scope may use, in place of what was set. Raises NotFound for a scope that is not there."""
        ...

    async def scopes(self) -> list[ScopeRow]:
        """The readable scopes, by path."""
        ...

    async def add_principal(self, principal_id: PrincipalId, kind: PrincipalKind, name: str) -> None:
        """Add a principal."""
        ...

    async def principals(self) -> list[PrincipalRow]:
        """Everybody in the organization, by name."""
        ...

    async def set_membership(self, principal_id: PrincipalId, group_id: GroupId, role: Role) -> None:
        """Give a role in a scope; a later call replaces it."""
        ...

    async def members(self) -> list[PrincipalRow]:
        """Those who have a role in a readable scope, their personal one left out, by name."""
        ...

    async def principal(self, principal_id: PrincipalId) -> PrincipalRow | None:
        """One of the organization; None for an unknown one."""
        ...

    async def switch_principal(self, principal_id: PrincipalId, enabled: bool) -> bool:
        """Disable it and end its sessions, or enable it; False when it is so already."""
        ...

    async def roles_of(self, principal_id: PrincipalId) -> list[Role]:
        """The roles of a principal in the readable scopes, its personal one left out."""
        ...

    async def owners(self, group_id: GroupId) -> list[PrincipalId]:
        """The people who own a scope and are not disabled."""
        ...

    async def remove_membership(self, principal_id: PrincipalId, group_id: GroupId) -> bool:
        """Take its role in the scope away; False when it has none there."""
        ...

    async def memberships(self) -> list[MembershipRow]:
        """Roles in the readable scopes."""
        ...

    async def add_key(
        self,
        credential_id: CredentialId,
        principal_id: PrincipalId,
        name: str,
        prefix: str,
        key_hash: bytes,
        role: Role,
        group_id: GroupId,
        expires_at: datetime | None,
        grants: frozenset[Grant] | None,
        issued_by: PrincipalId | None,
    ) -> None:
        """Keep a key's hash."""
        ...

    async def keys(self) -> list[KeyRow]:
        """Keys whose reach is one of the writable scopes, newest first."""
        ...

    async def revoke_key(self, credential_id: CredentialId) -> bool:
        """Revoke it now; False when there is none."""
        ...
