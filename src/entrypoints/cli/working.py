"""A worker inside another process, and whether one is at work."""

from __future__ import annotations

import asyncio
import fcntl
import os
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager, contextmanager
from dataclasses import replace
from datetime import timedelta
from pathlib import Path

from entrypoints.application import Application
from entrypoints.settings import Settings
from entrypoints.telemetry import Metrics
from entrypoints.worker.limits import limits_of
from entrypoints.worker.main import run_worker
from entrypoints.worker.work import work_of

GRACE = timedelta(seconds=5)
"""How long jobs may take to end when the process stops; what has not ended is handed back to the queue."""

_LOCK = "worker.lock"


@asynccontextmanager
async def working(app: Application, metrics: Metrics) -> AsyncIterator[asyncio.Task[None]]:
    """Do jobs while the context is open. Yields the task that works."""
    stop = asyncio.Event()
    work = work_of(app, app.upkeep)
    limits = limits_of(app.settings.worker)
    limits = replace(limits, grace=min(GRACE, limits.grace))
    with announced(app.settings):
        task = asyncio.create_task(run_worker(work, metrics, stop, limits), name="worker")
        try:
            yield task
        finally:
            stop.set()
            await task


@contextmanager
def announced(settings: Settings) -> Iterator[None]:
    """Let other processes of the embedded folder know that a worker is at work, as long as this one lives."""
    if not settings.is_embedded:
        yield
        return
    held = _lock_file(settings.embedded.folder)
    try:
        fcntl.flock(held, fcntl.LOCK_SH)
        yield
    finally:
        os.close(held)


def nobody_works(settings: Settings) -> bool:
    """Whether no worker of the embedded folder is at work; servers of others have workers of their own."""
    if not settings.is_embedded:
        return False
    held = _lock_file(settings.embedded.folder)
    try:
        fcntl.flock(held, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        return False
    finally:
        os.close(held)
    return True


def _lock_file(folder: Path) -> int:
    return os.open(folder / _LOCK, os.O_RDWR | os.O_CREAT, 0o600)
