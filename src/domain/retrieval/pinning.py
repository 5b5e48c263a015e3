"""What a read by a snapshot is held to beside its revision, so that it gives the same later."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import NewType
from uuid import UUID

from domain.identity.ids import Revision

SnapshotId = NewType("SnapshotId", UUID)

READING_VERSION = 2
"""Of how reads by a snapshot are ranked. A change that orders hits otherwise takes the next number."""


@dataclass(frozen=True, slots=True)
class PinnedVectors:
    """One build of one model's vectors. Every text of revisions up to ``embedded_up_to`` has one in it."""

    index_id: int
    model: str
    dimension: int
    embedded_up_to: Revision


@dataclass(frozen=True, slots=True)
class Pins:
    """What a snapshot pins of its reads.

    ``statistics`` are, of facts and then of chunks, how many there were and their mean number of words. ``weights``
    are those of search by name. ``voided_by`` are erasures that took something that the snapshot held.
    """

    snapshot_id: SnapshotId
    as_of: datetime
    vectors: PinnedVectors | None
    statistics: tuple[float, ...]
    weights: Mapping[str, float]
    voided_by: tuple[UUID, ...] = ()
