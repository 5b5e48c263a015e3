"""Reading the audit, taking it along, and for how long it is kept."""

from __future__ import annotations

from collections.abc import AsyncIterator
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from uuid import UUID

from domain.audit.line import LEAST_DAYS, MOST_DAYS, MOST_LINES, AuditAction, AuditLine, AuditRead
from domain.errors import InvalidInput
from domain.identity.access import Access
from domain.identity.ids import PrincipalId, Revision
from domain.identity.permissions import Action, permit
from domain.ports.journal import Entry
from domain.ports.unit_of_work import UnitOfWork

_FIRST, _LAST = datetime(1970, 1, 1, tzinfo=UTC), datetime(9999, 1, 1, tzinfo=UTC)


@dataclass(frozen=True, slots=True)
class AuditFilter:
    """What lines are asked for: by whom, what they did, how it ended, and when; None asks for all."""

    principal: UUID | None = None
    action: AuditAction | None = None
    outcome: str | None = None
    since: datetime | None = None
    until: datetime | None = None

    def read(self, *, after: UUID | None = None, limit: int = 100, oldest_first: bool = False) -> AuditRead:
        """One page of it. Raises InvalidInput for a time without a zone, or an end before the beginning."""
        return AuditRead(
            _zoned(self.since, "since") or _FIRST,
            _zoned(self.until, "until") or _LAST,
            None if self.principal is None else PrincipalId(self.principal),
            self.action,
            self.outcome,
            after,
            limit,
            oldest_first,
        )


@dataclass(frozen=True, slots=True)
class AuditKept:
    """For how many days the audit is kept: the organization's own number, and the one in force."""

    days: int | None
    in_force: int


async def audit_lines(unit_of_work: UnitOfWork, access: Access, read: AuditRead) -> list[AuditLine]:
    """Lines of the scopes that the access administers, never of those around them. Raises Forbidden."""
    permit(access, Action.AUDIT)
    async with unit_of_work(access) as tx:
        return await tx.audit.lines(access.writable, read)


async def every_audit_line(unit_of_work: UnitOfWork, access: Access, asked: AuditFilter) -> AsyncIterator[AuditLine]:
    """All that meet a filter, the oldest first, a thousand a transaction. Raises Forbidden before the first."""
    permit(access, Action.AUDIT)
    read = asked.read(limit=MOST_LINES, oldest_first=True)
    while True:
        found = await audit_lines(unit_of_work, access, read)
        for line in found:
            yield line
        if len(found) < MOST_LINES:
            return
        read = replace(read, after=found[-1].id)


async def audit_kept(unit_of_work: UnitOfWork, access: Access, configured: int) -> AuditKept:
    """For how long the organization's audit is kept; ``configured`` is the installation's number. Raises Forbidden."""
    permit(access, Action.AUDIT)
    async with unit_of_work(access) as tx:
        days = await tx.audit.days()
    return AuditKept(days, max(configured if days is None else days, LEAST_DAYS))


async def keep_audit(unit_of_work: UnitOfWork, access: Access, days: int | None) -> Revision:
    """Set for how many days the organization's audit is kept; None leaves it to the installation.

    Raises Forbidden, and InvalidInput for another scope than the organization or a number of days out of bounds.
    """
    permit(access, Action.KEEP_AUDIT)
    if not access.write_scope.startswith("o_"):
        raise InvalidInput("the audit is the whole organization's; name the scope 'organization'", field="scope")
    if days is not None and not LEAST_DAYS <= days <= MOST_DAYS:
        raise InvalidInput(f"days lie between {LEAST_DAYS} and {MOST_DAYS}, not {days}", field="days")
    async with unit_of_work(access) as tx:
        await tx.audit.keep_for(days)
        return await tx.journal.advance(Entry("keep_audit", access.write_scope, {"days": days}))


def _zoned(moment: datetime | None, field: str) -> datetime | None:
    if moment is not None and moment.tzinfo is None:
        raise InvalidInput(f"{moment.isoformat()} has no time zone; add one", field=field)
    return moment
