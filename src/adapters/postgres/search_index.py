"""Search on PostgreSQL: full text, trigrams and vectors by definer functions, rows under the policies."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from datetime import datetime
from uuid import UUID

import asyncpg
import numpy as np
from numpy.typing import NDArray

from adapters.postgres.hit_rows import as_of, filter_columns, known_at, lifecycles, outlined_fact, standing_fact, tenant
from adapters.postgres.pool import translated
from adapters.postgres.statements import statements
from domain.identity.access import Access
from domain.identity.ids import ChunkId, EntityId, Revision, StandingId
from domain.ports.search_index import CandidateQuery, Candidates, FoundEntity
from domain.retrieval.facts import Named, StandingFact
from domain.retrieval.passages import Passage
from domain.retrieval.reading import FactFilter, ReadPoint

_NO_FILTER = FactFilter()


class PostgresSearchIndex:
    """The ``SearchIndex`` over a pool of the application role."""

    def __init__(self, pool: asyncpg.Pool) -> None:
        self._pool = pool
        self._sql = statements("search") | {
            "load": statements("reads")["load_filtered"],
            "outline": statements("reads")["outline_filtered"],
        }

    async def candidates(self, access: Access, query: CandidateQuery) -> Candidates:
        arguments = (
            *tenant(access),
            query.text.replace("\0", " "),
            [name.replace("\0", " ") for name in query.names],
            query.model,
            query.vector,
            query.facts,
            query.chunks,
            list(query.predicates) or None,
            query.as_of,
            known_at(query.point),
            lifecycles(query.point),
            *filter_columns(query.filter),
            list(query.asked) or None,
        )
        with translated():
            rows = await self._pool.fetch(self._sql["candidates"], *arguments)
        lists: dict[str, list[UUID]] = defaultdict(list)
        for row in rows:
            lists[row["list"]].append(row["id"])
        return Candidates(
            text=tuple(map(StandingId, lists["text"])),
            vector=tuple(map(StandingId, lists["vector"])),
            about=tuple(map(StandingId, lists["about"])),
            asked=tuple(map(StandingId, lists["asked"])),
            entities=tuple(map(EntityId, lists["entity"])),
            named={
                EntityId(row["id"]): query.names[int(row["strength"]) - 1] for row in rows if row["list"] == "named"
            },
            chunk_text=tuple(map(ChunkId, lists["chunk text"])),
            chunk_vector=tuple(map(ChunkId, lists["chunk vector"])),
            chunk_documents={row["id"]: row["document_id"] for row in rows if row["document_id"] is not None},
            embedded=bool(lists["index"]),
            nearest=_highest(rows, "vector"),
            nearest_chunk=_highest(rows, "chunk vector"),
        )

    async def load(
        self, access: Access, standings: Sequence[StandingId], point: ReadPoint, chosen: FactFilter
    ) -> list[StandingFact]:
        return [standing_fact(row) for row in await self._loaded("load", access, standings, point, chosen)]

    async def outline(
        self, access: Access, standings: Sequence[StandingId], point: ReadPoint, chosen: FactFilter
    ) -> list[StandingFact]:
        return [outlined_fact(row) for row in await self._loaded("outline", access, standings, point, chosen)]

    async def _loaded(
        self, name: str, access: Access, standings: Sequence[StandingId], point: ReadPoint, chosen: FactFilter
    ) -> list[asyncpg.Record]:
        if not standings:
            return []
        with translated():
            rows: list[asyncpg.Record] = await self._pool.fetch(
                self._sql[name],
                *tenant(access),
                list(standings),
                known_at(point),
                as_of(point),
                *filter_columns(chosen),
                chosen != _NO_FILTER,
                list(access.read_scopes),
                lifecycles(point),
            )
        return rows

    async def passages(self, access: Access, chunks: Sequence[ChunkId]) -> list[Passage]:
        if not chunks:
            return []
        with translated():
            rows = await self._pool.fetch(self._sql["passages"], *tenant(access), list(chunks))
        return [_passage(row) for row in rows]

    async def find_entities(
        self,
        access: Access,
        name: str,
        limit: int,
        point: ReadPoint,
        vector: NDArray[np.float32] | None = None,
        model: str | None = None,
    ) -> list[FoundEntity]:
        with translated():
            rows = await self._pool.fetch(
                self._sql["find_entities"],
                *tenant(access),
                name.replace("\0", " "),
                limit,
                known_at(point),
                model,
                vector,
            )
        return [
            FoundEntity(Named(row["entity_id"], row["name"], row["kind"]), row["likeness"], row["matched"])
            for row in rows
        ]

    async def refresh(self, access: Access) -> None:
        with translated():
            await self._pool.execute(self._sql["refresh"], access.organization_id)

    async def committed_at(self, access: Access, revision: Revision) -> datetime | None:
        with translated():
            moment: datetime | None = await self._pool.fetchval(self._sql["committed_at"], *tenant(access), revision)
        return moment


def _highest(rows: Sequence[asyncpg.Record], ranked: str) -> float | None:
    return max((row["strength"] for row in rows if row["list"] == ranked), default=None)


def _found(row: asyncpg.Record) -> FoundEntity:
    return FoundEntity(Named(row["entity_id"], row["name"], row["kind"]), row["likeness"], row["matched"])


def _passage(row: asyncpg.Record) -> Passage:
    return Passage(
        chunk_id=row["chunk_id"],
        group_id=row["group_id"],
        version_id=row["version_id"],
        document_id=row["document_id"],
        start=row["start_offset"],
        end=row["end_offset"],
        text=row["text"],
        title=row["title"],
        uri=row["source_uri"],
        published_at=row["published_at"],
        source_id=row["source_id"],
        source_name=row["source_name"] or "",
        tier=row["tier"],
    )
