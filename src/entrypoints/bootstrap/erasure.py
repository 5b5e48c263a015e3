"""Erasing, over every store that content lies in."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import timedelta
from typing import Any, cast

import asyncpg

from adapters.embeddings.caching import CachedVectors, RecentVectors
from adapters.postgres.database_cleaner import PostgresDatabaseCleaner
from adapters.postgres.stragglers import PostgresStragglers
from adapters.system.signer import Ed25519Signer
from application.erasure.complete import BackupPolicy, CompleteErasure, ContentStores
from application.erasure.erase import Erase
from application.erasure.graph_following import GraphFollowing
from application.erasure.holds import LegalHolds
from application.identity.access import AccessResolver
from application.knowledge.change import ChangeWriter
from application.projection.builder import GraphBuilder
from application.projection.catch_up import CatchUp
from application.projection.projector import Projector
from domain.ports.cache import Cache
from domain.ports.object_store import ObjectStore
from domain.ports.projection_feed import ProjectionFeed
from entrypoints.application import ErasureUseCases, Ports
from entrypoints.settings import RetentionSettings

_KEEP_FILES = ("falkordb", "neo4j")


def erasure(
    ports: Ports,
    pool: asyncpg.Pool,
    stores: tuple[ObjectStore, Cache, RecentVectors],
    feed: ProjectionFeed,
    resolver: AccessResolver,
    keep: RetentionSettings,
) -> ErasureUseCases:
    """Erasing, its clean-up, and holds. ``stores`` are the objects, the shared cache, and this process's own."""
    objects, cache, recent = stores
    signer = Ed25519Signer()
    content = ContentStores(
        objects=objects,
        keys=ports.keys,
        database=PostgresDatabaseCleaner(pool),
        vectors=CachedVectors(ports.embedder.model, ports.embedder.dimension, recent, cache),
        graph=_graph(ports, feed),
        stragglers=PostgresStragglers(pool),
    )
    backups = BackupPolicy(timedelta(days=keep.backup_days) if keep.backup_days is not None else None)
    return ErasureUseCases(
        erase=Erase(resolver, ports.unit_of_work, ChangeWriter(ports.ids), ports.keys, ports.clock, ports.ids),
        complete=CompleteErasure(resolver, ports.unit_of_work, content, signer, ports.clock, backups),
        holds=LegalHolds(ports.unit_of_work, ports.clock, ports.ids),
        signer=signer,
    )


def _graph(ports: Ports, feed: ProjectionFeed) -> GraphFollowing:
    catch_up = CatchUp(feed, ports.engine)
    builder = GraphBuilder(feed, ports.engine, ports.ids, catch_up)
    projector = Projector(feed, ports.engine, ports.ids, catch_up, builder)

    async def persist() -> Sequence[str]:
        # Those engines alone keep files, and only they have it.
        return cast("Sequence[str]", await cast("Any", ports.engine).persist())

    keeps = persist if ports.engine.name in _KEEP_FILES else None
    return GraphFollowing(feed, ports.engine, projector, builder, keeps)
