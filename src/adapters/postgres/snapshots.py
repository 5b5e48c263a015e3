"""Snapshots and stored packs on PostgreSQL."""

from __future__ import annotations

from collections.abc import Collection
from datetime import datetime
from uuid import UUID

import asyncpg
import msgspec

from adapters.postgres.pool import Connection
from adapters.postgres.rows import from_json, to_json
from adapters.postgres.statements import statements
from domain.identity.ids import GroupId, Revision
from domain.ports.erasure import ErasureId
from domain.retrieval.context_pack import ContextPack, PackId
from domain.retrieval.pinning import PinnedVectors, SnapshotId
from domain.retrieval.snapshot import ContentDigest, Snapshot

_SQL = statements("snapshots")
_pack = msgspec.json.Decoder(ContextPack).decode


class PostgresSnapshots:
    """Implements ``Snapshots`` on one connection inside one transaction."""

    def __init__(self, connection: Connection) -> None:
        self._connection = connection

    async def digest(self, known_at: Revision, made: Revision, key: bytes) -> ContentDigest:
        row = await self._connection.fetchrow(_SQL["digest"], known_at, made, key)
        assert row is not None
        return ContentDigest(row["buckets"], row["standings"])

    async def corpus(self, known_at: Revision) -> tuple[float, ...]:
        return tuple(await self._connection.fetchval(_SQL["corpus"], known_at))

    async def vectors(self) -> PinnedVectors | None:
        row = await self._connection.fetchrow(_SQL["vectors"])
        return None if row is None else PinnedVectors(*row)

    async def vocabulary_revision(self, known_at: Revision) -> Revision:
        return Revision(await self._connection.fetchval(_SQL["vocabulary_revision"], known_at))

    async def committed_at(self, revision: Revision) -> datetime | None:
        moment: datetime | None = await self._connection.fetchval(_SQL["committed_at"], revision)
        return moment

    async def erased_since(self, revision: Revision) -> bool:
        return bool(await self._connection.fetchval(_SQL["erased_since"], revision))

    async def add(self, snapshot: Snapshot, buckets: bytes) -> None:
        s = snapshot
        vectors = (s.vectors.index_id, s.vectors.embedded_up_to) if s.vectors else (None, 0)
        await self._connection.execute(
            _SQL["add"], s.group_id, s.id, list(s.scopes), s.revision, s.as_of, s.vocabulary_revision, *vectors,
            list(s.statistics), to_json(s.weights), s.reading_version, s.packing_version, s.standings, s.digest,
            buckets, s.name, s.reason, s.kept, s.principal_id, s.principal_kind, s.made_revision, s.made_at,
        )  # fmt: skip

    async def mark(self, snapshot_id: SnapshotId, verified: bool, at: datetime) -> None:
        await self._connection.execute(_SQL["mark"], snapshot_id, verified, at)

    async def snapshot(self, snapshot_id: SnapshotId) -> Snapshot | None:
        row = await self._connection.fetchrow(_SQL["snapshot"], snapshot_id)
        return None if row is None else _snapshot(row)

    async def buckets(self, snapshot_id: SnapshotId) -> bytes:
        return bytes(await self._connection.fetchval(_SQL["buckets"], snapshot_id))

    async def snapshots(self, after: SnapshotId | None, limit: int) -> list[Snapshot]:
        return [_snapshot(row) for row in await self._connection.fetch(_SQL["snapshots"], after, limit)]

    async def reusable(self, like: Snapshot, not_before: datetime) -> SnapshotId | None:
        vectors = (like.vectors.index_id, like.vectors.embedded_up_to) if like.vectors else (None, 0)
        found = await self._connection.fetchval(
            _SQL["reusable"], list(like.scopes), to_json(like.weights), like.reading_version, like.packing_version,
            *vectors, not_before,
        )  # fmt: skip
        return None if found is None else SnapshotId(found)

    async def add_pack(
        self, pack: ContextPack, group_id: GroupId, principal_id: UUID, revision: Revision, items: Collection[UUID]
    ) -> None:
        await self._connection.execute(
            _SQL["add_pack"], group_id, pack.id, pack.snapshot_id, principal_id, msgspec.json.encode(pack), revision,
            pack.made_at, pack.expires_at,
        )  # fmt: skip
        await self._connection.execute(_SQL["add_items"], group_id, pack.id, list(items))

    async def pack(self, pack_id: PackId, now: datetime) -> ContextPack | UUID | None:
        row = await self._connection.fetchrow(_SQL["pack"], pack_id)
        if row is None or row["expires_at"] <= now:
            return None
        voided: UUID | None = row["voided_by"]
        return voided if voided is not None else _pack(row["payload"])

    async def trace_said(self, erasure_id: ErasureId) -> None:
        await self._connection.execute(_SQL["trace_said"], erasure_id)

    async def trace_rows(self, erasure_id: ErasureId, revision: Revision, key: bytes) -> None:
        await self._connection.execute(_SQL["trace_rows"], erasure_id, revision, key)

    async def void_packs(self, erasure_id: ErasureId) -> int:
        return int(await self._connection.fetchval(_SQL["void_packs"], erasure_id))


def _snapshot(row: asyncpg.Record) -> Snapshot:
    vectors = None
    if row["index_id"] is not None:
        vectors = PinnedVectors(row["index_id"], row["model"], row["dimension"], row["embedded_up_to"])
    return Snapshot(
        id=row["snapshot_id"],
        group_id=row["group_id"],
        scopes=tuple(row["scopes"]),
        revision=row["revision"],
        as_of=row["as_of"],
        vocabulary_revision=row["vocabulary_revision"],
        vectors=vectors,
        statistics=tuple(row["statistics"]),
        weights=from_json(row["weights"]),
        reading_version=row["reading_version"],
        packing_version=row["packing_version"],
        standings=row["standings"],
        digest=row["digest"],
        name=row["name"],
        reason=row["reason"],
        kept=row["kept"],
        principal_id=row["principal_id"],
        principal_kind=row["principal_kind"],
        made_revision=row["made_revision"],
        made_at=row["made_at"],
        verified_at=row["verified_at"],
        altered_at=row["altered_at"],
        voided_by=tuple(row["voided_by"]),
    )
