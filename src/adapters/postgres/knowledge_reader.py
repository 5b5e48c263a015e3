"""Reads of the record on PostgreSQL: each is one statement, whose function takes the tenant first."""

from __future__ import annotations

from collections.abc import Sequence

import asyncpg

from adapters.postgres.hit_rows import as_of, filter_columns, known_at, lifecycles, standing_fact, tenant
from adapters.postgres.pool import translated
from adapters.postgres.statements import statements
from domain.identity.access import Access
from domain.identity.ids import StandingId
from domain.resolution.names import normal_name
from domain.retrieval.facts import StandingFact
from domain.retrieval.reading import PatternRead, ReadPoint, Side


class PostgresKnowledgeReader:
    """The ``KnowledgeReader`` over a pool of the application role."""

    def __init__(self, pool: asyncpg.Pool) -> None:
        self._pool = pool
        self._sql = statements("reads")

    async def facts_by_pattern(self, access: Access, read: PatternRead) -> list[StandingFact]:
        after = read.after
        arguments = (
            *tenant(access),
            *_side(read.pattern.subject),
            _names(read.pattern.forward),
            _names(read.pattern.backward),
            *_side(read.pattern.object),
            as_of(read.point),
            known_at(read.point),
            lifecycles(read.point),
            *filter_columns(read.filter),
            read.limit,
            after.corrected if after else None,
            after.fact_id if after else None,
            after.valid_from if after else None,
        )
        with translated():
            rows = await self._pool.fetch(self._sql["facts_by_pattern"], *arguments)
        return [standing_fact(row) for row in rows]

    async def load(self, access: Access, standings: Sequence[StandingId], point: ReadPoint) -> list[StandingFact]:
        if not standings:
            return []
        with translated():
            rows = await self._pool.fetch(
                self._sql["load"], *tenant(access), list(standings), known_at(point), as_of(point)
            )
        return [standing_fact(row) for row in rows]


def _side(side: Side | None) -> tuple[list[object] | None, list[str] | None]:
    if side is None:
        return None, None
    return [*side.ids, *side.literal_keys], [normal_name(name) for name in side.names]


def _names(predicates: tuple[str, ...] | None) -> list[str] | None:
    return None if predicates is None else list(predicates)
