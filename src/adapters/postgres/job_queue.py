"""The outbox on PgQueuer: jobs are rows of the caller's transaction."""

from __future__ import annotations

from collections.abc import Sequence
from typing import cast

import asyncpg
from pgqueuer.db import AsyncpgDriver
from pgqueuer.queries import Queries

from adapters.postgres.pool import Connection
from domain.identity.access import Access
from domain.ports.job_queue import Job


class PgQueuerJobQueue:
    """Implements ``JobQueue`` on one connection inside one transaction.

    Headers name the tenant and are what the policies check; the payload is an id or nothing.
    """

    def __init__(self, connection: Connection, access: Access) -> None:
        self._queries = Queries(AsyncpgDriver(cast("asyncpg.Connection[asyncpg.Record]", connection)))
        self._organization = str(access.organization_id)

    async def enqueue(self, jobs: Sequence[Job]) -> None:
        if jobs:
            await self._queries.enqueue(
                [job.kind.value for job in jobs],
                [str(job.subject).encode() if job.subject else None for job in jobs],
                [job.priority for job in jobs],
                execute_after=[job.delay for job in jobs],
                headers=[{"organization_id": self._organization, "group_id": job.group_id} for job in jobs],
            )
