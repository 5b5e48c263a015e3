"""What a projection is checked by: a hash of each standing, and digests of buckets of them."""

from __future__ import annotations

import hashlib
import unicodedata
from collections.abc import Iterable
from datetime import UTC, datetime, timedelta
from struct import Struct
from uuid import UUID

from domain.identity.ids import EntityId, GroupId
from domain.standing.testimony import Segment

BUCKETS = 256

_FORMAT = b"assay/standing/1"
_LENGTH = Struct(">I")
_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
_MICROSECOND = timedelta(microseconds=1)
_MILLION = 1_000_000


def standing_hash(group_id: GroupId, subject: EntityId, predicate: str, object_form: str, segment: Segment) -> bytes:
    """32 bytes of SHA-256 over what a standing says; ``object_form`` is the object's ``normal_form``.

    Holds scope, subject, predicate, object and every field of the segment, so that two standings with one hash need no
    rewriting; numbers as whole millionths, times as microseconds UTC, texts in NFC. No revision and no clock, so that
    a rebuild gives the same.
    """
    plain = (
        f"{segment.support:d},{segment.refute:d},{_time(segment.valid_from)},{_time(segment.valid_to)},"
        f"{segment.lifecycle.value},{round(segment.confidence * _MILLION)},{round(segment.support_mass * _MILLION)},"
        f"{round(segment.refute_mass * _MILLION)},{round(segment.score * _MILLION)},{segment.tier},"
        f"{segment.kind.value},{segment.verification.value},{_time(segment.observed_at)},{segment.corrected:d}"
    )
    texts = [_text(text) for text in (group_id, predicate, object_form, segment.reason, plain)]
    parts = (_FORMAT, segment.fact_id.bytes, subject.bytes, *[_LENGTH.pack(len(text)) + text for text in texts])
    return hashlib.sha256(b"".join(parts)).digest()


def bucket(id: UUID) -> int:
    """Which of the ``BUCKETS`` an id falls into: its last byte, which is random in a UUIDv7."""
    return id.int & (BUCKETS - 1)


def bucket_digests(pairs: Iterable[tuple[UUID, bytes]]) -> list[bytes]:
    """One SHA-256 a bucket over its sorted (id, standing_hash); the order of ``pairs`` does not matter."""
    buckets: list[list[bytes]] = [[] for _ in range(BUCKETS)]
    for id, standing in pairs:
        buckets[bucket(id)].append(id.bytes + standing)
    return [hashlib.sha256(b"".join(sorted(entries))).digest() for entries in buckets]


def _text(text: str) -> bytes:
    return (text if text.isascii() else unicodedata.normalize("NFC", text)).encode()


def _time(at: datetime | None) -> str:
    return "" if at is None else str((at - _EPOCH) // _MICROSECOND)
