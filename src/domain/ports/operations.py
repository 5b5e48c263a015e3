"""Watching the outbox and what follows the record."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Protocol

from domain.identity.access import Access
from domain.identity.ids import Revision


@dataclass(frozen=True, slots=True)
class Backlog:
    """Jobs by (kind, state), and revisions that ``graph`` and ``vectors`` are behind where they lag most."""

    jobs: dict[tuple[str, str], int]
    lag: dict[str, int]


@dataclass(frozen=True, slots=True)
class DeadLetter:
    """A job that failed for good and is kept until somebody decides."""

    id: int
    kind: str
    subject: str | None
    scope: str
    attempts: int
    created_at: datetime
    failed_at: datetime
    reason: str | None = None


@dataclass(frozen=True, slots=True)
class Watermarks:
    """The organization's last revision, and the last that graph and vectors have; None where there is none."""

    head: Revision
    graph: Revision | None
    vectors: Revision | None


class Operations(Protocol):
    """Looks at queues and projections. Every method raises Unavailable when the database does not answer."""

    async def backlog(self) -> Backlog:
        """Over all organizations: numbers only."""
        ...

    async def dead_letters(self, access: Access, after: int, limit: int) -> list[DeadLetter]:
        """Failed jobs of the readable scopes with a greater id, by id."""
        ...

    async def retry(self, access: Access, job_ids: Sequence[int]) -> list[int]:
        """Queue failed jobs of the writable scopes again; which there were. Others are left out."""
        ...

    async def watermarks(self, access: Access) -> Watermarks:
        """How far the access's organization has come."""
        ...
