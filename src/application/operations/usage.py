"""What models cost an organization, and how much they may."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date, timedelta

from domain.errors import Forbidden, InvalidInput
from domain.identity.access import Access
from domain.identity.permissions import Action, permit
from domain.identity.scope_name import ScopeKind, kind_of
from domain.ports.budgets import BudgetLine, Budgets
from domain.ports.clock import Clock
from domain.ports.journal import Entry
from domain.ports.unit_of_work import UnitOfWork
from domain.ports.usage import Spending, UsageOfDay, UsageReports

DAYS = 31
"""How far back a report goes unless told otherwise."""
MAX_LIMIT = 1_000_000_000.0


@dataclass(frozen=True, slots=True)
class UsageReport:
    """This month's spending of the organization, the usage of the readable scopes by day, newest first, and budgets."""

    spending: Spending
    days: tuple[UsageOfDay, ...]
    budgets: tuple[BudgetLine, ...]


async def usage(
    reports: UsageReports, budgets: Budgets, access: Access, clock: Clock, since: date | None = None
) -> UsageReport:
    """Usage from a day on (UTC); the last 31 days when none is named. Raises Forbidden."""
    permit(access, Action.OPERATE)
    if kind_of(access.write_scope) is ScopeKind.PERSONAL:
        raise Forbidden("what models cost is the organization's; use its scope, or one of a workspace or project")
    first = since or clock.now().date() - timedelta(days=DAYS)
    days = tuple(await reports.days(access, first))
    return UsageReport(await reports.spending(access), days, tuple(await budgets.lines_of(access)))


async def set_monthly_limit(
    unit_of_work: UnitOfWork, reports: UsageReports, access: Access, limit: float | None
) -> Spending:
    """Set what models may cost the organization a month; None takes the limit away. Raises Forbidden, InvalidInput."""
    permit(access, Action.OPERATE)
    if not access.write_scope.startswith("o_"):
        raise InvalidInput("the limit is the whole organization's; name the scope 'organization'", field="scope")
    if limit is not None and not 0 <= limit <= MAX_LIMIT:
        raise InvalidInput(f"a limit lies between 0 and {MAX_LIMIT:.0f}, not {limit}", field="limit")
    async with unit_of_work(access) as tx:
        await tx.directory.set_monthly_limit(limit)
        await tx.journal.advance(Entry("set_monthly_limit", access.write_scope, {"limit": limit}))
    return await reports.spending(access)
