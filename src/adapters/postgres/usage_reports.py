"""Reads of usage on PostgreSQL."""

from __future__ import annotations

from datetime import date

import asyncpg

from adapters.postgres.pool import translated
from adapters.postgres.statements import statements
from adapters.postgres.unit_of_work import enter
from domain.identity.access import Access
from domain.ports.usage import Spending, UsageOfDay

_SQL = statements("usage")
_MICROS = 1_000_000


class PostgresUsageReports:
    """Implements ``UsageReports``; usage is read under the policies, spending over all scopes of the organization."""

    def __init__(self, pool: asyncpg.Pool) -> None:
        self._pool = pool

    async def days(self, access: Access, since: date) -> list[UsageOfDay]:
        rows = await self._fetch(access, "days", since)
        return [
            UsageOfDay(
                day=row["day"],
                group_id=row["group_id"],
                role=row["role"],
                model=row["model"],
                calls=row["calls"],
                requests=row["requests"],
                texts=row["texts"],
                input_tokens=row["input_tokens"],
                output_tokens=row["output_tokens"],
                price=row["price_micros"] / _MICROS,
            )
            for row in rows
        ]

    async def spending(self, access: Access) -> Spending:
        (row,) = await self._fetch(access, "spent", access.organization_id)
        limit = row["spending_limit"]
        return Spending(row["spent"] / _MICROS, None if limit is None else limit / _MICROS)

    async def _fetch(self, access: Access, name: str, *arguments: object) -> list[asyncpg.Record]:
        with translated():
            async with self._pool.acquire() as connection, connection.transaction():
                await enter(connection, access)
                return list(await connection.fetch(_SQL[name], *arguments))
