"""Reads of contradictions on PostgreSQL: each is one statement, whose function takes the tenant first."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime
from typing import Any

import asyncpg
import msgspec

from adapters.postgres.hit_rows import as_of, filter_columns, known_at, tenant
from adapters.postgres.pool import translated
from adapters.postgres.rows import from_json
from adapters.postgres.statements import statements
from domain.identity.access import Access
from domain.identity.ids import FactId
from domain.knowledge.policy_wire import policy_of
from domain.knowledge.predicate import PredicatePolicy
from domain.ports.contradictions import ContestedRead, DocumentSet, Together, TogetherCursor
from domain.resolution.names import normal_name
from domain.retrieval.contradictions import Compared, Contested, Saying
from domain.retrieval.reading import ReadPoint
from domain.retrieval.scopes import ScopedSlot
from domain.standing.contradiction import ContradictionKind, Severity

_OPEN = ["disputed"]
_SETTLED = ["disputed", "superseded", "active", "refuted"]
_sayings = msgspec.json.Decoder(tuple[Saying, ...]).decode


class PostgresContradictionReader:
    """The ``ContradictionReader`` over a pool of the application role."""

    def __init__(self, pool: asyncpg.Pool) -> None:
        self._pool = pool
        self._sql = statements("contradictions")

    async def contested(self, access: Access, read: ContestedRead) -> list[Contested]:
        entity, after = read.entity, read.after
        rows = await self._fetch(
            "contested",
            access,
            as_of(read.point),
            known_at(read.point),
            _SETTLED if read.settled else _OPEN,
            _listed(read.predicates),
            list(entity.ids) if entity else None,
            [normal_name(name) for name in entity.names] if entity else None,
            read.about,
            *filter_columns(read.filter),
            read.limit,
            after.severity if after else None,
            after.about if after else None,
        )
        return [
            Contested(
                about=row["key"],
                slot_id=row["slot_id"],
                group_id=row["group_id"],
                kind=ContradictionKind(row["kind"]),
                predicate=row["predicate"],
                severity=Severity(row["severity"], row["corrected"], row["closeness"], row["sources"]),
                total=row["total"],
                policy=_policy(row["policy"]),
                standings=tuple(row["standings"] or ()),
                sayings=_sayings(row["said"]),
            )
            for row in rows
        ]

    async def compared(
        self,
        access: Access,
        first: DocumentSet,
        second: DocumentSet,
        point: ReadPoint,
        predicates: Sequence[str] | None,
        limit: int,
    ) -> list[Compared]:
        sets = (list(part) for side in (first, second) for part in (side.documents, side.collections))
        rows = await self._fetch("compared", access, known_at(point), _listed(predicates), *sets, limit)
        return [
            Compared(
                slot_id=row["slot_id"],
                group_id=row["group_id"],
                predicate=row["predicate"],
                policy=_policy(row["policy"]),
                standings=tuple(row["standings"] or ()),
                sayings=_sayings(row["said"]),
                first=frozenset(row["first"]),
                second=frozenset(row["second"]),
            )
            for row in rows
        ]

    async def differing(
        self, access: Access, point: ReadPoint, predicates: Sequence[str] | None, limit: int
    ) -> list[ScopedSlot]:
        asked = as_of(point), known_at(point), _listed(predicates), limit
        return [
            ScopedSlot(
                key=row["key"],
                slot_id=row["slot_id"],
                group_id=row["group_id"],
                predicate=row["predicate"],
                policy=_policy(row["policy"]),
                standings=tuple(row["standings"] or ()),
                sayings=_sayings(row["said"]),
                objects=tuple(zip(row["facts"], row["objects"], strict=True)),
            )
            for row in await self._fetch("differing", access, *asked)
        ]

    async def together(
        self,
        access: Access,
        moment: datetime,
        predicates: Sequence[str] | None,
        one_valued: Sequence[str],
        most: int,
        after: TogetherCursor | None,
        limit: int,
    ) -> list[Together]:
        place = (after.subject, after.predicate) if after else (None, None)
        asked = access.write_scope, moment, _listed(predicates), list(one_valued), most, *place, limit
        return [
            Together(TogetherCursor(row["subject_id"], row["predicate"]), tuple(row["standings"]))
            for row in await self._fetch("together", access, *asked)
        ]

    async def judged(self, access: Access, facts: Sequence[FactId]) -> list[tuple[FactId, FactId]]:
        return [(row["older"], row["newer"]) for row in await self._fetch("judged", access, list(facts))]

    async def _fetch(self, name: str, access: Access, *arguments: object) -> list[Any]:
        with translated():
            return await self._pool.fetch(self._sql[name], *tenant(access), *arguments)


def _listed(names: Sequence[str] | None) -> list[str] | None:
    return None if names is None else list(names)


def _policy(text: str | None) -> PredicatePolicy | None:
    return None if text is None else policy_of(from_json(text))
