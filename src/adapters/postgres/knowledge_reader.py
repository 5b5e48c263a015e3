"""Reads of the record on PostgreSQL: each is one statement, whose function takes the tenant first."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from datetime import UTC, datetime
from typing import Any
from uuid import UUID

import asyncpg
import msgspec

from adapters.postgres.hit_rows import (
    PRESENT,
    as_of,
    filter_columns,
    known_at,
    lifecycles,
    standing_facts,
    tenant,
)
from adapters.postgres.pool import translated
from adapters.postgres.rows import from_json
from adapters.postgres.statements import statements
from domain.identity.access import Access
from domain.identity.ids import FactId, Revision, StandingId
from domain.knowledge.policy_wire import policy_of
from domain.knowledge.predicate import PredicatePolicy
from domain.resolution.names import normal_name
from domain.retrieval.explanation import FactExplanation
from domain.retrieval.facts import StandingFact
from domain.retrieval.grounds import GroundedExplanation, grounded_explanation
from domain.retrieval.profile import EntitySummary, PredicateUse
from domain.retrieval.reading import PatternRead, ReadPoint, Side
from domain.standing.grounding import CUTOFFS, Cutoffs

_explanation = msgspec.json.Decoder(FactExplanation).decode
_summary = msgspec.json.Decoder(EntitySummary).decode


class PostgresKnowledgeReader:
    """The ``KnowledgeReader`` over a pool of the application role."""

    def __init__(self, pool: asyncpg.Pool, cutoffs: Cutoffs = CUTOFFS) -> None:
        self._pool = pool
        self._cutoffs = cutoffs
        self._sql = statements("reads")

    async def facts_by_pattern(self, access: Access, read: PatternRead) -> list[StandingFact]:
        after = read.after
        arguments = (
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
        rows = await self._fetch("facts_by_pattern", access, *arguments)
        return standing_facts(rows, read.point, self._cutoffs)

    async def load(self, access: Access, standings: Sequence[StandingId], point: ReadPoint) -> list[StandingFact]:
        if not standings:
            return []
        rows = await self._fetch("load", access, list(standings), known_at(point), as_of(point))
        return standing_facts(rows, point, self._cutoffs)

    async def fact(
        self, access: Access, fact_id: FactId, known_at: Revision | None, asked: datetime | None = None
    ) -> list[StandingFact]:
        rows = await self._fetch("fact", access, fact_id, _revision(known_at), None)
        return standing_facts(rows, ReadPoint(asked, known_at), self._cutoffs)

    async def explain(
        self, access: Access, fact_id: FactId, known_at: Revision | None, asked: datetime | None = None
    ) -> GroundedExplanation | None:
        rows = await self._fetch("explain_fact", access, fact_id, _revision(known_at))
        if rows[0][0] is None:
            return None
        return grounded_explanation(_explanation(rows[0][0]), asked, datetime.now(UTC), self._cutoffs)

    async def summary(self, access: Access, side: Side, point: ReadPoint, documents: int) -> EntitySummary:
        asked = (*_side(side), as_of(point), known_at(point), lifecycles(point), documents)
        rows = await self._fetch("entity_summary", access, *asked)
        found = _summary(rows[0][0])
        if point.horizon is None:
            return found
        out = tuple(d for d in found.documents if d.published_at is None or d.published_at <= point.horizon)
        return replace(found, documents=out)

    async def erasure_of(self, access: Access, item: UUID) -> tuple[UUID, datetime] | None:
        rows = await self._fetch("erasure_of", access, item)
        return (rows[0][0], rows[0][1]) if rows else None

    async def predicates_in_use(self, access: Access, point: ReadPoint) -> list[PredicateUse]:
        rows = await self._fetch("predicates_in_use", access, as_of(point), known_at(point), lifecycles(point))
        # A fact with several segments in force is there as often.
        return [
            PredicateUse(row["predicate"], row["facts"], tuple(dict.fromkeys(row["examples"] or ()))) for row in rows
        ]

    async def policies(self, access: Access, known_at: Revision | None = None) -> list[PredicatePolicy]:
        rows = await self._fetch("policies", access, _revision(known_at))
        return [policy_of(from_json(row["policy"])) for row in rows]

    async def _fetch(self, name: str, access: Access, *arguments: object) -> list[Any]:
        with translated():
            return await self._pool.fetch(self._sql[name], *tenant(access), *arguments)


def _revision(known_at: Revision | None) -> int:
    return PRESENT if known_at is None else known_at


def _side(side: Side | None) -> tuple[list[object] | None, list[str] | None]:
    if side is None:
        return None, None
    return [*side.ids, *side.literal_keys], [normal_name(name) for name in side.names]


def _names(predicates: tuple[str, ...] | None) -> list[str] | None:
    return None if predicates is None else list(predicates)
