"""Usage of models on PostgreSQL, off the chain."""

from __future__ import annotations

import asyncpg

from adapters.postgres.pool import translated
from adapters.postgres.statements import statements
from domain.errors import BudgetExhausted
from domain.identity.ids import GroupId, OrganizationId
from domain.ports.usage import UsageEntry

_SQL = statements("usage")


class PostgresUsageMeter:
    """Implements ``UsageMeter``; the price of an entry is the model's at the time of the call."""

    def __init__(self, pool: asyncpg.Pool) -> None:
        self._pool = pool

    async def check(self, organization_id: OrganizationId, group_id: GroupId | None = None) -> None:
        with translated():
            if group_id is None:
                found = await self._pool.fetch(_SQL["spent"], organization_id)
            else:
                found = await self._pool.fetch(_SQL["spent_around"], organization_id, group_id)
        for row in found:
            if row["spending_limit"] is not None and row["spent"] >= row["spending_limit"]:
                whose = "" if row["kind"] == "organization" else " of this workspace"
                raise BudgetExhausted(
                    f"this month's limit{whose} for model calls is used up ({row['spent'] / 1e6:.2f} of "
                    f"{row['spending_limit'] / 1e6:.2f}); raise it or wait for the next month"
                )

    async def record(self, entry: UsageEntry) -> None:
        with translated():
            async with self._pool.acquire() as connection, connection.transaction():
                await connection.fetchval("SELECT enter_tenant($1, $2, $2)", entry.organization_id, entry.group_id)
                await connection.execute(
                    _SQL["record"],
                    entry.group_id,
                    entry.role,
                    entry.model,
                    entry.input_tokens,
                    entry.output_tokens,
                    entry.requests,
                    entry.texts,
                    entry.at,
                )
