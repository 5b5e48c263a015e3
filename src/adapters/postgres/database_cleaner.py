"""Making PostgreSQL let go of the space of removed rows."""

from __future__ import annotations

import asyncpg

from adapters.postgres.pool import translated
from adapters.postgres.statements import statements

_SQL = statements("erasure")
_VACUUM_SECONDS = 1_800.0


class PostgresDatabaseCleaner:
    """Implements ``DatabaseCleaner`` by VACUUM; a checkpoint and a new WAL segment where the role may."""

    def __init__(self, pool: asyncpg.Pool) -> None:
        self._pool = pool

    async def clean(self) -> list[str]:
        """A VACUUM does not free what an open transaction could still read; the next one does."""
        left = []
        with translated():
            async with self._pool.acquire() as connection:
                await connection.execute(_SQL["vacuum"], timeout=_VACUUM_SECONDS)
                for statement, sentence in (
                    ("checkpoint", "removed rows leave the database's files with its next checkpoint"),
                    ("switch_wal", "removed rows leave the write-ahead log when its present segments are recycled"),
                ):
                    try:
                        await connection.execute(_SQL[statement])
                    except asyncpg.InsufficientPrivilegeError:
                        left.append(sentence)
        return left
