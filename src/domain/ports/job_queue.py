"""The outbox: jobs that exist exactly when the transaction that asked for them was committed."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import timedelta
from enum import StrEnum
from typing import Protocol
from uuid import UUID

from domain.identity.ids import GroupId


class Lane(StrEnum):
    """A class of jobs with its own manager, connection and limit."""

    EXPRESS = "express"
    INGEST = "ingest"
    EMBED = "embed"
    BULK = "bulk"


class JobKind(StrEnum):
    """What a job asks for. Its lane is fixed by its kind."""

    PROJECT = "project"
    INGEST_VERSION = "ingest_version"
    EMBED = "embed"
    REBUILD_GRAPH = "rebuild_graph"
    BUILD_VECTORS = "build_vectors"
    ERASE = "erase"

    @property
    def lane(self) -> Lane:
        """Where jobs of this kind run."""
        return _LANES[self]


_LANES = {
    JobKind.PROJECT: Lane.EXPRESS,
    JobKind.INGEST_VERSION: Lane.INGEST,
    JobKind.EMBED: Lane.EMBED,
    JobKind.REBUILD_GRAPH: Lane.BULK,
    JobKind.BUILD_VECTORS: Lane.BULK,
    JobKind.ERASE: Lane.BULK,
}


@dataclass(frozen=True, slots=True)
class Job:
    """Work for later. ``subject`` is an id or nothing: a job carries no content, and looks up what it needs.

    ``group_id`` is the scope that the job works in; the worker re-enters as that tenant.
    """

    kind: JobKind
    group_id: GroupId
    subject: UUID | None = None
    priority: int = 0
    delay: timedelta = timedelta()


class JobQueue(Protocol):
    """Enqueues inside the caller's transaction. Delivery is at least once, in no order; handlers look up the state."""

    async def enqueue(self, jobs: Sequence[Job]) -> None:
        """Add the jobs; they become visible with the commit."""
        ...
