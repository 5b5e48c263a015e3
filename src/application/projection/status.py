"""How far an organization's graph has come."""

from __future__ import annotations

from dataclasses import dataclass

from application.identity.access import AccessResolver
from application.projection.tenant import organization_wide
from domain.errors import Unavailable
from domain.identity.access import Access
from domain.identity.ids import Revision
from domain.ports.memory_engine import MemoryEngine
from domain.ports.projection_feed import Generation, ProjectionFeed
from domain.retrieval.graph import GraphCounts


@dataclass(frozen=True, slots=True)
class GraphStatus:
    """Builds by number. ``counts`` are of the live graph; None, with the reason, when the engine does not answer."""

    engine: str
    head: Revision
    generations: tuple[Generation, ...]
    counts: GraphCounts | None
    reason: str | None = None

    @property
    def lag(self) -> int:
        """Revisions that the live graph is behind."""
        return self.head - next((g.watermark for g in self.generations if g.live), Revision(0))


async def graph_status(
    resolver: AccessResolver, feed: ProjectionFeed, engine: MemoryEngine, access: Access
) -> GraphStatus:
    """The state of the organization's graph. Raises Forbidden, Unavailable for the database only."""
    whole = await organization_wide(resolver, access)
    head = await feed.head(whole)
    generations = tuple(await feed.generations(whole, engine.name))
    try:
        counts = await engine.counts(whole.organization_id)
    except Unavailable as error:
        return GraphStatus(engine.name, head, generations, None, error.message)
    return GraphStatus(engine.name, head, generations, counts)
