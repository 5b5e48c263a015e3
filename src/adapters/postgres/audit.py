"""The audit on PostgreSQL."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from adapters.postgres.pool import Connection
from adapters.postgres.statements import statements
from domain.audit.line import AuditAction, AuditLine, AuditRead, Door
from domain.identity.access import Access
from domain.identity.ids import GroupId, PrincipalId, Revision

_SQL = statements("audit")


class PostgresAudit:
    """Implements ``Audit`` on one connection inside one transaction."""

    def __init__(self, connection: Connection, access: Access) -> None:
        self._connection = connection
        self._access = access

    async def lines(self, groups: Sequence[GroupId], read: AuditRead) -> list[AuditLine]:
        rows = await self._connection.fetch(
            _SQL["oldest" if read.oldest_first else "newest"],
            list(groups),
            read.since,
            read.until,
            read.after,
            read.principal,
            read.action,
            read.outcome,
            read.limit,
        )
        return [self._line(row) for row in rows]

    async def days(self) -> int | None:
        found: int | None = await self._connection.fetchval(_SQL["days"])
        return found

    async def keep_for(self, days: int | None) -> None:
        await self._connection.execute(_SQL["set_days"], days)

    def _line(self, row: Any) -> AuditLine:
        return AuditLine(
            id=row["audit_id"],
            organization_id=self._access.organization_id,
            group_id=GroupId(row["group_id"]),
            at=row["at"],
            principal_id=PrincipalId(row["principal_id"]),
            principal_kind=row["principal_kind"],
            connection_id=row["connection_id"],
            door=Door(row["door"]),
            action=AuditAction(row["action"]),
            what=row["what"],
            outcome=row["outcome"],
            objects=tuple(row["objects"]),
            revision=None if row["revision"] is None else Revision(row["revision"]),
            request_id=row["request_id"],
            address=row["address"],
            principal_name=row["name"],
        )
