"""Who lags behind the record, over all organizations: what the sweeper asks."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import AbstractAsyncContextManager
from dataclasses import dataclass
from datetime import timedelta
from typing import Protocol

from domain.identity.access import Access
from domain.identity.ids import GroupId, OrganizationId, Revision, VersionId
from domain.ports.erasure import ErasureId
from domain.ports.job_queue import JobKind


@dataclass(frozen=True, slots=True)
class Root:
    """An organization, its own scope, and the head of its record."""

    organization_id: OrganizationId
    group_id: GroupId
    head: Revision


class Stragglers(Protocol):
    """Answers name organizations and nothing that they hold. Raises Unavailable when the database does not answer."""

    def lead(self) -> AbstractAsyncContextManager[bool]:
        """Whether this process is the one that sweeps, for as long as the context lasts."""
        ...

    async def behind(self, engine: str) -> Sequence[tuple[OrganizationId, GroupId, JobKind]]:
        """Organizations whose graph or vectors lag, with the job that each needs and nobody has or does."""
        ...

    async def organizations(self) -> Sequence[Root]:
        """All organizations."""
        ...

    async def unfinished(self, access: Access, older_than: timedelta) -> Sequence[tuple[VersionId, GroupId]]:
        """Versions of the readable scopes that are pending or in work for so long, and for which there is no job."""
        ...

    async def restart_erasures(self, most: int) -> Sequence[tuple[OrganizationId, GroupId, ErasureId]]:
        """Open erasures that no job is at, each counted as started again: at most so often, later each time."""
        ...

    async def stuck_erasures(self, most: int) -> Sequence[tuple[OrganizationId, ErasureId]]:
        """Open erasures that no job is at although they were started again so often."""
        ...

    async def refresh_search_terms(self, organization_id: OrganizationId) -> None:
        """Count the organization's terms anew."""
        ...

    async def forget_job_log(self, older_than: timedelta, most: int) -> int:
        """Delete so many log lines of that age, but for those that say why a job failed that is kept; how many went."""
        ...

    async def forget_repeated_failures(self, most: int) -> int:
        """Of jobs without a subject that failed for one organization, keep the last of each kind; how many went."""
        ...

    async def forget_packs(self, most: int) -> int:
        """Delete so many stored packs whose time is over, and snapshots made for nothing else; how many packs went."""
        ...

    async def forget_audit(self, days: int, most: int) -> int:
        """Delete so many lines of the audit that are older than their organization has them kept, or than ``days``
        where it has no policy, and none that is younger than 30 days; how many went."""
        ...

    async def forget_kept_answers(self, older_than: timedelta, most: int) -> int:
        """Delete so many idempotency keys of that age, with their answers; how many went."""
        ...
