"""Every store that content lies in, with what erases it; and looking for a word in each of them."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import asyncpg

from adapters.embeddings.caching import CachedVectors, CachingEmbedder, RecentVectors
from adapters.embeddings.deterministic import DeterministicEmbedder
from adapters.filesystem.key_store import FileKeyStore
from adapters.filesystem.object_store import FileObjectStore
from adapters.postgres.database_cleaner import PostgresDatabaseCleaner
from adapters.postgres.projection_feed import PostgresProjectionFeed
from adapters.postgres.scope_finder import PostgresScopeFinder
from adapters.postgres.stragglers import PostgresStragglers
from adapters.postgres.unit_of_work import PostgresUnitOfWork
from adapters.postgres.vector_store import PostgresVectorStore
from adapters.system.artifact_cipher import AesGcmArtifactCipher
from adapters.system.clock import SystemClock
from adapters.system.ids import TimeOrderedIds
from adapters.system.signer import Ed25519Signer
from adapters.valkey.cache import ValkeyCache
from adapters.valkey.cache_upkeep import ValkeyCacheUpkeep
from application.erasure.complete import CompleteErasure, ContentStores
from application.erasure.graph_following import GraphFollowing
from application.erasure.scan import ScanStores
from application.identity.access import AccessResolver
from application.ingestion.artifact_vault import ArtifactVault
from application.projection.builder import GraphBuilder
from application.projection.catch_up import CatchUp
from application.projection.projector import Projector
from application.vectors.embed import EmbedPending
from application.vectors.fill import VectorFiller
from domain.ports.key_store import KeyStore
from domain.ports.memory_engine import MemoryEngine
from domain.ports.object_store import ObjectStore
from entrypoints.worker.work import Handler

DIMENSION = 32
LEASE_SECONDS = 30.0


class Stores:
    """What a worker erases with, over given stores."""

    def __init__(
        self,
        pool: asyncpg.Pool,
        engine: MemoryEngine,
        objects: ObjectStore,
        keys: KeyStore,
        cache: ValkeyCache,
        upkeep: ValkeyCacheUpkeep,
        *,
        lease_seconds: float = LEASE_SECONDS,
    ) -> None:
        ids, feed, recent = TimeOrderedIds(), PostgresProjectionFeed(pool), RecentVectors()
        resolver = AccessResolver(PostgresScopeFinder(pool))
        catch_up = CatchUp(feed, engine, page=100)
        builder = GraphBuilder(feed, engine, ids, catch_up, lease_seconds=lease_seconds)
        projector = Projector(feed, engine, ids, catch_up, builder, lease_seconds=lease_seconds)
        embedder = CachingEmbedder(DeterministicEmbedder(DIMENSION), recent, cache)
        store = PostgresVectorStore(pool)
        persist: Any = getattr(engine, "persist", None)
        unit_of_work, vault = PostgresUnitOfWork(pool), ArtifactVault(objects, keys, AesGcmArtifactCipher())
        self.engine, self.projector, self.resolver = engine, projector, resolver
        self.embed = EmbedPending(resolver, store, embedder, feed, VectorFiller(store, embedder, feed, ids))
        self.complete = CompleteErasure(
            resolver,
            unit_of_work,
            ContentStores(
                objects,
                keys,
                PostgresDatabaseCleaner(pool),
                CachedVectors(embedder.model, DIMENSION, recent, cache, upkeep.persist),
                GraphFollowing(feed, engine, projector, builder, persist),
                PostgresStragglers(pool),
                ScanStores(resolver, unit_of_work, objects, vault, (upkeep, engine)),  # type: ignore[arg-type]
            ),
            Ed25519Signer(),
            SystemClock(),
        )

    @property
    def handler(self) -> Handler:
        """What a worker calls for the job of an erasure."""
        return lambda access, subject: self.complete(access, subject)  # type: ignore[arg-type]


@asynccontextmanager
async def in_folder(
    pool: asyncpg.Pool, engine: MemoryEngine, folder: Path, cache_url: str, lease_seconds: float = LEASE_SECONDS
) -> AsyncIterator[Stores]:
    """Stores with objects and keys in a folder, as another process finds them."""
    cache = ValkeyCache(cache_url, timeout_seconds=5.0)
    try:
        objects, keys = FileObjectStore(folder / "objects"), FileKeyStore(folder / "keys")
        yield Stores(pool, engine, objects, keys, cache, ValkeyCacheUpkeep(cache_url), lease_seconds=lease_seconds)
    finally:
        await cache.close()
