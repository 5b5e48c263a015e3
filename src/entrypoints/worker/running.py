"""Running one job: in its tenant, watched, retried or held."""

from __future__ import annotations

import asyncio
import random
import time
from collections.abc import Awaitable, Iterator, Mapping
from contextlib import contextmanager
from datetime import timedelta
from typing import ClassVar
from uuid import UUID

import structlog
from opentelemetry import trace
from pgqueuer.errors import RetryRequested
from pgqueuer.models import Job

from domain.errors import AssayError, InvalidInput, LimitExceeded, shown
from domain.identity.ids import GroupId, OrganizationId
from domain.ports.job_queue import JobKind
from entrypoints.telemetry import Metrics
from entrypoints.worker.limits import WorkerLimits
from entrypoints.worker.work import Handler, TenantOfJob

log = structlog.get_logger(__name__)


class PutOff(RetryRequested):
    """The job comes back, and this was no attempt: something that it needs is away, or the worker leaves."""

    HANDED_BACK: ClassVar[str] = "handed back"


class WorkersDied(LimitExceeded):
    """The worker died, or lost its sign of life, too often while this job ran."""

    code = "workers_died"
    retryable = False


class JobFailed(Exception):
    """What nobody expected; its cause is in the log of the worker."""


class JobRunner:
    """What a lane calls for each job.

    - The tenant comes from the job's headers; what it may touch is looked up anew.
    - A job whose service is away waits and comes back, later each time within a bound, for as long as that lasts.
    - What may heal otherwise is retried, later each time, and held after the last attempt; anything else is held at
      once. A held job keeps its payload: it is listed with its reason and retried as a dead letter.
    - A job during which workers died is a suspect: only one is run at a time, so that it does not drag others along,
      and one that is about a document is held when that happened too often.
    - When the worker leaves, a job that has not ended is stopped and handed back.
    """

    def __init__(
        self,
        handlers: Mapping[JobKind, Handler],
        tenant: TenantOfJob,
        metrics: Metrics,
        limits: WorkerLimits,
        leaving: asyncio.Event,
    ) -> None:
        self._handlers = handlers
        self._tenant = tenant
        self._metrics = metrics
        self._limits = limits
        self._leaving = leaving
        self._suspect: int | None = None
        self._tracer = trace.get_tracer("assay.worker")

    async def __call__(self, job: Job) -> None:
        """Raises RetryRequested to have the job again, anything else to have it held."""
        kind = JobKind(job.entrypoint)
        started, outcome = time.perf_counter(), "failed"
        structlog.contextvars.bind_contextvars(job_id=job.id, job=kind.value, attempt=job.attempts)
        try:
            with (
                self._tracer.start_as_current_span(f"job {kind.value}", attributes={"assay.job_id": job.id}),
                self._alone_if_suspect(job),
            ):
                result = await self._finish_or_hand_back(self._handle(kind, job))
            outcome = "done"
            log.info("job done", seconds=round(time.perf_counter() - started, 3), result=_summary(result))
        except PutOff as put_off:
            outcome = "waiting"
            log.info("job handed back", reason=put_off.reason)
            raise
        except AssayError as error:
            again = self._again(job, error)
            if again is None:
                log.error("job held", code=error.code, reason=error.message)
                raise
            outcome = "waiting" if isinstance(again, PutOff) else "retried"
            seconds = round(again.delay.total_seconds(), 3)
            log.warning(f"job {outcome}", code=error.code, reason=error.message, seconds=seconds)
            raise again from None
        except Exception as error:
            log.exception("job held", code="unexpected")
            words = f"something unexpected went wrong ({type(error).__name__}); the worker's log has it at job {job.id}"
            raise JobFailed(words) from error
        finally:
            self._metrics.job(kind, outcome, time.perf_counter() - started)

    def _again(self, job: Job, error: AssayError) -> RetryRequested | None:
        """How the job comes back after the error; None when it does not."""
        if not error.retryable:
            return None
        if error.outage:
            # Jobs that wait for the same must not all come at once.
            jitter = random.uniform(0.5, 1.0)  # noqa: S311
            return PutOff(self._limits.wait(_counted(job, "waits")) * jitter, error.code)
        if job.attempts < self._limits.attempts:
            return RetryRequested(self._limits.delay(job.attempts), error.code)
        return None

    @contextmanager
    def _alone_if_suspect(self, job: Job) -> Iterator[None]:
        deaths = _counted(job, "deaths")
        if not deaths:
            yield
            return
        # A job without a subject follows the whole record: the next write, or the sweeper, would start it again.
        if job.payload and deaths >= self._limits.deaths:
            raise WorkersDied(
                f"the worker died or gave no sign of life {deaths} times while this job ran; "
                "see its log and whether memory ran out, then retry the job"
            )
        if self._suspect is not None:
            raise PutOff(self._limits.first_delay, "another job during which a worker died is at work")
        self._suspect = job.id
        try:
            yield
        finally:
            self._suspect = None

    async def _handle(self, kind: JobKind, job: Job) -> object:
        organization, group = _tenant_of(job)
        structlog.contextvars.bind_contextvars(organization_id=str(organization))
        if _counted(job, "deaths"):
            # What was taken together with a suspect is handed back first: else it would count the next death as well.
            await asyncio.sleep(2 * self._limits.first_delay.total_seconds())
        access = await self._tenant(organization, group)
        return await self._handlers[kind](access, _subject_of(job))

    async def _finish_or_hand_back(self, work: Awaitable[object]) -> object:
        task = asyncio.ensure_future(work)
        leaving = asyncio.create_task(self._leaving.wait())
        try:
            await asyncio.wait({task, leaving}, return_when=asyncio.FIRST_COMPLETED)
            if task.done():
                return task.result()
            raise PutOff(timedelta(), PutOff.HANDED_BACK)
        finally:
            leaving.cancel()
            task.cancel()
            await asyncio.gather(task, leaving, return_exceptions=True)


def _tenant_of(job: Job) -> tuple[OrganizationId, GroupId]:
    headers = job.headers or {}
    try:
        return OrganizationId(UUID(str(headers["organization_id"]))), GroupId(str(headers["group_id"]))
    except (KeyError, ValueError):
        raise InvalidInput(f"job {job.id} names no tenant in its headers {shown(headers)}") from None


def _counted(job: Job, name: str) -> int:
    """How often the job waited for something or lost its worker: kept in its headers."""
    count = (job.headers or {}).get(name)
    return count if isinstance(count, int) else 0


def _subject_of(job: Job) -> UUID | None:
    if not job.payload:
        return None
    try:
        return UUID(job.payload.decode())
    except ValueError:
        raise InvalidInput(f"the payload of job {job.id} is no id: {shown(job.payload)}") from None


def _summary(result: object) -> str | None:
    """The numbers of a result, never its texts."""
    fields = getattr(type(result), "__dataclass_fields__", {})
    numbers = {name: value for name in fields if isinstance(value := getattr(result, name), (bool, int))}
    return " ".join(f"{name}={value}" for name, value in numbers.items()) or None
