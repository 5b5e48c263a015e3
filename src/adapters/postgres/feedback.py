"""Feedback on PostgreSQL."""

from __future__ import annotations

from collections.abc import Mapping

from adapters.postgres.pool import Connection
from adapters.postgres.rows import to_json
from adapters.postgres.statements import statements
from domain.identity.access import Access
from domain.identity.ids import FactId, Revision

_SQL = statements("usage")


class PostgresFeedback:
    """Implements ``Feedback`` on one connection inside one transaction."""

    def __init__(self, connection: Connection, access: Access) -> None:
        self._connection = connection
        self._access = access

    async def give(
        self, fact_id: FactId, helpful: bool, query: str | None, signals: Mapping[str, object]
    ) -> Revision | None:
        revision = await self._connection.fetchval(
            _SQL["give_feedback"], fact_id, self._access.principal.id, helpful, query, to_json(signals)
        )
        return None if revision is None else Revision(revision)
