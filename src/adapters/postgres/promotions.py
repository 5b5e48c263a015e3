"""Where what was promoted comes from, on PostgreSQL."""

from __future__ import annotations

import asyncpg

from adapters.postgres.hit_rows import PRESENT, tenant
from adapters.postgres.pool import Connection, translated
from adapters.postgres.statements import statements
from domain.identity.access import Access
from domain.identity.ids import FactId, Revision
from domain.identity.scope_name import ScopeKind
from domain.retrieval.promotion import Promotion

_SQL = statements("promotions")


class PostgresPromotions:
    """Implements ``Promotions`` on one connection inside one transaction."""

    def __init__(self, connection: Connection, access: Access) -> None:
        self._connection = connection
        self._access = access

    async def add(self, promotion: Promotion) -> None:
        p = promotion
        await self._connection.execute(
            _SQL["add"], self._access.write_scope, p.assertion_id, p.fact_id, p.origin.value, p.proposal_id, p.saw,
            p.proposed_by, p.approved_by, p.revision,
        )  # fmt: skip


class PostgresPromotionReader:
    """Implements ``PromotionReader``; one round trip a read."""

    def __init__(self, pool: asyncpg.Pool) -> None:
        self._pool = pool

    async def promoted_from(self, access: Access, fact_id: FactId, known_at: Revision | None) -> list[Promotion]:
        revision = PRESENT if known_at is None else known_at
        with translated():
            rows = await self._pool.fetch(_SQL["promoted_from"], *tenant(access), fact_id, revision)
        return [_promotion(row) for row in rows]


def _promotion(row: asyncpg.Record) -> Promotion:
    assertion, fact, origin, proposal, saw, asking, asking_name, deciding, deciding_name, revision = row
    return Promotion(
        assertion, fact, ScopeKind(origin), proposal, saw, asking, asking_name, deciding, deciding_name, revision
    )
