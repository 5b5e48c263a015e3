"""Building a graph anew, on request."""

from __future__ import annotations

from application.identity.access import AccessResolver
from application.projection.builder import GraphBuilder
from application.projection.projector import Projected, Projector
from application.projection.tenant import organization_wide
from domain.identity.access import Access


class RebuildGraph:
    """Builds an organization's graph anew from its record, beside the live one, and swaps them.

    - Readers see one whole graph at every moment, where the engine swaps atomically.
    - The new graph has the digest that the record has.
    - An engine that reads the record itself has nothing to build.
    """

    def __init__(self, resolver: AccessResolver, builder: GraphBuilder, projector: Projector, projected: bool) -> None:
        self._resolver = resolver
        self._builder = builder
        self._projector = projector
        self._projected = projected

    async def __call__(self, access: Access) -> Projected:
        """``busy`` when another worker is building already. Raises Forbidden, Unavailable."""
        whole = await organization_wide(self._resolver, access)
        if not self._projected:
            return await self._projector(whole)
        built = await self._builder(whole)
        # Jobs that came during the swap found it taken; what they were for is brought now.
        after = await self._projector(whole)
        if built is None:
            return Projected(after.watermark, after.changes, busy=True)
        return Projected(after.watermark, built.changes + after.changes, busy=after.busy, rebuilt=True)
