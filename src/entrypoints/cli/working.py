"""A worker inside another process."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from datetime import timedelta

from entrypoints.application import Application
from entrypoints.telemetry import Metrics
from entrypoints.worker.limits import WorkerLimits
from entrypoints.worker.main import run_worker
from entrypoints.worker.work import work_of

GRACE = timedelta(seconds=5)
"""How long jobs may take to end when the process stops; what has not ended is handed back to the queue."""


@asynccontextmanager
async def working(app: Application, metrics: Metrics) -> AsyncIterator[asyncio.Task[None]]:
    """Do jobs while the context is open. Yields the task that works."""
    stop = asyncio.Event()
    work = work_of(app, app.upkeep)
    task = asyncio.create_task(run_worker(work, metrics, stop, WorkerLimits(grace=GRACE)), name="worker")
    try:
        yield task
    finally:
        stop.set()
        await task
