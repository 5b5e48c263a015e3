"""Vectors on PostgreSQL: partitions by index and organization, written through their policed parents."""

from __future__ import annotations

from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from uuid import UUID

import asyncpg
import numpy as np

from adapters.postgres.pool import translated
from adapters.postgres.statements import statements
from adapters.postgres.tenancy import scopes_text
from domain.errors import DimensionMismatch, InvalidInput, NotFound
from domain.identity.access import Access
from domain.identity.ids import Revision
from domain.ports.embedder import Vectors
from domain.ports.vector_store import OrganizationIndexes, PendingText, VectorIndex, VectorKind

MAX_DIMENSION = 4_000


class PostgresVectorStore:
    """The ``VectorStore`` over a pool of the application role."""

    def __init__(self, pool: asyncpg.Pool) -> None:
        self._pool = pool
        self._sql = statements("vectors")

    async def indexes(self, access: Access) -> OrganizationIndexes:
        async with self._tenant(access) as connection:
            return await self._indexes(connection)

    async def ensure(self, access: Access, model: str, dimension: int) -> OrganizationIndexes:
        _require_dimension(dimension)
        async with self._tenant(access) as connection:
            await connection.execute(self._sql["lock_indexes"])
            present = await self._indexes(connection)
            for index in (present.active, present.building):
                if index is not None and (index.model, index.dimension) == (model, dimension):
                    return present
            shared = await connection.fetchval(self._sql["index_of_model"], model, dimension)
            index_id = shared or await connection.fetchval(self._sql["create_index"], model, dimension)
            await connection.execute(self._sql["activate" if present.active is None else "start_building"], index_id)
            return await self._indexes(connection)

    async def rebuild(self, access: Access, model: str, dimension: int) -> VectorIndex:
        _require_dimension(dimension)
        async with self._tenant(access) as connection:
            await connection.execute(self._sql["lock_indexes"])
            present = await self._indexes(connection)
            index_id = await connection.fetchval(self._sql["create_index"], model, dimension)
            await connection.execute(self._sql["activate" if present.active is None else "start_building"], index_id)
            return VectorIndex(index_id, model, dimension, Revision(0))

    async def pending(
        self, access: Access, index: VectorIndex, kind: VectorKind, after: Revision, limit: int
    ) -> list[PendingText]:
        async with self._tenant(access) as connection:
            rows = await connection.fetch(self._sql[f"pending_{kind.value}"], index.id, after, limit)
        return [PendingText(row["id"], Revision(row["revision"]), row["text"]) for row in rows]

    async def store(
        self, access: Access, index: VectorIndex, kind: VectorKind, ids: Sequence[UUID], vectors: Vectors
    ) -> int:
        if vectors.shape != (len(ids), index.dimension):
            raise DimensionMismatch(
                f"{len(ids)} vectors of {index.dimension} dimensions belong into index {index.id} ({index.model}), "
                f"not an array of shape {vectors.shape}; embed with that model, or build another index",
                field="vectors",
            )
        if not ids:
            return 0
        # The driver takes an array row for a nested list; a view of its memory it hands to the codec whole.
        rows = [memoryview(row) for row in np.ascontiguousarray(vectors, dtype=np.float32)]
        async with self._tenant(access) as connection:
            done = await connection.execute(self._sql[f"store_{kind.value}"], index.id, list(ids), rows)
        return int(done.rsplit(" ", 1)[1])

    async def advance(self, access: Access, index: VectorIndex, watermark: Revision) -> None:
        async with self._tenant(access) as connection:
            await connection.execute(self._sql["advance"], index.id, watermark)

    async def build_graphs(self, index: VectorIndex, least: int = 2_000) -> int:
        with translated():
            built: int = await self._pool.fetchval(self._sql["build_graphs"], index.id, least, timeout=3_600)
        return built

    async def expect(self, access: Access, index: VectorIndex, kind: VectorKind, after: Revision) -> None:
        async with self._tenant(access) as connection:
            await connection.execute(self._sql["drop_outgrown_graph"], kind.value, index.id, after)

    async def switch(self, access: Access) -> VectorIndex:
        async with self._tenant(access) as connection:
            if await connection.fetchval(self._sql["switch"]) is None:
                raise NotFound("no vector index is being built; start one with another model first")
            active = (await self._indexes(connection)).active
        assert active is not None
        return active

    async def _indexes(self, connection: asyncpg.pool.PoolConnectionProxy) -> OrganizationIndexes:
        row = await connection.fetchrow(self._sql["indexes"])
        if row is None:
            return OrganizationIndexes(None, None)
        active = VectorIndex(row["index_id"], row["model"], row["dimension"], row["watermark"])
        if row["building_id"] is None:
            return OrganizationIndexes(active, None)
        building = VectorIndex(
            row["building_id"], row["building_model"], row["building_dimension"], row["building_watermark"]
        )
        return OrganizationIndexes(active, building)

    @asynccontextmanager
    async def _tenant(self, access: Access) -> AsyncIterator[asyncpg.pool.PoolConnectionProxy]:
        with translated():
            async with self._pool.acquire() as connection, connection.transaction():
                await connection.execute(
                    self._sql["enter"], access.organization_id, scopes_text(access), ",".join(access.writable)
                )
                yield connection


def _require_dimension(dimension: int) -> None:
    if not 1 <= dimension <= MAX_DIMENSION:
        raise InvalidInput(f"a vector has 1 to {MAX_DIMENSION} dimensions, not {dimension}", field="dimension")
