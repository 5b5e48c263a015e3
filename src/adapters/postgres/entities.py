"""Entities for edits, on PostgreSQL."""

from __future__ import annotations

from collections.abc import Sequence

import asyncpg

from adapters.postgres.pool import Connection
from adapters.postgres.statements import statements
from domain.identity.ids import EntityId, Revision
from domain.ports.entities import Edited, SaidOf, ShownEntity

_SQL = statements("entities")


class PostgresEntities:
    """Implements ``EntityRecord`` on one connection inside one transaction."""

    def __init__(self, connection: Connection) -> None:
        self._connection = connection

    async def shown(self, entity_id: EntityId) -> ShownEntity | None:
        row = await self._connection.fetchrow(_SQL["shown"], entity_id)
        return None if row is None else _shown(row)

    async def hold(self, entity_id: EntityId) -> None:
        await self._connection.fetchval(_SQL["hold"], entity_id)

    async def edited(self, entity_id: EntityId) -> Edited:
        row = await self._connection.fetchrow(_SQL["edited"], entity_id)
        assert row is not None
        return Edited(Revision(row["revision"]), row["by"])

    async def named(self, normal: str, entity_id: EntityId) -> Sequence[ShownEntity]:
        return [_shown(row) for row in await self._connection.fetch(_SQL["named"], normal, entity_id)]

    async def aliases(self, entity_id: EntityId, normal: str) -> Sequence[SaidOf]:
        return [_said(row) for row in await self._connection.fetch(_SQL["aliases"], entity_id, normal)]

    async def descriptions(self, entity_id: EntityId) -> Sequence[SaidOf]:
        return [_said(row) for row in await self._connection.fetch(_SQL["descriptions"], entity_id)]


def _shown(row: asyncpg.Record) -> ShownEntity:
    return ShownEntity(*row)


def _said(row: asyncpg.Record) -> SaidOf:
    return SaidOf(*row)
