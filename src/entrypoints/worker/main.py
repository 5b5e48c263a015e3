"""One worker process."""

from __future__ import annotations

import asyncio
import logging

import structlog

from domain.ports.job_queue import Lane
from entrypoints.telemetry import Metrics
from entrypoints.worker.lane import run_lane
from entrypoints.worker.limits import WorkerLimits
from entrypoints.worker.running import JobRunner
from entrypoints.worker.sweeping import sweep_until
from entrypoints.worker.work import Work

log = structlog.get_logger(__name__)


async def run_worker(work: Work, metrics: Metrics, stop: asyncio.Event, limits: WorkerLimits | None = None) -> None:
    """Do jobs of all tenants until ``stop`` is set; then end those in work, or hand them back after a grace.

    Each job is done as its tenant, through the application's pool. A database that is away is waited for.
    """
    limits = limits or WorkerLimits()
    # What it says of a failed job is said by the runner, without the traceback of an expected error.
    logging.getLogger("pgqueuer").setLevel(logging.CRITICAL)
    leaving = asyncio.Event()
    runner = JobRunner(work.handlers, work.tenant, metrics, limits, leaving)
    log.info("worker started", lanes={lane.value: limits.at_once[lane] for lane in Lane})
    async with asyncio.TaskGroup() as group:
        lanes = [group.create_task(run_lane(lane, work.queue, runner, limits, stop)) for lane in Lane]
        group.create_task(sweep_until(stop, work.sweep, work.stragglers, limits))
        await stop.wait()
        log.info("worker stops", grace_seconds=limits.grace.total_seconds())
        await asyncio.wait(lanes, timeout=limits.grace.total_seconds())
        leaving.set()
    log.info("worker stopped")
