"""The sweeper's clock: one of all workers sweeps."""

from __future__ import annotations

import asyncio
from datetime import timedelta

import structlog

from application.projection.sweep import Sweep, Swept
from domain.errors import AssayError
from domain.ports.stragglers import Stragglers
from entrypoints.worker.lane import paused
from entrypoints.worker.limits import WorkerLimits

log = structlog.get_logger(__name__)

_TERM = timedelta(seconds=60)
"""How long a worker sweeps before it looks whether it still is the one."""


async def sweep_until(stop: asyncio.Event, sweep: Sweep, stragglers: Stragglers, limits: WorkerLimits) -> None:
    """Sweep every few seconds, with the longer upkeep now and then, while this worker is the one that does."""
    clock = asyncio.get_running_loop()
    upkeep_at = clock.time()
    while not stop.is_set():
        try:
            async with stragglers.lead() as leads:
                term = clock.time() + _TERM.total_seconds()
                while leads and not stop.is_set() and clock.time() < term:
                    _report("swept", await sweep.catch_up())
                    if clock.time() >= upkeep_at:
                        _report("upkeep", await sweep.upkeep())
                        upkeep_at = clock.time() + limits.upkeep.total_seconds()
                    await paused(stop, limits.sweep.total_seconds())
        except AssayError as error:
            log.warning("the sweeper waits", code=error.code, reason=error.message)
        await paused(stop, limits.sweep.total_seconds())


def _report(event: str, swept: Swept) -> None:
    if swept.jobs:
        log.info(event, **{kind.value: count for kind, count in swept.jobs.items()})
    for organization, reason in swept.failures.items():
        log.warning(event, organization_id=str(organization), reason=reason)
