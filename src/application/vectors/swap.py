"""Changing the model that an organization's vectors are of."""

from __future__ import annotations

from application.identity.access import AccessResolver
from application.models.metering import ConfiguredEmbedder
from application.projection.tenant import organization_wide
from application.vectors.embed import Embedded
from application.vectors.fill import VectorFiller
from domain.errors import NotFound
from domain.identity.access import Access
from domain.ports.vector_store import VectorIndex, VectorStore


class AddEmbeddings:
    """Fills an index of the configured embedder beside the active one, then makes it the active one.

    - Searches read the old index until the switch, and the new one after it; writes go on meanwhile.
    - The search graphs are built after the filling.
    - A fill that was interrupted is gone on with. ``afresh`` starts a new build, also of the same model.
    """

    def __init__(
        self, resolver: AccessResolver, store: VectorStore, embedder: ConfiguredEmbedder, filler: VectorFiller
    ) -> None:
        self._resolver = resolver
        self._store = store
        self._embedder = embedder
        self._filler = filler

    async def __call__(self, access: Access, *, switch: bool = True, afresh: bool = False) -> Embedded:
        """Without ``switch`` the new index waits, filled, for ``switch_embeddings``.

        Raises Forbidden, Unavailable, DimensionMismatch for vectors that do not fit.
        """
        whole = await organization_wide(self._resolver, access)
        index = await self._target(whole, afresh)
        async with self._filler.lease(whole, index) as lease:
            if lease is None:
                return Embedded(0, index.watermark, index.model, busy=True)
            stored, _ = await self._filler(whole, index, lease)
            await self._store.build_graphs(index)
            present = await self._store.indexes(whole)
            index = next(i for i in (present.building, present.active) if i is not None and i.id == index.id)
            more, watermark = await self._filler(whole, index, lease)
            if switch and present.building is not None and present.building.id == index.id:
                await self._store.switch(whole)
        return Embedded(stored + more, watermark, index.model)

    async def _target(self, access: Access, afresh: bool) -> VectorIndex:
        model, dimension = self._embedder.model, self._embedder.dimension
        if afresh:
            return await self._store.rebuild(access, model, dimension)
        present = await self._store.ensure(access, model, dimension)
        for index in (present.building, present.active):
            if index is not None and (index.model, index.dimension) == (model, dimension):
                return index
        raise NotFound(f"no index of the model {model} is being built; start again with afresh")


class SwitchEmbeddings:
    """Makes the index that was filled beside the active one the active one.

    - It must have everything that the active one has.
    """

    def __init__(self, resolver: AccessResolver, store: VectorStore) -> None:
        self._resolver = resolver
        self._store = store

    async def __call__(self, access: Access) -> VectorIndex:
        """The index that is active now. Raises Forbidden, NotFound when none was filled far enough."""
        whole = await organization_wide(self._resolver, access)
        present = await self._store.indexes(whole)
        if present.building is None or present.active is None or present.building.watermark < present.active.watermark:
            raise NotFound("no index has been filled beside the active one; add embeddings first")
        return await self._store.switch(whole)
