"""Keeping the live graph of an organization at the head of its record."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from application.projection.builder import GraphBuilder
from application.projection.catch_up import LEASE_SECONDS, CatchUp, Progress
from domain.errors import NotFound, WorkFailed
from domain.identity.access import Access
from domain.identity.ids import Revision
from domain.ports.ids import Ids
from domain.ports.memory_engine import MemoryEngine
from domain.ports.projection_feed import Generation, Lease, LeaseLost, ProjectionFeed
from domain.retrieval.graph import EdgeEndMissing

_BUSY = Progress(Revision(-1))


@dataclass(frozen=True, slots=True)
class Projected:
    """What became of a catch-up; with ``busy``, another worker is at it, and leaves nothing behind."""

    watermark: Revision
    changes: int = 0
    busy: bool = False
    rebuilt: bool = False


class Projector:
    """Takes the lease on the live build, catches up, gives it back; makes the first build, and anew a lost graph.

    A worker that finds the lease taken may leave at once: whoever holds it looks at the head again after giving it
    back. What the graph says of itself counts: one that came back from a snapshot catches up from there.
    """

    def __init__(
        self,
        feed: ProjectionFeed,
        engine: MemoryEngine,
        ids: Ids,
        catch_up: CatchUp,
        builder: GraphBuilder,
        *,
        lease_seconds: float = LEASE_SECONDS,
    ) -> None:
        self._feed = feed
        self._engine = engine
        self._ids = ids
        self._catch_up = catch_up
        self._builder = builder
        self._lease_seconds = lease_seconds

    async def __call__(self, access: Access) -> Projected:
        """Bring the graph up to the head. ``access`` is organization-wide. Raises Unavailable."""
        if not self._engine.projected:
            await self._feed.follow(access, self._engine.name)
            return Projected(await self._feed.head(access))
        changes, rebuilt = 0, False
        while True:
            generations = await self._feed.generations(access, self._engine.name)
            live, waiting = _live_of(generations)
            there = await self._engine.live_generation(access.organization_id)
            own = await self._engine.watermark(access.organization_id)
            if not generations and there is None:
                await self._feed.add(access, self._engine.name, 1, live=True)
                continue
            reached = min(live.watermark, own or 0) if live else 0
            if live and there == live.number and reached >= await self._feed.head(access):
                return Projected(live.watermark, changes, rebuilt=rebuilt)
            if waiting:
                return Projected(Revision(0), changes, busy=True)
            done = None if live is None else await self._with_lease(access, live)
            if done is _BUSY:
                return Projected(Revision(0), changes, busy=True)
            if done is None:
                if rebuilt:
                    raise WorkFailed(f"the {self._engine.name} graph is not whole right after a rebuild; see its log")
                done = await self._builder(access)
                if done is None:
                    return Projected(Revision(0), changes, busy=True)
                rebuilt = True
            changes += done.changes

    async def _with_lease(self, access: Access, live: Generation) -> Progress | None:
        """One round on the live build: _BUSY when another has the lease, None when it has to be built anew."""
        lease = Lease(self._engine.name, live.number, self._ids.new(), self._lease_seconds)
        watermark = await self._feed.lease(access, lease)
        if watermark is None:
            return _BUSY
        try:
            return await self._on_the_right_graph(access, lease, watermark)
        except LeaseLost:
            return _BUSY
        except (EdgeEndMissing, NotFound):
            return None
        finally:
            await self._feed.release(access, lease)

    async def _on_the_right_graph(self, access: Access, lease: Lease, watermark: Revision) -> Progress | None:
        """Catch up if the engine's live graph is that of the lease; None when it has to be built anew."""
        organization = access.organization_id
        there = await self._engine.live_generation(organization)
        if there is None and watermark == 0:
            await self._engine.prepare(organization, lease.generation)
            await self._engine.swap(organization, lease.generation)
            there = lease.generation
        if there == lease.generation:
            own = await self._engine.watermark(organization, lease.generation)
            if own is not None and own < watermark:
                await self._feed.fall_back(access, lease, own)
                watermark = own
            return await self._catch_up(access, lease, watermark)
        known = [g.number for g in await self._feed.generations(access, self._engine.name)]
        if there in known:
            # A rebuild died between the swap and its entry in the record.
            await self._feed.switch(access, self._engine.name, there)
            return Progress(watermark)
        return None


def _live_of(generations: Sequence[Generation]) -> tuple[Generation | None, bool]:
    """The live build, and whether one that is ready to replace it waits for its lease."""
    live = next((g for g in generations if g.live), None)
    waiting = live is not None and any(g.leased and not g.live and g.watermark >= live.watermark for g in generations)
    return live, waiting
