"""What can be wrong with a journal, and the anchor by which somebody else can tell."""

from __future__ import annotations

import hmac
from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum
from typing import NamedTuple

from domain.identity.ids import OrganizationId, Revision

SHOWN_FAULTS = 100
"""Faults that one verification names."""


class FaultKind(StrEnum):
    """How an entry fails."""

    CHANGED = "changed"
    MISSING = "missing"
    REORDERED = "reordered"
    REPLACED = "replaced"
    BEYOND_HEAD = "beyond_head"
    PAYLOAD = "payload"
    ANCHOR = "anchor"


_DETAILS = {
    FaultKind.CHANGED: "its content is not what its hash was made of",
    FaultKind.MISSING: "there is no such entry",
    FaultKind.REORDERED: "it follows another entry than the one that stands before it",
    FaultKind.REPLACED: "what stands before it is not what it was made after",
    FaultKind.BEYOND_HEAD: "it is later than the head of the journal",
    FaultKind.PAYLOAD: "its payload is not what it was committed to",
    FaultKind.ANCHOR: "it is not the entry that the anchor names",
}


@dataclass(frozen=True, slots=True)
class Fault:
    """What is wrong at a revision; ``last`` is the end of a run of missing ones, else the same."""

    revision: Revision
    last: Revision
    kind: FaultKind

    @property
    def detail(self) -> str:
        """In words."""
        return _DETAILS[self.kind]


@dataclass(frozen=True, slots=True)
class Anchor:
    """A revision with the hash of its entry. Kept outside, it shows later whether what leads to it was rewritten."""

    organization_id: OrganizationId
    revision: Revision
    hash: bytes
    committed_at: datetime | None


class Commitment(NamedTuple):
    """What an entry committed to, and the payload with its salt; both are None once they were erased."""

    revision: Revision
    commitment: bytes
    salt: bytes | None
    payload: bytes | None


@dataclass(frozen=True, slots=True)
class JournalVerified:
    """What a verification looked at and what it found, by revision; at most ``SHOWN_FAULTS`` faults.

    ``erased`` are entries whose payload is gone together with its salt, which is no fault.
    """

    head: Anchor
    entries: int
    erased: int
    faults: tuple[Fault, ...]


def commitment_of(salt: bytes, payload: bytes) -> bytes:
    """HMAC-SHA256 of a payload under its salt."""
    return hmac.digest(salt, payload, "sha256")


def payload_faults(commitments: Iterable[Commitment]) -> list[Fault]:
    """Entries whose payload does not match; one that was erased with its salt is none."""
    return [
        Fault(c.revision, c.revision, FaultKind.PAYLOAD)
        for c in commitments
        if (c.salt is None) != (c.payload is None)
        or (c.salt is not None and c.payload is not None and commitment_of(c.salt, c.payload) != c.commitment)
    ]
