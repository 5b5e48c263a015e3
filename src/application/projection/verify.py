"""Comparing a graph with the record that it follows."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum

from application.identity.access import AccessResolver
from application.projection.catch_up import LEASE_SECONDS, CatchUp
from application.projection.tenant import organization_wide
from domain.errors import Conflict
from domain.identity.access import Access
from domain.identity.ids import Revision, StandingId
from domain.ports.ids import Ids
from domain.ports.memory_engine import MemoryEngine
from domain.ports.projection_feed import Lease, ProjectionFeed
from domain.standing.digest import BUCKETS, bucket, bucket_digests

MOST_NAMED = 1_000


class GraphBusy(Conflict):
    """The graph is being projected or rebuilt by another worker."""

    code = "graph_busy"
    retryable = True


class Difference(StrEnum):
    """How a standing differs."""

    MISSING = "missing in the graph"
    EXTRA = "only in the graph"
    ALTERED = "not as recorded"


@dataclass(frozen=True, slots=True)
class Verified:
    """The outcome at a revision: the buckets that differ; after a deep look at most ``MOST_NAMED`` standings too."""

    revision: Revision
    buckets: tuple[int, ...]
    differences: tuple[tuple[StandingId, Difference], ...] = ()

    @property
    def whole(self) -> bool:
        """Whether graph and record are equal."""
        return not self.buckets


class VerifyGraph:
    """Compares the 256 digests of the live graph with those of the record's standings, and changes neither.

    - It brings the graph up to the head first, and holds it there: writes go on, and are projected afterwards.
    - A deep look names each standing that differs.
    """

    def __init__(
        self, resolver: AccessResolver, feed: ProjectionFeed, engine: MemoryEngine, ids: Ids, catch_up: CatchUp
    ) -> None:
        self._resolver = resolver
        self._feed = feed
        self._engine = engine
        self._ids = ids
        self._catch_up = catch_up

    async def __call__(self, access: Access, *, deep: bool = False) -> Verified:
        """Raises Forbidden, GraphBusy when the graph is being worked on, Unavailable."""
        whole = await organization_wide(self._resolver, access)
        if not self._engine.projected:
            return await self._compare_moving(whole, deep)
        live = next((g for g in await self._feed.generations(whole, self._engine.name) if g.live), None)
        if live is None:
            return await self._compare(whole, await self._feed.head(whole), deep)
        lease = Lease(self._engine.name, live.number, self._ids.new(), 4 * LEASE_SECONDS)
        watermark = await self._feed.lease(whole, lease)
        if watermark is None:
            raise GraphBusy(f"the {self._engine.name} graph is being brought up to date; try again in a moment")
        try:
            progress = await self._catch_up(whole, lease, watermark)
            return await self._compare(whole, progress.watermark, deep)
        finally:
            await self._feed.release(whole, lease)

    async def _compare_moving(self, access: Access, deep: bool) -> Verified:
        """An engine that reads the record cannot be held: look again while writes come between the two sides."""
        while True:
            head = await self._feed.head(access)
            verified = await self._compare(access, head, deep)
            if verified.whole or await self._feed.head(access) == head:
                return verified

    async def _compare(self, access: Access, at: Revision, deep: bool) -> Verified:
        recorded = await self._feed.hashes(access, at)
        expected = bucket_digests(recorded)
        found = await self._engine.digest(access.organization_id)
        buckets = tuple(n for n in range(BUCKETS) if expected[n] != found[n])
        if not deep or not buckets:
            return Verified(at, buckets)
        graph = [pair for n in buckets for pair in await self._engine.elements_in_bucket(access.organization_id, n)]
        wanted = [pair for pair in recorded if bucket(pair[0]) in set(buckets)]
        return Verified(at, buckets, _differences(wanted, graph))


def _differences(
    recorded: Sequence[tuple[StandingId, bytes]], graph: Sequence[tuple[StandingId, bytes]]
) -> tuple[tuple[StandingId, Difference], ...]:
    expected, found = dict(recorded), dict(graph)
    named = [(id, Difference.MISSING) for id in expected.keys() - found.keys()]
    named += [(id, Difference.EXTRA) for id in found.keys() - expected.keys()]
    named += [(id, Difference.ALTERED) for id in expected.keys() & found.keys() if expected[id] != found[id]]
    return tuple(sorted(named)[:MOST_NAMED])
