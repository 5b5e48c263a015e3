"""What can be erased or held, and the fingerprints by which it is known when it comes again."""

from __future__ import annotations

import hmac
from dataclasses import dataclass
from enum import StrEnum
from uuid import UUID

from domain.errors import InvalidInput, shown
from domain.identity.ids import GroupId, SourceId

MAX_REASON = 2_000
"""Characters of a reason."""


class TargetKind(StrEnum):
    """What an erasure or a hold is about. An entity stands for everything about a person or thing."""

    DOCUMENT = "document"
    SOURCE = "source"
    ENTITY = "entity"


@dataclass(frozen=True, slots=True)
class Target:
    """One document, source or entity."""

    kind: TargetKind
    id: UUID

    def __str__(self) -> str:
        return f"{self.kind.value} {self.id}"


def checked_reason(reason: str) -> str:
    """The reason without blanks around it. Raises InvalidInput for none, or one that is too long."""
    if not 1 <= len(reason.strip()) <= MAX_REASON:
        raise InvalidInput(f"a reason has 1 to {MAX_REASON} characters: {shown(reason)}", field="reason")
    return reason.strip()


def record_fingerprint(key: bytes, group_id: GroupId, source_id: SourceId, record_key: str) -> bytes:
    """What a source's record in a scope is known by: an HMAC under the organization's key, 32 bytes."""
    record = source_id.bytes + group_id.encode() + b"\0" + record_key.encode()
    return hmac.digest(key, b"assay/suppressed-record/1\0" + record, "sha256")


def content_fingerprint(key: bytes, content_hash: str) -> bytes:
    """What a content is known by, wherever it comes from: an HMAC under the organization's key, 32 bytes."""
    return hmac.digest(key, b"assay/suppressed-content/1\0" + content_hash.encode(), "sha256")
