"""Organizations, scopes, principals and keys on PostgreSQL."""

from __future__ import annotations

from datetime import datetime
from uuid import UUID

import asyncpg

from adapters.postgres.pool import Connection
from adapters.postgres.statements import statements
from domain.identity.grants import Grant
from domain.identity.ids import CredentialId, GroupId, OrganizationId, PrincipalId
from domain.identity.principal import PrincipalKind, Role
from domain.ports.budgets import Quotas
from domain.ports.directory import KeyRow, MembershipRow, PrincipalRow, ScopeRow

_SQL = statements("directory")
_QUOTAS = statements("quotas")
_PEOPLE = statements("people")


class PostgresDirectory:
    """Implements ``Directory`` on one connection inside one transaction."""

    def __init__(self, connection: Connection) -> None:
        self._connection = connection

    async def add_organization(self, organization_id: OrganizationId, name: str, root: GroupId) -> None:
        await self._connection.execute(_SQL["add_organization"], organization_id, name)
        await self._connection.execute(_SQL["add_head"], organization_id)
        await self._connection.execute(_SQL["add_scope"], root, "organization", None, None, name)

    async def organization(self) -> tuple[str, str]:
        row = await self._connection.fetchrow(_SQL["organization"])
        return (row["name"], row["gate"]) if row else ("", "by_tier")

    async def gate_policy(self) -> str:
        return str(await self._connection.fetchval(_SQL["gate_policy"]))

    async def add_scope(
        self, group_id: GroupId, kind: str, name: str, container: GroupId, owner: PrincipalId | None
    ) -> UUID:
        scope_id: UUID = await self._connection.fetchval(_SQL["add_scope"], group_id, kind, container, owner, name)
        return scope_id

    async def set_monthly_limit(self, limit: float | None) -> None:
        micros = None if limit is None else round(limit * 1_000_000)
        await self._connection.execute(_SQL["set_monthly_limit"], micros)

    async def set_quotas(self, group_id: GroupId, quotas: Quotas) -> None:
        values = [getattr(quotas, name) for name in quotas.__slots__]
        await self._connection.execute(_QUOTAS["set"], group_id, *values)

    async def scopes(self) -> list[ScopeRow]:
        return [ScopeRow(*row) for row in await self._connection.fetch(_SQL["scopes"])]

    async def add_principal(self, principal_id: PrincipalId, kind: PrincipalKind, name: str) -> None:
        await self._connection.execute(_SQL["add_principal"], principal_id, kind.value, name)

    async def principals(self) -> list[PrincipalRow]:
        return [_principal(row) for row in await self._connection.fetch(_PEOPLE["principals"])]

    async def members(self) -> list[PrincipalRow]:
        return [_principal(row) for row in await self._connection.fetch(_PEOPLE["members"])]

    async def principal(self, principal_id: PrincipalId) -> PrincipalRow | None:
        row = await self._connection.fetchrow(_PEOPLE["principal"], principal_id)
        return _principal(row) if row else None

    async def switch_principal(self, principal_id: PrincipalId, enabled: bool) -> bool:
        return bool(await self._connection.fetchval(_PEOPLE["switch_principal"], principal_id, enabled))

    async def roles_of(self, principal_id: PrincipalId) -> list[Role]:
        return [Role(row[0]) for row in await self._connection.fetch(_PEOPLE["roles_of"], principal_id)]

    async def owners(self, group_id: GroupId) -> list[PrincipalId]:
        return [PrincipalId(row[0]) for row in await self._connection.fetch(_PEOPLE["owners"], group_id)]

    async def remove_membership(self, principal_id: PrincipalId, group_id: GroupId) -> bool:
        return bool(await self._connection.fetchval(_PEOPLE["remove_membership"], principal_id, group_id))

    async def set_membership(self, principal_id: PrincipalId, group_id: GroupId, role: Role) -> None:
        await self._connection.execute(_SQL["set_membership"], group_id, principal_id, role.value)

    async def memberships(self) -> list[MembershipRow]:
        rows = await self._connection.fetch(_SQL["memberships"])
        return [MembershipRow(i, name, path, Role(role), by) for i, name, path, role, by in rows]

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
        words = None if grants is None else sorted(grants)
        await self._connection.execute(
            _SQL["add_key"],
            credential_id,
            principal_id,
            name,
            prefix,
            key_hash,
            role.value,
            group_id,
            expires_at,
            words,
            issued_by,
        )

    async def keys(self) -> list[KeyRow]:
        rows = await self._connection.fetch(_SQL["keys"])
        return [_key(row) for row in rows]

    async def revoke_key(self, credential_id: CredentialId) -> bool:
        return bool(await self._connection.fetchval(_SQL["revoke_key"], credential_id))


def _principal(row: asyncpg.Record) -> PrincipalRow:
    identifier, kind, name, created, disabled = row
    return PrincipalRow(identifier, PrincipalKind(kind), name, created, disabled)


def _key(row: asyncpg.Record) -> KeyRow:
    identifier, name, prefix, principal, role, scope, created, expires, revoked, used, grants, replaced_by, by = row
    words = None if grants is None else tuple(Grant(word) for word in grants)
    return KeyRow(
        identifier, name, prefix, principal, Role(role), scope, created, expires, revoked, used, words, replaced_by, by
    )
