"""Running one job: in its tenant, watched, retried or held."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Awaitable, Mapping
from datetime import timedelta
from uuid import UUID

import structlog
from opentelemetry import trace
from pgqueuer.errors import RetryRequested
from pgqueuer.models import Job

from domain.errors import AssayError, InvalidInput, shown
from domain.identity.ids import GroupId, OrganizationId
from domain.ports.job_queue import JobKind
from entrypoints.telemetry import Metrics
from entrypoints.worker.limits import WorkerLimits
from entrypoints.worker.work import Handler, TenantOfJob

log = structlog.get_logger(__name__)


class JobRunner:
    """What a lane calls for each job.

    - The tenant comes from the job's headers; what it may touch is looked up anew.
    - What may heal is retried, later each time, and held after the last attempt; anything else is held at once. A held
      job keeps its payload: it is listed and retried as a dead letter.
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
        self._tracer = trace.get_tracer("assay.worker")

    async def __call__(self, job: Job) -> None:
        """Raises RetryRequested to have the job again, anything else to have it held."""
        kind = JobKind(job.entrypoint)
        started, outcome = time.perf_counter(), "failed"
        structlog.contextvars.bind_contextvars(job_id=job.id, job=kind.value, attempt=job.attempts)
        try:
            with self._tracer.start_as_current_span(f"job {kind.value}", attributes={"assay.job_id": job.id}):
                result = await self._finish_or_hand_back(self._handle(kind, job))
            outcome = "done"
            log.info("job done", seconds=round(time.perf_counter() - started, 3), result=_summary(result))
        except RetryRequested:
            outcome = "retried"
            log.info("job handed back")
            raise
        except AssayError as error:
            if error.retryable and job.attempts < self._limits.attempts:
                outcome = "retried"
                delay = self._limits.delay(job.attempts)
                log.warning("job retried", code=error.code, reason=error.message, seconds=delay.total_seconds())
                raise RetryRequested(delay, error.code) from None
            log.error("job held", code=error.code, reason=error.message)
            raise
        except Exception:
            log.exception("job held", code="unexpected")
            raise
        finally:
            self._metrics.job(kind, outcome, time.perf_counter() - started)

    async def _handle(self, kind: JobKind, job: Job) -> object:
        organization, group = _tenant_of(job)
        structlog.contextvars.bind_contextvars(organization_id=str(organization))
        access = await self._tenant(organization, group)
        return await self._handlers[kind](access, _subject_of(job))

    async def _finish_or_hand_back(self, work: Awaitable[object]) -> object:
        task = asyncio.ensure_future(work)
        leaving = asyncio.create_task(self._leaving.wait())
        try:
            await asyncio.wait({task, leaving}, return_when=asyncio.FIRST_COMPLETED)
            if task.done():
                return task.result()
            raise RetryRequested(timedelta(), "the worker stops")
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
