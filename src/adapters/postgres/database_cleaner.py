"""Making PostgreSQL let go of the space of removed rows."""

from __future__ import annotations

import asyncpg

from adapters.postgres.pool import Connection, translated
from adapters.postgres.statements import statements

_SQL = statements("erasure")
_CLEANING_SECONDS = 1_800.0
_REBUILT_BYTES = 64_000_000
"""An index of up to so many bytes is built anew, which its table's writers wait for; larger ones are named."""


class PostgresDatabaseCleaner:
    """Implements ``DatabaseCleaner``: VACUUM with new statistics, indexes over words built anew, a checkpoint, a new
    segment of the write-ahead log; each as far as the role may."""

    def __init__(self, pool: asyncpg.Pool) -> None:
        self._pool = pool

    async def clean(self) -> list[str]:
        """A VACUUM does not free what an open transaction could still read; the next one does."""
        left = ["free space in the database's files may hold bytes of removed rows until it is written over"]
        with translated():
            async with self._pool.acquire() as connection:
                # Statistics hold samples of what columns had.
                await connection.execute(await connection.fetchval(_SQL["vacuum"]), timeout=_CLEANING_SECONDS)
                left += await self._rebuild(connection)
                for statement, sentence in (
                    ("checkpoint", "removed rows leave the database's files with its next checkpoint"),
                    ("switch_wal", "removed rows leave the write-ahead log when its present segments are recycled"),
                ):
                    try:
                        await connection.execute(_SQL[statement])
                    except asyncpg.InsufficientPrivilegeError:
                        left.append(sentence)
        return left

    async def settle(self) -> None:
        """Vacuum the table of erasures."""
        with translated():
            await self._pool.execute(_SQL["settle"], timeout=_CLEANING_SECONDS)

    async def _rebuild(self, connection: Connection) -> list[str]:
        """Build the indexes over words anew; which keep removed words, in a sentence."""
        kept = []
        for name, rebuild, size in await connection.fetch(_SQL["word_indexes"]):
            if size > _REBUILT_BYTES:
                kept.append(name)
                continue
            try:
                await connection.execute(rebuild, timeout=_CLEANING_SECONDS)
            except (asyncpg.InsufficientPrivilegeError, asyncpg.DeadlockDetectedError, asyncpg.LockNotAvailableError):
                kept.append(name)
        if not kept:
            return []
        return [f"indexes keep words that were removed until they are built anew (REINDEX INDEX): {', '.join(kept)}"]
