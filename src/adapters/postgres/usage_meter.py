"""Usage of models on PostgreSQL, off the chain."""

from __future__ import annotations

import asyncpg

from adapters.postgres.pool import translated
from adapters.postgres.statements import statements
from domain.errors import BudgetExhausted
from domain.identity.ids import OrganizationId
from domain.ports.usage import UsageEntry

_SQL = statements("usage")


class PostgresUsageMeter:
    """Implements ``UsageMeter``; the price of an entry is the model's at the time of the call."""

    def __init__(self, pool: asyncpg.Pool) -> None:
        self._pool = pool

    async def check(self, organization_id: OrganizationId) -> None:
        with translated():
            row = await self._pool.fetchrow(_SQL["spent"], organization_id)
        if row and row["spending_limit"] is not None and row["spent"] >= row["spending_limit"]:
            raise BudgetExhausted(
                f"this month's limit for model calls is used up ({row['spent'] / 1e6:.2f} of "
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
