"""Who lags behind the record, on PostgreSQL."""

from __future__ import annotations

from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from datetime import timedelta

import asyncpg

from adapters.postgres.pool import translated
from adapters.postgres.statements import statements
from adapters.postgres.unit_of_work import enter
from domain.identity.access import Access
from domain.identity.ids import GroupId, OrganizationId, Revision, VersionId
from domain.ports.erasure import ErasureId
from domain.ports.job_queue import JobKind
from domain.ports.stragglers import Root

_SQL = statements("sweep")
_AUDIT = statements("audit")
_TERMS_SECONDS = 600.0


class PostgresStragglers:
    """Implements ``Stragglers``. Who sweeps holds an advisory lock on a connection of its own, and loses it with it."""

    def __init__(self, pool: asyncpg.Pool) -> None:
        self._pool = pool

    @asynccontextmanager
    async def lead(self) -> AsyncIterator[bool]:
        with translated():
            async with self._pool.acquire() as connection:
                leads = bool(await connection.fetchval(_SQL["lead"]))
                try:
                    yield leads
                finally:
                    if leads and not connection.is_closed():
                        await connection.fetchval(_SQL["follow"])

    async def behind(self, engine: str) -> Sequence[tuple[OrganizationId, GroupId, JobKind]]:
        with translated():
            rows = await self._pool.fetch(_SQL["jobs_due"], engine)
        return [(OrganizationId(row[0]), GroupId(row[1]), JobKind(row[2])) for row in rows]

    async def organizations(self) -> Sequence[Root]:
        with translated():
            rows = await self._pool.fetch(_SQL["organizations"])
        return [Root(OrganizationId(row[0]), GroupId(row[1]), Revision(row[2])) for row in rows]

    async def unfinished(self, access: Access, older_than: timedelta) -> Sequence[tuple[VersionId, GroupId]]:
        with translated():
            async with self._pool.acquire() as connection, connection.transaction(readonly=True):
                await enter(connection, access)
                rows = await connection.fetch(_SQL["unfinished"], older_than)
        return [(VersionId(row[0]), GroupId(row[1])) for row in rows]

    async def restart_erasures(self, most: int) -> Sequence[tuple[OrganizationId, GroupId, ErasureId]]:
        with translated():
            rows = await self._pool.fetch(_SQL["restart_erasures"], most)
        return [(OrganizationId(row[0]), GroupId(row[1]), ErasureId(row[2])) for row in rows]

    async def stuck_erasures(self, most: int) -> Sequence[tuple[OrganizationId, ErasureId]]:
        with translated():
            rows = await self._pool.fetch(_SQL["stuck_erasures"], most)
        return [(OrganizationId(row[0]), ErasureId(row[1])) for row in rows]

    async def refresh_search_terms(self, organization_id: OrganizationId) -> None:
        with translated():
            await self._pool.execute(_SQL["refresh_search_terms"], organization_id, timeout=_TERMS_SECONDS)

    async def forget_job_log(self, older_than: timedelta, most: int) -> int:
        return await self._forget("forget_job_log", older_than, most)

    async def forget_repeated_failures(self, most: int) -> int:
        return await self._forget("forget_repeated_failures", most)

    async def forget_packs(self, most: int) -> int:
        return await self._forget("forget_packs", most)

    async def forget_audit(self, days: int, most: int) -> int:
        with translated():
            return int(await self._pool.fetchval(_AUDIT["forget"], days, most))

    async def forget_kept_answers(self, older_than: timedelta, most: int) -> int:
        return await self._forget("forget_kept_answers", older_than, most)

    async def _forget(self, statement: str, *arguments: object) -> int:
        with translated():
            return int(await self._pool.fetchval(_SQL[statement], *arguments))
