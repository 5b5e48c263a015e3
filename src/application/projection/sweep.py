"""Starting what was left lying: the safety net under the outbox."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass, field
from datetime import timedelta
from functools import partial

from application.identity.access import AccessResolver
from domain.errors import AssayError
from domain.identity.access import Access
from domain.identity.ids import GroupId, OrganizationId, Revision
from domain.ports.job_queue import Job, JobKind
from domain.ports.memory_engine import MemoryEngine
from domain.ports.stragglers import Root, Stragglers
from domain.ports.unit_of_work import UnitOfWork
from domain.ports.vector_store import VectorStore

STUCK_AFTER = timedelta(minutes=5)
ERASURE_RESTARTS = 12
"""How often the clean-up of an erasure is started again: after a minute, then after twice as long each time."""
PORTION_FORGOTTEN = 1_000
"""Rows that are deleted in one transaction."""
PORTIONS_AT_ONCE = 100
"""Portions of one kind in one upkeep; the next goes on."""


@dataclass(frozen=True, slots=True)
class Retention:
    """For how long is kept: answers for idempotency keys, lines of the queue's log, and of the audit."""

    answers: timedelta = timedelta(days=7)
    job_log: timedelta = timedelta(days=7)
    audit_days: int = 365


@dataclass(slots=True)
class Swept:
    """How many jobs of each kind were started, and which organizations could not be looked at, with the reason."""

    jobs: dict[JobKind, int] = field(default_factory=lambda: defaultdict(int))
    failures: dict[OrganizationId, str] = field(default_factory=dict)


class Sweep:
    """Enqueues a job for whoever lags and has none.

    - ``catch_up``, every few seconds: graphs and vectors behind the head, where no worker is at it.
    - ``upkeep``, every minute or so: versions that wait too long without a job, graphs that were lost or came back
      from an older snapshot, search terms of records that changed, search graphs of vectors; and what is old goes.
      An erasure whose job was held or is gone is started again, a bounded number of times; after those it is reported
      each time until somebody retries its job.
    - A trouble of one organization, or of one step, does not keep the others from being done.
    """

    def __init__(
        self,
        stragglers: Stragglers,
        unit_of_work: UnitOfWork,
        resolver: AccessResolver,
        engine: MemoryEngine,
        store: VectorStore,
        *,
        stuck_after: timedelta = STUCK_AFTER,
        retention: Retention | None = None,
    ) -> None:
        self._stragglers = stragglers
        self._unit_of_work = unit_of_work
        self._resolver = resolver
        self._engine = engine
        self._store = store
        self._stuck_after = stuck_after
        self._retention = retention or Retention()
        self._terms_at: dict[OrganizationId, Revision] = {}
        self._graphs_at: dict[int, Revision] = {}

    async def catch_up(self) -> Swept:
        """Raises Unavailable when the database does not answer."""
        swept = Swept()
        for organization, group, kind in await self._stragglers.behind(self._engine.name):
            await self._enqueue(swept, organization, group, [Job(kind, group)])
        return swept

    async def upkeep(self) -> Swept:
        """Raises Unavailable when the database does not answer."""
        swept = Swept()
        await self._erasures(swept)
        steps: Sequence[Callable[[Root, Access, Swept], Awaitable[None]]] = (
            self._stuck,
            self._lost_graph,
            self._terms,
            self._vector_graphs,
        )
        for root in await self._stragglers.organizations():
            for step in steps:
                try:
                    access = await self._resolver.for_organization(root.organization_id, root.group_id)
                    await step(root, access, swept)
                except AssayError as error:
                    swept.failures.setdefault(root.organization_id, error.message)
        await self._forget()
        return swept

    async def _forget(self) -> None:
        """Delete what is old, in portions, so that no transaction is long."""
        stragglers, keep = self._stragglers, self._retention
        old: Sequence[Callable[[], Awaitable[int]]] = (
            partial(stragglers.forget_job_log, keep.job_log, PORTION_FORGOTTEN),
            partial(stragglers.forget_repeated_failures, PORTION_FORGOTTEN),
            partial(stragglers.forget_kept_answers, keep.answers, PORTION_FORGOTTEN),
            partial(stragglers.forget_packs, PORTION_FORGOTTEN),
            partial(stragglers.forget_audit, keep.audit_days, PORTION_FORGOTTEN),
        )
        for forget in old:
            for _ in range(PORTIONS_AT_ONCE):
                if await forget() < PORTION_FORGOTTEN:
                    break

    async def _erasures(self, swept: Swept) -> None:
        for organization, group, erasure in await self._stragglers.restart_erasures(ERASURE_RESTARTS):
            try:
                await self._enqueue(swept, organization, group, [Job(JobKind.ERASE, group, subject=erasure)])
            except AssayError as error:
                swept.failures.setdefault(organization, error.message)
        for organization, erasure in await self._stragglers.stuck_erasures(ERASURE_RESTARTS):
            words = f"the clean-up of the erasure {erasure} was started again {ERASURE_RESTARTS} times and did not end"
            swept.failures.setdefault(organization, f"{words}; look at its failed job, mend the cause, and retry it")

    async def _stuck(self, root: Root, access: Access, swept: Swept) -> None:
        versions = await self._stragglers.unfinished(access, self._stuck_after)
        jobs = [Job(JobKind.INGEST_VERSION, group, subject=version) for version, group in versions]
        if jobs:
            await self._enqueue(swept, root.organization_id, root.group_id, jobs)

    async def _lost_graph(self, root: Root, access: Access, swept: Swept) -> None:
        if not self._engine.projected:
            return
        if (await self._engine.watermark(root.organization_id) or 0) < root.head:
            await self._enqueue(swept, root.organization_id, root.group_id, [Job(JobKind.PROJECT, root.group_id)])

    async def _terms(self, root: Root, access: Access, swept: Swept) -> None:
        if self._terms_at.get(root.organization_id) != root.head:
            await self._stragglers.refresh_search_terms(root.organization_id)
            self._terms_at[root.organization_id] = root.head

    async def _vector_graphs(self, root: Root, access: Access, swept: Swept) -> None:
        active = (await self._store.indexes(access)).active
        if active is not None and self._graphs_at.get(active.id, Revision(-1)) < active.watermark:
            await self._store.build_graphs(active)
            self._graphs_at[active.id] = active.watermark

    async def _enqueue(self, swept: Swept, organization: OrganizationId, group: GroupId, jobs: Sequence[Job]) -> None:
        access = await self._resolver.for_organization(organization, group)
        async with self._unit_of_work(access) as tx:
            await tx.jobs.enqueue(jobs)
        for job in jobs:
            swept.jobs[job.kind] += 1
