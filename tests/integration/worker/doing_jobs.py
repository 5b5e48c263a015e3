"""Running a worker inside a test, and looking at the queue from outside."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable, Mapping
from contextlib import asynccontextmanager

import asyncpg

from adapters.inmemory.memory_engine import InMemoryMemoryEngine
from domain.ports.embedder import Embedder
from domain.ports.job_queue import Job, JobKind
from domain.ports.memory_engine import MemoryEngine
from entrypoints.telemetry import Metrics
from entrypoints.worker.limits import WorkerLimits
from entrypoints.worker.main import run_worker
from entrypoints.worker.work import Handler
from tests.integration.worker.working import QUICK, work_on
from tests.services.database import Database
from tests.services.world import World


async def until(condition: Callable[[], Awaitable[bool]], seconds: float = 20.0) -> None:
    """Return when the condition holds; fail when it does not in time."""
    async with asyncio.timeout(seconds):
        while not await condition():  # noqa: ASYNC110
            await asyncio.sleep(0.05)


@asynccontextmanager
async def running(
    world: World,
    database: Database,
    handlers: Mapping[JobKind, Handler] | None = None,
    engine: MemoryEngine | None = None,
    embedder: Embedder | None = None,
    limits: WorkerLimits = QUICK,
) -> AsyncIterator[Metrics]:
    """A worker is at work in this process while the context is open."""
    stop, metrics = asyncio.Event(), Metrics()
    work = work_on(world.pool, database.worker, engine or InMemoryMemoryEngine(), handlers, embedder)
    task = asyncio.create_task(run_worker(work, metrics, stop, limits))
    try:
        yield metrics
    finally:
        stop.set()
        await task


async def enqueue(world: World, *jobs: Job) -> None:
    """Add jobs as a use case of the world would."""
    async with world.unit_of_work(world.access) as tx:
        await tx.jobs.enqueue(jobs)


async def jobs_left(database: Database) -> list[tuple[str, str, int]]:
    """Kind, status and attempts of every job, finished ones being gone."""
    connection = await asyncpg.connect(database.administrator)
    rows = await connection.fetch("SELECT entrypoint, status::text, attempts FROM assay.pgqueuer ORDER BY id")
    await connection.close()
    return [tuple(row) for row in rows]
