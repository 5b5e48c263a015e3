"""Queues and watermarks on PostgreSQL."""

from __future__ import annotations

from collections.abc import Sequence

import asyncpg

from adapters.postgres.pool import translated
from adapters.postgres.statements import statements
from adapters.postgres.unit_of_work import enter
from domain.identity.access import Access
from domain.identity.ids import Revision
from domain.ports.operations import Backlog, DeadLetter, Watermarks

_SQL = statements("operations")


class PostgresOperations:
    """Implements ``Operations``; ``engine`` is the name of the memory engine whose graph is watched."""

    def __init__(self, pool: asyncpg.Pool, engine: str) -> None:
        self._pool = pool
        self._engine = engine

    async def backlog(self) -> Backlog:
        with translated():
            async with self._pool.acquire() as connection:
                jobs = await connection.fetch(_SQL["queue_depth"])
                lag = await connection.fetch(_SQL["greatest_lag"], self._engine)
        return Backlog(
            {(kind, state): count for kind, state, count in jobs}, {row["projection"]: row["revisions"] for row in lag}
        )

    async def dead_letters(self, access: Access, after: int, limit: int) -> list[DeadLetter]:
        rows = await self._fetch(access, _SQL["dead_letters"], after, limit)
        return [
            DeadLetter(
                id=row["id"],
                kind=row["entrypoint"],
                subject=row["subject"],
                scope=row["scope"],
                attempts=row["attempts"],
                created_at=row["created"],
                failed_at=row["updated"],
                reason=row["reason"],
            )
            for row in rows
        ]

    async def retry(self, access: Access, job_ids: Sequence[int]) -> list[int]:
        return sorted(row["id"] for row in await self._fetch(access, _SQL["retry"], list(job_ids)))

    async def watermarks(self, access: Access) -> Watermarks:
        rows = await self._fetch(access, _SQL["watermarks"], self._engine)
        head, graph, vectors = rows[0] if rows else (0, None, None)
        return Watermarks(
            Revision(head),
            None if graph is None else Revision(graph),
            None if vectors is None else Revision(vectors),
        )

    async def _fetch(self, access: Access, statement: str, *arguments: object) -> list[asyncpg.Record]:
        with translated():
            async with self._pool.acquire() as connection, connection.transaction():
                await enter(connection, access)
                return list(await connection.fetch(statement, *arguments))
