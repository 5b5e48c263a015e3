"""Waiting until a graph has let go of what was erased."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Sequence

from application.projection.builder import GraphBuilder
from application.projection.projector import Projector
from domain.errors import Unavailable
from domain.identity.access import Access
from domain.identity.ids import Revision
from domain.ports.memory_engine import MemoryEngine
from domain.ports.projection_feed import ProjectionFeed

Persist = Callable[[], Awaitable[Sequence[str]]]
"""Makes an engine write what it holds over what it had kept before; says what is left where."""


class GraphBehind(Unavailable):
    """The graph has not come as far as the erasure."""

    code = "graph_behind"


class GraphFollowing:
    """Brings a graph past a revision, removes builds that nobody goes on with, and has it kept anew."""

    def __init__(
        self,
        feed: ProjectionFeed,
        engine: MemoryEngine,
        projector: Projector,
        builder: GraphBuilder,
        persist: Persist | None = None,
    ) -> None:
        self._feed = feed
        self._engine = engine
        self._projector = projector
        self._builder = builder
        self._persist = persist

    async def require(self, access: Access, revision: Revision) -> Sequence[str]:
        """What is left of earlier contents, in sentences. ``access`` is organization-wide.

        Raises GraphBehind when another worker is at it and Unavailable when the graph does not answer.
        """
        if not self._engine.projected:
            return ()
        await self._projector(access)
        watermark = await self._engine.watermark(access.organization_id)
        if watermark is None or watermark < revision:
            raise GraphBehind(f"the {self._engine.name} graph has come to revision {watermark}, not yet to {revision}")
        generations = await self._feed.generations(access, self._engine.name)
        if any(not g.live for g in generations):
            if any(g.leased and not g.live for g in generations):
                raise GraphBehind(f"the {self._engine.name} graph is being built anew; its old parts go with the end")
            await self._builder(access)
        return () if self._persist is None else await self._persist()
