"""What changed in the record, for a graph that follows it."""

from __future__ import annotations

from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from typing import Any

import asyncpg

from adapters.postgres.pool import Connection, translated
from adapters.postgres.rows import literal_of
from adapters.postgres.statements import statements
from adapters.postgres.unit_of_work import enter
from domain.identity.access import Access
from domain.identity.ids import DocumentId, EntityId, Revision, StandingId
from domain.knowledge.wording import describe
from domain.ports.projection_feed import FeedPage, Generation, Lease, LeaseLost
from domain.retrieval.graph import Batch, DocumentElement, EdgeElement, EntityElement, MentionElement, edge_outline
from domain.standing.testimony import Lifecycle

_SQL = statements("projection")
_LIFECYCLES = {lifecycle.value: lifecycle for lifecycle in Lifecycle}


class PostgresProjectionFeed:
    """Implements ``ProjectionFeed``. A page is read in one snapshot."""

    def __init__(self, pool: asyncpg.Pool) -> None:
        self._pool = pool

    async def head(self, access: Access) -> Revision:
        async with self._entered(access) as connection:
            return Revision(await connection.fetchval(_SQL["head"]))

    async def generations(self, access: Access, engine: str) -> list[Generation]:
        async with self._entered(access) as connection:
            return [Generation(*row) for row in await connection.fetch(_SQL["generations"], engine)]

    async def add(self, access: Access, engine: str, generation: int, *, live: bool) -> bool:
        async with self._entered(access) as connection:
            return await connection.fetchval(_SQL["add"], engine, generation, live) is not None

    async def lease(self, access: Access, lease: Lease) -> Revision | None:
        async with self._entered(access) as connection:
            watermark = await connection.fetchval(
                _SQL["lease"], lease.engine, lease.generation, lease.holder, lease.seconds
            )
        return None if watermark is None else Revision(watermark)

    async def release(self, access: Access, lease: Lease) -> None:
        async with self._entered(access) as connection:
            await connection.execute(_SQL["release"], lease.engine, lease.generation, lease.holder)

    async def advance(self, access: Access, lease: Lease, watermark: Revision) -> None:
        await self._enter("advance", access, lease, watermark)

    async def fall_back(self, access: Access, lease: Lease, watermark: Revision) -> None:
        await self._enter("fall_back", access, lease, watermark)

    async def follow(self, access: Access, engine: str) -> None:
        async with self._entered(access) as connection:
            await connection.execute(_SQL["follow"], engine)

    async def switch(self, access: Access, engine: str, generation: int) -> None:
        async with self._entered(access) as connection:
            await connection.execute(_SQL["forget_others"], engine, generation)
            await connection.execute(_SQL["make_live"], engine, generation)

    async def page(self, access: Access, after: Revision, up_to: Revision, limit: int) -> FeedPage:
        async with self._entered(access, isolation="repeatable_read", readonly=True) as connection:
            reached = Revision(await connection.fetchval(_SQL["reach"], after, up_to, limit))
            return FeedPage(reached, await _batch(connection, after, reached, up_to))

    async def hashes(self, access: Access, at: Revision) -> list[tuple[StandingId, bytes]]:
        async with self._entered(access, readonly=True) as connection:
            return [(row[0], row[1]) for row in await connection.fetch(_SQL["hashes"], at)]

    async def _enter(self, statement: str, access: Access, lease: Lease, watermark: Revision) -> None:
        async with self._entered(access) as connection:
            held = await connection.fetchval(
                _SQL[statement], lease.engine, lease.generation, lease.holder, lease.seconds, watermark
            )
        if not held:
            raise LeaseLost(f"another worker has taken over generation {lease.generation} of the {lease.engine} graph")

    @asynccontextmanager
    async def _entered(self, access: Access, **transaction: Any) -> AsyncIterator[Connection]:
        with translated():
            async with self._pool.acquire() as connection, connection.transaction(**transaction):
                await enter(connection, access)
                yield connection


async def _batch(connection: Connection, after: Revision, reached: Revision, up_to: Revision) -> Batch:
    renamed: list[EntityId] = []
    if await connection.fetchval(_SQL["anything_named"]):
        renamed = [row[0] for row in await connection.fetch(_SQL["renamed"], after, reached)]
        opened = await connection.fetch(_SQL["opened_by_name"], after, reached, up_to, renamed)
    else:
        opened = await connection.fetch(_SQL["opened"], after, reached, up_to)
    closed = await connection.fetch(_SQL["closed"], after, reached)
    entities = await connection.fetch(_SQL["entities"], after, reached, up_to, renamed)
    changed = [row[0] for row in await connection.fetch(_SQL["changed_documents"], after, reached)]
    documents = await connection.fetch(_SQL["documents"], changed, up_to) if changed else []
    mentions = await connection.fetch(_SQL["mentions"], after, reached, up_to, changed)
    return Batch(
        upsert_entities=tuple(_entity(row) for row in entities if not row["gone"]),
        upsert_documents=tuple(_document(row) for row in documents if not row["gone"]),
        upsert_mentions=tuple(_mention(row) for row in mentions if row["held"]),
        upsert_edges=tuple(_edge(row) for row in opened),
        delete_edges=tuple(StandingId(row[0]) for row in closed),
        delete_entities=tuple(EntityId(row["entity_id"]) for row in entities if row["gone"]),
        delete_documents=tuple(DocumentId(row["document_id"]) for row in documents if row["gone"]),
        delete_mentions=_gone(mentions),
    )


def _entity(row: asyncpg.Record) -> EntityElement:
    return EntityElement(row["entity_id"], row["group_id"], row["name"], row["kind"])


def _document(row: asyncpg.Record) -> DocumentElement:
    return DocumentElement(row["document_id"], row["group_id"], row["title"])


def _mention(row: asyncpg.Record) -> MentionElement:
    return MentionElement(row["document_id"], row["entity_id"], row["group_id"])


def _gone(mentions: Sequence[asyncpg.Record]) -> tuple[tuple[DocumentId, EntityId], ...]:
    return tuple((row["document_id"], row["entity_id"]) for row in mentions if not row["held"])


def _edge(row: asyncpg.Record) -> EdgeElement:
    return edge_outline(row, _values, row[0], row[3], row[5])


def _values(row: asyncpg.Record) -> tuple[Any, ...]:
    """What an edge has, of a row of ``opened``."""
    standing, fact, group, subject, name, entity, literal, sentence, since, until, state, *rest = row
    text = describe(literal_of(literal)) if entity is None else None
    return standing, fact, group, subject, name, entity, text, sentence or "", since, until, _LIFECYCLES[state], *rest
