"""A revision of the record with a name, with what reads by it need, and with a digest that proves it."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import ClassVar
from uuid import UUID

from domain.errors import Conflict, InvalidInput, NotFound, shown
from domain.identity.ids import GroupId, PrincipalId, Revision
from domain.retrieval.pinning import PinnedVectors, Pins, SnapshotId

MAX_NAME = 200
MAX_REASON = 2_000
BUCKETS = 256
BUCKET_BYTES = 32
_PURPOSE = b"assay snapshot digest"


class SnapshotAltered(Conflict):
    """The record does not say any more what it said when the snapshot was made."""

    code = "snapshot_altered"


class Voided(NotFound):
    """It showed something that was erased since; the message names the erasure."""

    code: ClassVar[str] = "voided"


@dataclass(frozen=True, slots=True)
class ContentDigest:
    """What was current at a revision: ``BUCKETS`` digests of 32 bytes, one after the other, and how many standings."""

    buckets: bytes
    standings: int

    def __post_init__(self) -> None:
        if len(self.buckets) != BUCKETS * BUCKET_BYTES:
            raise InvalidInput(f"a digest has {BUCKETS * BUCKET_BYTES} bytes, not {len(self.buckets)}", field="digest")

    @property
    def whole(self) -> bytes:
        """One digest over all of them: 32 bytes of SHA-256."""
        return hashlib.sha256(self.buckets).digest()

    def differing(self, buckets: bytes) -> int:
        """In how many buckets it differs from others."""
        steps = range(0, BUCKETS * BUCKET_BYTES, BUCKET_BYTES)
        return sum(self.buckets[at : at + BUCKET_BYTES] != buckets[at : at + BUCKET_BYTES] for at in steps)


@dataclass(frozen=True, slots=True)
class Snapshot:
    """One row: the revision that it reads, in which scopes (narrowest first), and everything that is pinned.

    ``kept`` is False when it was made for a stored pack and goes with it. ``voided_by`` are erasures that took
    something that it held: the rest goes on to answer. ``altered_at`` is when its digest did not verify.
    """

    id: SnapshotId
    group_id: GroupId
    scopes: tuple[GroupId, ...]
    revision: Revision
    as_of: datetime
    vocabulary_revision: Revision
    vectors: PinnedVectors | None
    statistics: tuple[float, ...]
    weights: Mapping[str, float]
    reading_version: int
    packing_version: int
    standings: int
    digest: bytes
    name: str | None
    reason: str | None
    kept: bool
    principal_id: PrincipalId
    principal_kind: str
    made_revision: Revision
    made_at: datetime
    verified_at: datetime | None = None
    altered_at: datetime | None = None
    voided_by: tuple[UUID, ...] = ()

    def __post_init__(self) -> None:
        for field, text, most in (("name", self.name, MAX_NAME), ("reason", self.reason, MAX_REASON)):
            if text is not None and not 1 <= len(text.strip()) <= len(text) <= most:
                raise InvalidInput(f"a {field} has 1 to {most} characters, not {shown(text)}", field=field)

    @property
    def pins(self) -> Pins:
        """What a read by it is held to."""
        return Pins(self.id, self.as_of, self.vectors, self.statistics, self.weights, self.voided_by)


def digest_key(organization_key: bytes) -> bytes:
    """The key under which an organization's digests are made: without it nothing can be guessed from one."""
    return hashlib.blake2b(_PURPOSE, key=organization_key[:64], digest_size=32).digest()
