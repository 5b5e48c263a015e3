"""Lines of the audit on their way in, each batch in one round trip."""

from __future__ import annotations

from collections.abc import Sequence

import asyncpg

from adapters.postgres.pool import translated
from adapters.postgres.statements import statements
from domain.audit.line import AuditLine

_SQL = statements("audit")


class PostgresAuditLines:
    """Implements ``AuditLines``: the statement takes the tenant and adds the lines, as the application role."""

    def __init__(self, pool: asyncpg.Pool) -> None:
        self._pool = pool

    async def append(self, lines: Sequence[AuditLine]) -> None:
        groups = ",".join(dict.fromkeys(line.group_id for line in lines))
        columns = zip(*map(_columns, lines), strict=True)
        with translated():
            # A COPY is refused on a table with row-level security; arrays go in one statement as well.
            await self._pool.fetchval(_SQL["append"], lines[0].organization_id, groups, *columns)


def _columns(line: AuditLine) -> tuple[object, ...]:
    return (
        line.group_id,
        line.id,
        line.at,
        line.principal_id,
        line.principal_kind,
        line.connection_id,
        line.door,
        line.action,
        line.what,
        line.outcome,
        ",".join(map(str, line.objects)),
        line.revision,
        line.request_id,
        line.address,
    )
