"""Reads of concepts on PostgreSQL: each is one statement, whose function takes the tenant first."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import groupby
from operator import itemgetter
from typing import Any

import asyncpg

from adapters.postgres.hit_rows import as_of, filter_columns, known_at, lifecycles, tenant
from adapters.postgres.pool import translated
from adapters.postgres.statements import statements
from domain.identity.access import Access
from domain.identity.ids import EntityId
from domain.knowledge.assertion import ClaimKind
from domain.knowledge.concept import CONCEPT, ConceptKind
from domain.knowledge.objects import folded
from domain.ports.concepts import ConceptCandidates, ConceptPredicates, ConceptSearch
from domain.retrieval.concepts import Bearing, ConceptRecord, ConceptSaying
from domain.retrieval.facts import Citation, Named
from domain.retrieval.reading import ReadPoint

_KINDS = {kind.value: kind for kind in ConceptKind}


class PostgresConceptReader:
    """The ``ConceptReader`` over a pool of the application role."""

    def __init__(self, pool: asyncpg.Pool) -> None:
        self._pool = pool
        self._sql = statements("concepts")

    async def candidates(
        self, access: Access, search: ConceptSearch, predicates: ConceptPredicates
    ) -> ConceptCandidates:
        rows = await self._fetch(
            "candidates",
            access,
            search.text.replace("\0", " "),
            search.model,
            search.vector,
            search.limit,
            predicates.term,
            predicates.kind,
            list(search.kinds) or None,
            as_of(search.point),
            known_at(search.point),
            lifecycles(search.point),
            *filter_columns(search.filter),
        )
        cosines: dict[EntityId, float] = {}
        for row in rows:
            for found, cosine in zip(row["ids"] or (), row["cosines"] or (), strict=False):
                cosines[found] = max(cosine, cosines.get(found, -1.0))
        return ConceptCandidates({row["list"]: tuple(row["ids"] or ()) for row in rows}, cosines or None)

    async def concepts(
        self, access: Access, ids: Sequence[EntityId], point: ReadPoint, predicates: ConceptPredicates
    ) -> list[ConceptRecord]:
        if not ids:
            return []
        bearing = (predicates.kind, predicates.supports, predicates.contradicts)
        when = (as_of(point), known_at(point), point.horizon)
        rows = await self._fetch("concepts", access, list(ids), predicates.term, *bearing, *when)
        return [_concept(list(said)) for _, said in groupby(rows, key=itemgetter("entity_id"))]

    async def _fetch(self, name: str, access: Access, *arguments: object) -> list[Any]:
        with translated():
            return await self._pool.fetch(self._sql[name], *tenant(access), *arguments)


def _concept(rows: Sequence[asyncpg.Record]) -> ConceptRecord:
    """One concept of its rows: one for each saying, or a single one without."""
    row = rows[0]
    return ConceptRecord(
        row["entity_id"],
        row["group_id"],
        row["label"],
        tuple(row["names"]),
        tuple(row["terms"]),
        tuple(_saying(said) for said in rows if said["concept_id"] is not None),
    )


def _saying(row: asyncpg.Record) -> ConceptSaying:
    bearing = Bearing(row["role"])
    other = Named(row["other_id"], row["other_name"] or "", CONCEPT) if row["other_id"] is not None else None
    stated = row["stated"] if bearing is Bearing.STATED else None
    return ConceptSaying(
        bearing=bearing,
        fact_id=row["fact_id"],
        weight=row["weight"],
        independence_key=row["independence_key"],
        in_force=row["in_force"],
        citation=_citation(row),
        kind=_KINDS.get(folded(stated)) if stated is not None else None,
        other=other,
    )


def _citation(row: asyncpg.Record) -> Citation:
    return Citation(
        assertion_id=row["assertion_id"],
        kind=ClaimKind(row["kind"]),
        asserter=row["asserter"],
        excerpt=row["excerpt"],
        start=row["start_offset"],
        end=row["end_offset"],
        pointer=row["pointer"],
        paragraph=row["excerpt"],
        version_id=row["version_id"],
        document_id=row["document_id"],
        title=row["title"],
        uri=row["source_uri"],
        published_at=row["published_at"],
        observed_at=row["observed_at"],
        source_id=row["source_id"],
        source_name=row["source_name"] or "",
        tier=row["tier"],
    )
