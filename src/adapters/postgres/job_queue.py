"""The outbox on PgQueuer: jobs are rows of the caller's transaction."""

from __future__ import annotations

from collections.abc import Sequence

from opentelemetry.propagate import inject

from adapters.postgres.pool import Connection
from adapters.postgres.rows import to_json
from adapters.postgres.statements import statements
from domain.ports.job_queue import Job

_SQL = statements("record")


class PgQueuerJobQueue:
    """Implements ``JobQueue`` on one connection inside one transaction.

    Headers name the tenant and are what the policies check; the payload is an id or nothing.
    """

    def __init__(self, connection: Connection) -> None:
        self._connection = connection

    async def enqueue(self, jobs: Sequence[Job]) -> None:
        if jobs:
            await self._connection.execute(_SQL["enqueue_jobs"], job_parameter(jobs))


def job_parameter(jobs: Sequence[Job]) -> str | None:
    """The parameter of ``enqueue_jobs``; None for no jobs."""
    if not jobs:
        return None
    traced = _traced()
    return to_json(
        [
            {
                "entrypoint": job.kind.value,
                "payload": str(job.subject) if job.subject else None,
                "priority": job.priority,
                "delay": job.delay.total_seconds(),
                "group_id": job.group_id,
                "headers": traced,
            }
            for job in jobs
        ]
    )


def _traced() -> dict[str, dict[str, str]] | None:
    """The caller's trace as the worker's tracer reads it, so that a job joins it; None outside any."""
    carrier: dict[str, str] = {}
    inject(carrier)
    return {"otel": carrier} if carrier else None
