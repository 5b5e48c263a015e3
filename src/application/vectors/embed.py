"""The job that follows every write: give what was written its vectors."""

from __future__ import annotations

from dataclasses import dataclass

from application.identity.access import AccessResolver
from application.models.metering import ConfiguredEmbedder
from application.projection.tenant import organization_wide
from application.vectors.fill import VectorFiller
from domain.identity.access import Access
from domain.identity.ids import Revision
from domain.ports.projection_feed import LeaseLost, ProjectionFeed
from domain.ports.vector_store import VectorIndex, VectorStore

BUILD_AFTER = 500
"""Vectors after whose storing the index looks for parts that need a search graph."""


@dataclass(frozen=True, slots=True)
class Embedded:
    """What was stored, and how far the index of ``model`` is. ``busy``: another worker is at it."""

    stored: int
    watermark: Revision
    model: str
    busy: bool = False
    foreign: bool = False


class EmbedPending:
    """Embeds the sentences of facts, the chunks that are meant for it, and the names of entities and concepts.

    - The first call makes the index of the configured embedder.
    - A large import is filled without a search graph, which is built afterwards: several times faster.
    - Again, or twice at once, it gives the same vectors.
    - An active index of another model is left alone: ``foreign`` says so, and adding this model is a decision.
    """

    def __init__(
        self,
        resolver: AccessResolver,
        store: VectorStore,
        embedder: ConfiguredEmbedder,
        feed: ProjectionFeed,
        filler: VectorFiller,
    ) -> None:
        self._resolver = resolver
        self._store = store
        self._embedder = embedder
        self._feed = feed
        self._filler = filler

    async def __call__(self, access: Access) -> Embedded:
        """Raises Unavailable when embedder or database do not answer, BudgetExhausted, DimensionMismatch for vectors of
        another size than the index's.
        """
        whole = await organization_wide(self._resolver, access)
        stored, built = 0, 0
        while True:
            index = await self._active(whole)
            if (index.model, index.dimension) != (self._embedder.model, self._embedder.dimension):
                return Embedded(stored, index.watermark, index.model, foreign=True)
            if index.watermark >= await self._feed.head(whole):
                if stored - built < BUILD_AFTER:
                    return Embedded(stored, index.watermark, index.model)
                # What is written while the graphs are built is looked for again.
                await self._store.build_graphs(index)
                built = stored
                continue
            more = await self._fill(whole, index)
            if more is None:
                return Embedded(stored, index.watermark, index.model, busy=True)
            stored += more

    async def _active(self, access: Access) -> VectorIndex:
        active = (await self._store.indexes(access)).active
        if active is None:
            active = (await self._store.ensure(access, self._embedder.model, self._embedder.dimension)).active
        assert active is not None
        return active

    async def _fill(self, access: Access, index: VectorIndex) -> int | None:
        async with self._filler.lease(access, index) as lease:
            if lease is None:
                return None
            try:
                return (await self._filler(access, index, lease))[0]
            except LeaseLost:
                return None
