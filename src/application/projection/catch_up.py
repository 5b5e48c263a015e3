"""Bringing one build of a graph up to the head of the record, page by page."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from dataclasses import dataclass, fields, replace

from domain.errors import Unavailable
from domain.identity.access import Access
from domain.identity.ids import Revision
from domain.ports.memory_engine import MemoryEngine
from domain.ports.projection_feed import FeedPage, Lease, ProjectionFeed
from domain.retrieval.graph import Batch

PAGE = 5_000
"""Edges a page, about."""
PORTION = 2_000
"""Elements that are applied under one sign of life, about."""
LEASE_SECONDS = 30.0


@dataclass(frozen=True, slots=True)
class Progress:
    """How far a build has come, and how many edges were added or removed on the way."""

    watermark: Revision
    changes: int = 0


class CatchUp:
    """Applies pages in the order of revisions, and advances the watermark after each.

    - The next page is read while this one is applied.
    - While a graph takes its time, the lease is renewed; without a sign of life for half a lease nothing is applied any
      longer, so that no two workers write at once.
    - A page may be applied twice, when a worker dies between the graph and the watermark: that gives the same graph.
    - The graph is told how far it has come before the record is: it may know more than the record, never less.
    """

    def __init__(self, feed: ProjectionFeed, engine: MemoryEngine, *, page: int = PAGE) -> None:
        self._feed = feed
        self._engine = engine
        self._page = page

    async def __call__(self, access: Access, lease: Lease, watermark: Revision) -> Progress:
        """Go from the watermark to the head, until there is no more.

        Raises LeaseLost, Unavailable when the graph or the database does not answer, and EdgeEndMissing or NotFound
        when the graph is not what its watermark says.
        """
        changes = 0
        while (head := await self._feed.head(access)) > watermark:
            step = await self._up_to(access, lease, watermark, head)
            watermark, changes = step.watermark, changes + step.changes
        return Progress(watermark, changes)

    async def _up_to(self, access: Access, lease: Lease, watermark: Revision, head: Revision) -> Progress:
        changes = 0
        coming = self._read(access, watermark, head)
        try:
            while watermark < head:
                page = await coming
                coming = self._read(access, page.reached, head)
                for portion in _portions(page.batch, min(PORTION, 2 * self._page)):
                    await self._feed.advance(access, lease, watermark)
                    await self._apply(access, lease, watermark, portion)
                await self._engine.mark(access.organization_id, lease.generation, page.reached)
                await self._feed.advance(access, lease, page.reached)
                watermark, changes = page.reached, changes + page.changes
        finally:
            coming.cancel()
            await asyncio.gather(coming, return_exceptions=True)
        return Progress(watermark, changes)

    def _read(self, access: Access, after: Revision, head: Revision) -> asyncio.Task[FeedPage]:
        return asyncio.create_task(self._feed.page(access, after, head, self._page))

    async def _apply(self, access: Access, lease: Lease, watermark: Revision, batch: Batch) -> None:
        applying = asyncio.ensure_future(self._engine.apply(access.organization_id, lease.generation, batch))
        pause = lease.seconds / 4
        try:
            while not (await asyncio.wait({applying}, timeout=pause))[0]:
                async with asyncio.timeout(pause):
                    await self._feed.advance(access, lease, watermark)
            await applying
        except TimeoutError:
            raise Unavailable(
                f"the lease of the {self._engine.name} graph could not be renewed within {pause:g} seconds; what was "
                "being applied is applied again"
            ) from None
        finally:
            applying.cancel()
            await asyncio.gather(applying, return_exceptions=True)


def _portions(batch: Batch, size: int) -> Iterator[Batch]:
    """The batch in parts of at most ``size`` elements, in the order in which it is applied."""
    elements = {field.name: getattr(batch, field.name) for field in fields(batch)}
    if sum(map(len, elements.values())) <= 2 * size:
        yield batch
        return
    for name in sorted(elements, key=lambda name: not name.startswith("delete")):
        for start in range(0, len(elements[name]), size):
            yield replace(Batch(), **{name: elements[name][start : start + size]})
