"""What a worker does: a use case for each kind of job, and the sweeper."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass, field
from typing import TypeAlias
from uuid import UUID

from application.projection.sweep import Sweep
from domain.errors import InvalidInput
from domain.identity.access import Access
from domain.identity.ids import GroupId, OrganizationId, VersionId
from domain.ports.erasure import ErasureId
from domain.ports.job_queue import JobKind
from domain.ports.stragglers import Stragglers
from entrypoints.application import Application
from entrypoints.settings import SettingsInvalid
from entrypoints.upkeep import Upkeep
from entrypoints.worker.audited import audited

Handler: TypeAlias = Callable[[Access, UUID | None], Awaitable[object]]
TenantOfJob: TypeAlias = Callable[[OrganizationId, GroupId], Awaitable[Access]]


@dataclass(frozen=True, slots=True)
class Work:
    """Everything that a worker needs. ``queue`` is the database as the worker's role, which reads the queue alone."""

    queue: str = field(repr=False)
    handlers: Mapping[JobKind, Handler]
    tenant: TenantOfJob
    sweep: Sweep
    stragglers: Stragglers


def work_of(app: Application, upkeep: Upkeep) -> Work:
    """The work of a running Assay. Raises SettingsInvalid when the address of the worker's role is missing."""
    queue = app.services.worker_database
    if queue is None:
        raise SettingsInvalid("ASSAY_DATABASE__WORKER_URL: it is missing, and a worker reads the queue through it")
    return Work(queue, _handlers(app, upkeep), app.resolve_access.for_job, upkeep.sweep, upkeep.stragglers)


def _handlers(app: Application, upkeep: Upkeep) -> Mapping[JobKind, Handler]:
    def ingest(access: Access, subject: UUID | None) -> Awaitable[object]:
        if subject is None:
            raise InvalidInput("a job to read a version names none")
        return app.ingestion.ingest_version(access, VersionId(subject))

    def erase(access: Access, subject: UUID | None) -> Awaitable[object]:
        if subject is None:
            raise InvalidInput("a job to complete an erasure names none")
        return app.erasure.complete(access, ErasureId(subject))

    return {
        JobKind.PROJECT: lambda access, _: app.projection.project_facts(access),
        JobKind.INGEST_VERSION: ingest,
        JobKind.EMBED: lambda access, _: upkeep.embed_pending(access),
        JobKind.REBUILD_GRAPH: lambda access, _: app.projection.rebuild_graph(access),
        JobKind.BUILD_VECTORS: lambda access, _: upkeep.add_embeddings(access),
        JobKind.ERASE: audited(app.audit.recorder, JobKind.ERASE, erase),
    }
