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
    numbers = (segment.confidence, segment.support_mass, segment.refute_mass, segment.score)
    parts = (
        _FORMAT,
        segment.fact_id.bytes,
        _text(group_id),
        subject.bytes,
        _text(predicate),
        _text(object_form),
        b"%d%d" % (segment.support, segment.refute),
        _time(segment.valid_from),
        _time(segment.valid_to),
        segment.lifecycle.value.encode(),
        b",".join([b"%d" % round(number * _MILLION) for number in numbers]),
        _text(segment.reason),
        b"%d%d" % (segment.tier, segment.corrected),
        segment.verification.value.encode(),
        segment.kind.value.encode(),
        _time(segment.observed_at),
    )
    return hashlib.sha256(b"".join([_LENGTH.pack(len(part)) + part for part in parts])).digest()


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


def _time(at: datetime | None) -> bytes:
    return b"" if at is None else b"%d" % ((at - _EPOCH) // _MICROSECOND)
