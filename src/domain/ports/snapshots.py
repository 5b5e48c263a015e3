"""Snapshots of the record, and packs that were stored with one."""

from __future__ import annotations

from collections.abc import Collection
from datetime import datetime
from typing import Protocol
from uuid import UUID

from domain.identity.ids import GroupId, Revision
from domain.ports.erasure import ErasureId
from domain.retrieval.context_pack import ContextPack, PackId
from domain.retrieval.pinning import PinnedVectors, SnapshotId
from domain.retrieval.snapshot import ContentDigest, Snapshot


class Snapshots(Protocol):
    """Rows of snapshots and packs in the transaction's scopes."""

    async def digest(self, known_at: Revision, made: Revision, key: bytes) -> ContentDigest:
        """Of what was current at a revision in the readable scopes.

        What erasures took after ``made`` counts with what it had then. One pass over the standings, in flat memory.
        """
        ...

    async def corpus(self, known_at: Revision) -> tuple[float, ...]:
        """Of facts and then of chunks: how many were current, and their mean number of words."""
        ...

    async def vectors(self) -> PinnedVectors | None:
        """The active index and how far it has come."""
        ...

    async def vocabulary_revision(self, known_at: Revision) -> Revision:
        """When the predicates last changed, up to a revision; 0 for never."""
        ...

    async def committed_at(self, revision: Revision) -> datetime | None:
        """When the last readable revision up to this one was committed."""
        ...

    async def erased_since(self, revision: Revision) -> bool:
        """Whether something was erased after a revision."""
        ...

    async def add(self, snapshot: Snapshot, buckets: bytes) -> None:
        """Keep a snapshot."""
        ...

    async def mark(self, snapshot_id: SnapshotId, verified: bool, at: datetime) -> None:
        """Note that its digest verified, or did not, at a time."""
        ...

    async def snapshot(self, snapshot_id: SnapshotId) -> Snapshot | None:
        """One snapshot, by its key; None when there is none in the readable scopes."""
        ...

    async def buckets(self, snapshot_id: SnapshotId) -> bytes:
        """What its digest is over."""
        ...

    async def snapshots(self, after: SnapshotId | None, limit: int) -> list[Snapshot]:
        """Those of the readable scopes, newest first."""
        ...

    async def reusable(self, like: Snapshot, not_before: datetime) -> SnapshotId | None:
        """The last one that reads the same as this one would: nothing but snapshots and packs was written since."""
        ...

    async def add_pack(
        self, pack: ContextPack, group_id: GroupId, principal_id: UUID, revision: Revision, items: Collection[UUID]
    ) -> None:
        """Store a pack that has an id, a snapshot and an end; ``items`` is everything that it shows."""
        ...

    async def pack(self, pack_id: PackId, now: datetime) -> ContextPack | UUID | None:
        """A stored pack, the erasure that voided it, or None when there is none or its time is over."""
        ...

    async def trace_said(self, erasure_id: ErasureId) -> None:
        """Before an erasure's assertions go: note at which revisions they were in the record."""
        ...

    async def trace_rows(self, erasure_id: ErasureId, revision: Revision, key: bytes) -> None:
        """Before its rows go: the same of facts and passages, and what digests have for them."""
        ...

    async def void_packs(self, erasure_id: ErasureId) -> int:
        """After its rows went: empty the packs that show something of it; how many."""
        ...
