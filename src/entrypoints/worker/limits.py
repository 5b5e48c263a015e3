"""How much a worker does at once, and how long it waits."""

from __future__ import annotations

from dataclasses import dataclass, field
from datetime import timedelta

from domain.ports.job_queue import Lane
from entrypoints.sections.serving import WorkerSettings


def _lanes() -> dict[Lane, int]:
    return {Lane.EXPRESS: 4, Lane.INGEST: 2, Lane.EMBED: 2, Lane.BULK: 2}


@dataclass(frozen=True, slots=True)
class WorkerLimits:
    """``at_once``: jobs of a lane in this process, 2 or more. A job may be retried ``attempts`` times, then it is held.

    A job whose service is away waits, up to ``longest_wait`` at a time, for as long as it takes. A job without a sign
    of life for ``heartbeat`` is taken by another worker; when that was so ``deaths`` times, it is held. A worker that
    stops gives its jobs ``grace`` to end, then hands them back.
    """

    at_once: dict[Lane, int] = field(default_factory=_lanes)
    attempts: int = 8
    first_delay: timedelta = timedelta(seconds=1)
    longest_delay: timedelta = timedelta(minutes=5)
    longest_wait: timedelta = timedelta(minutes=1)
    deaths: int = 5
    heartbeat: timedelta = timedelta(seconds=30)
    poll: timedelta = timedelta(seconds=5)
    grace: timedelta = timedelta(seconds=20)
    sweep: timedelta = timedelta(seconds=5)
    upkeep: timedelta = timedelta(seconds=60)

    def delay(self, attempt: int) -> timedelta:
        """How long a job waits after its failure number ``attempt``, from 0: twice as long each time."""
        return min(self.first_delay * (1 << min(attempt, 30)), self.longest_delay)

    def wait(self, waited: int) -> timedelta:
        """The same for a job that has waited ``waited`` times for a service that is away."""
        return min(self.first_delay * (1 << min(waited, 30)), self.longest_wait)


def limits_of(settings: WorkerSettings) -> WorkerLimits:
    """The limits as configured."""
    return WorkerLimits(
        at_once={
            Lane.EXPRESS: settings.express_jobs,
            Lane.INGEST: settings.ingest_jobs,
            Lane.EMBED: settings.embed_jobs,
            Lane.BULK: settings.bulk_jobs,
        },
        attempts=settings.attempts,
        deaths=settings.deaths,
        first_delay=timedelta(seconds=settings.first_delay_seconds),
        longest_delay=timedelta(seconds=settings.longest_delay_seconds),
        longest_wait=timedelta(seconds=settings.longest_wait_seconds),
        heartbeat=timedelta(seconds=settings.heartbeat_seconds),
        grace=timedelta(seconds=settings.grace_seconds),
        sweep=timedelta(seconds=settings.sweep_seconds),
        upkeep=timedelta(seconds=settings.upkeep_seconds),
    )
