"""Search on PostgreSQL: full text, trigrams and vectors by definer functions, rows under the policies."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import Any

import asyncpg
import numpy as np
from numpy.typing import NDArray

from adapters.postgres.hit_rows import as_of, filter_columns, known_at, lifecycles, outline, standing_facts, tenant
from adapters.postgres.pool import translated
from adapters.postgres.statements import statements
from domain.identity.access import Access
from domain.identity.ids import ChunkId, EntityId, Revision, StandingId
from domain.ports.search_index import CandidateQuery, Candidates, FoundEntity
from domain.retrieval.facts import Named, StandingFact
from domain.retrieval.fusion import Fusing
from domain.retrieval.passages import Passage
from domain.retrieval.reading import FactFilter, ReadPoint
from domain.standing.grounding import CUTOFFS, Cutoffs

_NO_FILTER = FactFilter()
_LIST = 0
"""The column that says what a row of candidates is."""


class PostgresSearchIndex:
    """The ``SearchIndex`` over a pool of the application role."""

    def __init__(self, pool: asyncpg.Pool, cutoffs: Cutoffs = CUTOFFS) -> None:
        self._pool = pool
        self._cutoffs = cutoffs
        self._sql = statements("search") | {"load": statements("reads")["load_filtered"]}

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
            list(query.answering),
            *_fusing(query.fusing),
        )
        pins = _pins(query.point)
        with translated():
            rows = await self._pool.fetch(self._sql["pinned_candidates" if pins else "candidates"], *arguments, *pins)
        lists = {row[_LIST]: row for row in rows if row[_LIST] != "fact"}
        outlines = [outline(row, query.answering) for row in rows if row[_LIST] == "fact"]
        return Candidates(
            text=_ids(lists, "text"),
            vector=_ids(lists, "vector"),
            about=_ids(lists, "about"),
            asked=_ids(lists, "asked"),
            entities=_ids(lists, "entity"),
            named=_named(lists.get("named"), query.names),
            outlines={each.standing_id: each for each in outlines},
            chunk_text=_ids(lists, "chunk text"),
            chunk_vector=_ids(lists, "chunk vector"),
            chunk_documents={
                chunk: document
                for name in ("chunk text", "chunk vector")
                if name in lists
                for chunk, document in zip(lists[name]["ids"] or (), lists[name]["documents"] or (), strict=True)
            },
            embedded="index" in lists,
            nearest=lists["vector"]["strength"] if "vector" in lists else None,
            nearest_chunk=lists["chunk vector"]["strength"] if "chunk vector" in lists else None,
        )

    async def load(
        self, access: Access, standings: Sequence[StandingId], point: ReadPoint, chosen: FactFilter
    ) -> list[StandingFact]:
        if not standings:
            return []
        with translated():
            rows = await self._pool.fetch(
                self._sql["load"],
                *tenant(access),
                list(standings),
                known_at(point),
                as_of(point),
                *filter_columns(chosen),
                chosen != _NO_FILTER,
                list(access.read_scopes),
                lifecycles(point),
            )
        return standing_facts(rows, point, self._cutoffs)

    async def passages(self, access: Access, chunks: Sequence[ChunkId], point: ReadPoint) -> list[Passage]:
        if not chunks:
            return []
        with translated():
            rows = await self._pool.fetch(self._sql["passages"], *tenant(access), list(chunks), known_at(point))
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
        pins = _pins(point)
        with translated():
            rows = await self._pool.fetch(
                self._sql["pinned_entities" if pins else "find_entities"],
                *tenant(access),
                name.replace("\0", " "),
                limit,
                known_at(point),
                model,
                vector,
                *pins,
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


def _pins(point: ReadPoint) -> tuple[object, ...]:
    """The parameters of ``pin_reads``; none where nothing is pinned."""
    pins = point.pins
    if pins is None:
        return ()
    vectors = pins.vectors
    return (
        known_at(point), vectors.index_id if vectors else None, vectors.embedded_up_to if vectors else 0,
        list(pins.statistics),
    )  # fmt: skip


def _fusing(fusing: Fusing | None) -> tuple[object, ...]:
    """Weights of text, vector, about and asked, constant, pool; without it a pool of none."""
    if fusing is None:
        return None, None, 0
    weights = [fusing.text_weight, fusing.vector_weight, fusing.about_weight, fusing.asked_weight]
    return weights, fusing.constant, fusing.pool


def _ids(lists: Mapping[str, asyncpg.Record], name: str) -> tuple[Any, ...]:
    """The ids of a list, best first; none when it was not asked for."""
    row = lists.get(name)
    return tuple(row["ids"] or ()) if row is not None else ()


def _named(row: asyncpg.Record | None, names: Sequence[str]) -> dict[EntityId, str]:
    if row is None:
        return {}
    return {EntityId(id): names[place - 1] for id, place in zip(row["ids"], row["places"], strict=True)}


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
        tainted=row["tainted"],
    )
