"""Building an organization's graph anew beside the live one."""

from __future__ import annotations

import asyncio

from application.projection.catch_up import LEASE_SECONDS, CatchUp, Progress
from domain.errors import NotFound, Unavailable
from domain.identity.access import Access
from domain.identity.ids import Revision
from domain.ports.ids import Ids
from domain.ports.memory_engine import MemoryEngine
from domain.ports.projection_feed import Lease, LeaseLost, ProjectionFeed

_PAUSE_SECONDS = 0.02


class GraphBuilder:
    """Builds a new generation from the record, then makes it the live one.

    - Readers see the old graph until the swap, and the new one after it.
    - The live graph is kept up to date meanwhile. The swap happens under its lease, so that nobody writes to the old
      graph when the new one takes its name.
    - A build that was interrupted is left, and goes away with the next swap.
    """

    def __init__(
        self,
        feed: ProjectionFeed,
        engine: MemoryEngine,
        ids: Ids,
        catch_up: CatchUp,
        *,
        lease_seconds: float = LEASE_SECONDS,
    ) -> None:
        self._feed = feed
        self._engine = engine
        self._ids = ids
        self._catch_up = catch_up
        self._lease_seconds = lease_seconds

    async def __call__(self, access: Access) -> Progress | None:
        """Build and swap; None when another worker is building. ``access`` is organization-wide.

        Raises Unavailable when the graph or the database does not answer; the live graph is as it was then.
        """
        there = await self._engine.live_generation(access.organization_id)
        generations = await self._feed.generations(access, self._engine.name)
        # A first build is entered as the live one before the engine knows of it.
        if any(g.leased and not (g.live and g.number == there) for g in generations):
            return None
        number = max([there or 0, *(g.number for g in generations)]) + 1
        if not await self._feed.add(access, self._engine.name, number, live=not any(g.live for g in generations)):
            return None
        lease = Lease(self._engine.name, number, self._ids.new(), self._lease_seconds)
        if await self._feed.lease(access, lease) is None:
            return None
        try:
            await self._engine.prepare(access.organization_id, number)
            progress = await self._catch_up(access, lease, Revision(0))
            return await self._replace(access, lease, progress)
        except LeaseLost:
            return None
        except NotFound as error:
            if await self._engine.live_generation(access.organization_id) != there:
                # Another build went live meanwhile, and its swap took this one away.
                return None
            raise Unavailable(f"generation {number} was removed while it was built; try again") from error
        finally:
            await self._feed.release(access, lease)

    async def _replace(self, access: Access, lease: Lease, progress: Progress) -> Progress:
        old, progress = await self._old_lease(access, lease, progress)
        try:
            # With the old lease nobody else follows the record: what came meanwhile is ours to bring.
            last = await self._catch_up(access, lease, progress.watermark)
            await self._engine.swap(access.organization_id, lease.generation)
            await self._feed.switch(access, lease.engine, lease.generation)
        finally:
            if old is not None:
                await self._feed.release(access, old)
        return Progress(last.watermark, progress.changes + last.changes)

    async def _old_lease(self, access: Access, lease: Lease, progress: Progress) -> tuple[Lease | None, Progress]:
        """The lease on the live build, when there is one. Its projectors stand back once this build is ahead."""
        deadline = asyncio.get_running_loop().time() + 4 * lease.seconds
        while True:
            generations = await self._feed.generations(access, lease.engine)
            live = next((g for g in generations if g.live), None)
            if live is None or live.number == lease.generation:
                return None, progress
            old = Lease(lease.engine, live.number, self._ids.new(), lease.seconds)
            if await self._feed.lease(access, old) is not None:
                return old, progress
            if asyncio.get_running_loop().time() > deadline:
                raise Unavailable(
                    f"generation {live.number} of the {lease.engine} graph stays in other hands; try again"
                )
            more = await self._catch_up(access, lease, progress.watermark)
            progress = Progress(more.watermark, progress.changes + more.changes)
            await self._feed.advance(access, lease, progress.watermark)
            await asyncio.sleep(_PAUSE_SECONDS)
