"""Budgets and rates of organizations on PostgreSQL."""

from __future__ import annotations

from collections.abc import Sequence

import asyncpg

from adapters.postgres.pool import translated
from adapters.postgres.statements import statements
from domain.errors import StorageBudgetExhausted
from domain.identity.access import Access
from domain.identity.ids import GroupId, OrganizationId
from domain.ports.budgets import Budgeted, BudgetLine

_SQL = statements("quotas")


class PostgresBudgets:
    """Implements ``Budgets``; what is used is counted when it is asked for, and only where a budget is set."""

    def __init__(self, pool: asyncpg.Pool) -> None:
        self._pool = pool

    async def lines(self, organization_id: OrganizationId, groups: Sequence[GroupId]) -> list[BudgetLine]:
        return await self._lines(organization_id, groups, list(Budgeted))

    async def lines_of(self, access: Access) -> list[BudgetLine]:
        return await self.lines(access.organization_id, access.read_scopes)

    async def require_room(self, organization_id: OrganizationId, group_id: GroupId, size: int) -> None:
        for line in await self._lines(organization_id, [group_id], [Budgeted.ARTIFACT_BYTES]):
            if line.used + size > line.budget:
                raise StorageBudgetExhausted.of(line.what, line.budget)

    async def rates(self, organization_id: OrganizationId) -> tuple[int | None, int | None]:
        with translated():
            row = await self._pool.fetchrow(_SQL["rates"], organization_id)
        return (row["principal_units"], row["organization_units"]) if row else (None, None)

    async def _lines(
        self, organization_id: OrganizationId, groups: Sequence[GroupId], what: Sequence[Budgeted]
    ) -> list[BudgetLine]:
        with translated():
            rows = await self._pool.fetch(_SQL["lines"], organization_id, list(groups), [each.value for each in what])
        return [BudgetLine(row["group_id"], Budgeted(row["what"]), row["budget"], row["used"]) for row in rows]
