"""Filling a vector index from the record."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

from application.models.metering import ConfiguredEmbedder, embedder_for
from domain.identity.access import Access
from domain.identity.ids import Revision
from domain.ports.ids import Ids
from domain.ports.projection_feed import Lease, ProjectionFeed
from domain.ports.vector_store import VectorIndex, VectorKind, VectorStore

BATCH = 1_024
"""Texts that are embedded and stored at once."""
LEASE_SECONDS = 120.0
_LEASED = "vectors"


class VectorFiller:
    """Embeds what an index lacks, kind by kind in the order of revisions, and moves its watermark.

    - The embedder is called outside any transaction.
    - A backlog larger than what is there is filled without a search graph, which the caller builds afterwards.
    - One worker fills an index for an organization at a time.
    - What is stored already is not embedded again, so that a killed worker is gone on from where it was.
    """

    def __init__(
        self,
        store: VectorStore,
        embedder: ConfiguredEmbedder,
        feed: ProjectionFeed,
        ids: Ids,
        *,
        batch: int = BATCH,
        lease_seconds: float = LEASE_SECONDS,
    ) -> None:
        self._store = store
        self._embedder = embedder
        self._feed = feed
        self._ids = ids
        self._batch = batch
        self._lease_seconds = lease_seconds

    @asynccontextmanager
    async def lease(self, access: Access, index: VectorIndex) -> AsyncIterator[Lease | None]:
        """The right to fill the index for the organization; None when another worker has it."""
        await self._feed.add(access, _LEASED, index.id, live=False)
        lease = Lease(_LEASED, index.id, self._ids.new(), self._lease_seconds)
        if await self._feed.lease(access, lease) is None:
            yield None
            return
        try:
            yield lease
        finally:
            await self._feed.release(access, lease)

    async def __call__(self, access: Access, index: VectorIndex, lease: Lease) -> tuple[int, Revision]:
        """Embed everything up to the head, until there is no more: how many vectors were stored, and the watermark.

        Raises LeaseLost, Unavailable, BudgetExhausted, DimensionMismatch when the embedder does not fit the index.
        """
        stored, watermark = 0, index.watermark
        while (head := await self._feed.head(access)) > watermark:
            for kind in VectorKind:
                await self._store.expect(access, index, kind, watermark)
                stored += await self._fill(access, index, lease, kind, watermark, head)
            await self._store.advance(access, index, head)
            watermark = head
        return stored, watermark

    async def _fill(
        self, access: Access, index: VectorIndex, lease: Lease, kind: VectorKind, after: Revision, head: Revision
    ) -> int:
        stored = 0
        while True:
            rows = await self._store.pending(access, index, kind, after, self._batch)
            rows = [row for row in rows if row.revision <= head]
            if not rows:
                return stored
            embedder = embedder_for(access, self._embedder)
            vectors = await embedder.embed_passages([row.text for row in rows])
            written = await self._store.store(access, index, kind, [row.id for row in rows], vectors)
            await self._feed.advance(access, lease, Revision(0))
            if not written:
                return stored
            stored += written
            # The last revision of a batch may have more rows.
            after = Revision(rows[-1].revision - 1)
