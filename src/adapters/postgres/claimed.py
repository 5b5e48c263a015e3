"""What claims gave, on PostgreSQL."""

from __future__ import annotations

from collections.abc import Mapping

from adapters.postgres.pool import Connection
from adapters.postgres.statements import statements
from domain.identity.ids import GroupId, PrincipalId
from domain.identity.principal import PrincipalKind, Role

_SQL = statements("claimed")


class PostgresClaimed:
    """Implements ``Claimed`` on one connection inside one transaction."""

    def __init__(self, connection: Connection) -> None:
        self._connection = connection

    async def add_principal(self, principal_id: PrincipalId, kind: PrincipalKind, name: str, subject: str) -> None:
        await self._connection.execute(_SQL["add_principal"], principal_id, kind.value, name, subject)

    async def groups(self) -> Mapping[str, GroupId]:
        return {path: GroupId(group) for path, group in await self._connection.fetch(_SQL["groups"])}

    async def roles(self, principal_id: PrincipalId) -> Mapping[GroupId, Role]:
        await self._connection.execute(_SQL["hold"], principal_id)
        rows = await self._connection.fetch(_SQL["roles"], principal_id)
        return {GroupId(group): Role(role) for group, role in rows}

    async def give(self, principal_id: PrincipalId, group_id: GroupId, role: Role) -> None:
        await self._connection.execute(_SQL["give"], group_id, principal_id, role.value)

    async def take(self, principal_id: PrincipalId, group_id: GroupId) -> None:
        await self._connection.execute(_SQL["take"], group_id, principal_id)

    async def note(self, principal_id: PrincipalId, name: str | None, digest: bytes | None) -> None:
        await self._connection.execute(_SQL["note"], principal_id, name, digest)
