"""Where a promoted fact comes from: the original, and how it stands there."""

from __future__ import annotations

from application.identity.access import AccessResolver
from domain.identity.access import Access
from domain.identity.ids import FactId, Revision
from domain.ports.knowledge_reader import KnowledgeReader
from domain.ports.promotions import PromotionReader
from domain.retrieval.promotion import PromotedFrom, Promotion, origin_state


class Lineage:
    """Leads from a promoted fact to its originals.

    - Everybody who reads the fact reads that it was promoted, from which kind of scope, by whom and when, and whether
      the original still stands. That word is read with every scope of the organization; nothing else is.
    - What the original says, and its assertions with their excerpts, are for who reads the original's scope.
    """

    def __init__(self, reader: KnowledgeReader, promotions: PromotionReader, resolver: AccessResolver) -> None:
        self._reader = reader
        self._promotions = promotions
        self._resolver = resolver

    async def __call__(self, access: Access, fact_id: FactId, known_at: Revision | None) -> tuple[PromotedFrom, ...]:
        """By revision; none for a fact that is nobody's or was not promoted. ``access`` was permitted to read."""
        found = await self._promotions.promoted_from(access, fact_id, known_at)
        if not found:
            return ()
        whole = await self._resolver.for_organization(access.organization_id, access.root)
        return tuple([await self._followed(access, whole, each, known_at) for each in found])

    async def _followed(
        self, access: Access, whole: Access, promotion: Promotion, known_at: Revision | None
    ) -> PromotedFrom:
        segments = await self._reader.fact(whole, promotion.fact_id, known_at)
        readable = await self._reader.explain(access, promotion.fact_id, known_at)
        state = origin_state([segment.lifecycle for segment in segments])
        if readable is None:
            return PromotedFrom(promotion, state, None, ())
        return PromotedFrom(promotion, state, readable.sentence, readable.assertions)
