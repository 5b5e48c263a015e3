"""What changed in the record, for a graph that follows it, and how far each build of a graph has come."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Protocol
from uuid import UUID

from domain.errors import Conflict
from domain.identity.access import Access
from domain.identity.ids import Revision, StandingId
from domain.retrieval.graph import Batch


class LeaseLost(Conflict):
    """Another worker has taken over the projection; what this one was about to do is no longer its business."""

    code = "lease_lost"
    retryable = True


@dataclass(frozen=True, slots=True)
class Generation:
    """One build of an organization's graph in one engine. ``leased`` says that somebody is at work on it now."""

    number: int
    live: bool
    watermark: Revision
    leased: bool


@dataclass(frozen=True, slots=True)
class Lease:
    """Who works on a generation, and for how many seconds since the last sign of life."""

    engine: str
    generation: int
    holder: UUID
    seconds: float


@dataclass(frozen=True, slots=True)
class FeedPage:
    """What a graph needs to go on to revision ``reached``, and how many edges of it are added or removed."""

    reached: Revision
    batch: Batch

    @property
    def changes(self) -> int:
        """Edges that are added or removed."""
        return len(self.batch.upsert_edges) + len(self.batch.delete_edges)


class ProjectionFeed(Protocol):
    """The read side of the record, over all scopes of one organization.

    Every method takes an access whose read scopes are all of the organization's, and raises Unavailable when the
    database does not answer.
    """

    async def head(self, access: Access) -> Revision:
        """The organization's last revision."""
        ...

    async def generations(self, access: Access, engine: str) -> list[Generation]:
        """What is known of the engine's builds, by number."""
        ...

    async def add(self, access: Access, engine: str, generation: int, *, live: bool) -> bool:
        """Enter a build at watermark 0; False, and nothing changes, when it is there already."""
        ...

    async def lease(self, access: Access, lease: Lease) -> Revision | None:
        """Take or keep the lease, and say how far the build is; None when another has it or there is no such build."""
        ...

    async def release(self, access: Access, lease: Lease) -> None:
        """Give the lease back; one that is lost already is no error."""
        ...

    async def advance(self, access: Access, lease: Lease, watermark: Revision) -> None:
        """The build has everything up to the revision. Renews the lease; raises LeaseLost, and changes nothing."""
        ...

    async def fall_back(self, access: Access, lease: Lease, watermark: Revision) -> None:
        """The build has come no further than the revision, whatever was entered. Raises LeaseLost like ``advance``."""
        ...

    async def follow(self, access: Access, engine: str) -> None:
        """For an engine that reads the record itself: its only build is always at the head."""
        ...

    async def switch(self, access: Access, engine: str, generation: int) -> None:
        """The build is the live one, and all others are forgotten; again does nothing."""
        ...

    async def page(self, access: Access, after: Revision, up_to: Revision, limit: int) -> FeedPage:
        """The next whole revisions after one: about ``limit`` edges or mentions, more only within one revision.

        A graph that has everything up to ``after`` and applies the pages up to ``up_to`` is the record as of
        ``up_to``; before the last page it may lack what is closed by then. The same arguments give the same pages.
        """
        ...

    async def hashes(self, access: Access, at: Revision) -> list[tuple[StandingId, bytes]]:
        """The id and hash of every standing that was open at the revision, in no order."""
        ...
