"""One lane: a queue manager on a connection of its own, started again when the database was away."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from datetime import timedelta

import asyncpg
import structlog
from pgqueuer.db import AsyncpgDriver
from pgqueuer.models import Job, TracebackRecord
from pgqueuer.qm import QueueManager
from pgqueuer.queries import Queries

from domain.ports.job_queue import JobKind, Lane
from entrypoints.worker.limits import WorkerLimits
from entrypoints.worker.running import JobRunner, PutOff

log = structlog.get_logger(__name__)

_SERVER_SETTINGS = {"search_path": "assay, public", "plan_cache_mode": "force_custom_plan"}
_LOST = (OSError, asyncpg.PostgresError, asyncpg.InterfaceError, TimeoutError)
_LONGEST_PAUSE = 10.0


async def run_lane(lane: Lane, dsn: str, runner: JobRunner, limits: WorkerLimits, stop: asyncio.Event) -> None:
    """Take and run the lane's jobs until ``stop``; returns when those in work have ended or were handed back.

    A job that was in work when the connection broke runs to its end, and again when that could not be written down.
    """
    pause = 0.25
    while not stop.is_set():
        try:
            async with _connection(dsn, lane) as connection:
                pause = 0.25
                await _take_jobs(lane, connection, runner, limits, stop)
        except _LOST as error:
            log.warning("lane waits for the database", lane=lane.value, reason=type(error).__name__, seconds=pause)
            await paused(stop, pause)
            pause = min(2 * pause, _LONGEST_PAUSE)


async def paused(stop: asyncio.Event, seconds: float) -> None:
    """Wait, but not beyond ``stop``."""
    try:
        async with asyncio.timeout(seconds):
            await stop.wait()
    except TimeoutError:
        return


class _Queries(Queries):
    """Knows a job that is put off from one that failed."""

    async def retry_job(self, job: Job, delay: timedelta, traceback_record: TracebackRecord | None) -> None:
        if traceback_record is None or traceback_record.exception_type != PutOff.__name__:
            await super().retry_job(job, delay, traceback_record)
            return
        context = traceback_record.additional_context or {}
        outage = context.get("reason") != PutOff.HANDED_BACK
        await self.driver.execute("SELECT put_off_job($1, $2, $3)", job.id, delay, outage)


class _Manager(QueueManager):
    """A manager that trusts the migrations: its own look at the tables asks for one that the worker may not read."""

    async def verify_structure(self) -> None:
        """The application refused to start on another schema."""


async def _take_jobs(
    lane: Lane, connection: asyncpg.Connection, runner: JobRunner, limits: WorkerLimits, stop: asyncio.Event
) -> None:
    manager = _Manager(_Queries(AsyncpgDriver(connection)))
    for kind in JobKind:
        if kind.lane is lane:
            manager.entrypoint(kind.value, on_failure="hold", accepts_context=False)(runner.__call__)
    ending = asyncio.create_task(_shut_down(manager, stop))
    try:
        await manager.run(
            dequeue_timeout=limits.poll,
            batch_size=max(1, limits.at_once[lane] // 2),
            max_concurrent_tasks=limits.at_once[lane],
            heartbeat_timeout=limits.heartbeat,
            # Its statistics table is not ours to write; the sweeper forgets old log lines.
            log_aggregation_interval=timedelta(0),
        )
    finally:
        ending.cancel()


async def _shut_down(manager: QueueManager, stop: asyncio.Event) -> None:
    await stop.wait()
    manager.shutdown.set()


@asynccontextmanager
async def _connection(dsn: str, lane: Lane) -> AsyncIterator[asyncpg.Connection]:
    settings = {**_SERVER_SETTINGS, "application_name": f"assay worker {lane.value}"}
    connection = await asyncpg.connect(dsn, server_settings=settings, timeout=10)
    try:
        yield connection
    finally:
        connection.terminate()
