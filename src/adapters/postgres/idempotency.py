"""Idempotency keys on PostgreSQL."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

import asyncpg

from adapters.postgres.pool import Connection, translated
from adapters.postgres.statements import statements
from adapters.postgres.unit_of_work import enter
from domain.identity.access import Access
from domain.ports.idempotency import KeptAnswer

_SQL = statements("operations")


class PostgresIdempotencyKeys:
    """Implements ``IdempotencyKeys``. The primary key decides which of two requests came first."""

    def __init__(self, pool: asyncpg.Pool) -> None:
        self._pool = pool

    async def take(self, access: Access, key: str, request_hash: bytes) -> KeptAnswer | None:
        place = (access.write_scope, access.principal.id, key)
        async with self._entered(access) as connection:
            if await connection.fetchval(_SQL["take_key"], *place, request_hash):
                return None
            row = await connection.fetchrow(_SQL["read_key"], *place)
        # Freed between the two statements: the first request failed, and the caller may send it again.
        return KeptAnswer(*row) if row else None

    async def keep(self, access: Access, key: str, response: bytes) -> None:
        async with self._entered(access) as connection:
            await connection.execute(_SQL["keep_response"], access.write_scope, access.principal.id, key, response)

    async def release(self, access: Access, key: str) -> None:
        async with self._entered(access) as connection:
            await connection.execute(_SQL["drop_key"], access.write_scope, access.principal.id, key)

    @asynccontextmanager
    async def _entered(self, access: Access) -> AsyncIterator[Connection]:
        with translated():
            async with self._pool.acquire() as connection, connection.transaction():
                await enter(connection, access)
                yield connection
