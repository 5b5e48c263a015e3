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
from adapters.valkey.cache_upkeep import ValkeyCacheUpkeep
from application.erasure.complete import BackupPolicy, CompleteErasure, ContentStores
from application.erasure.erase import Erase
from application.erasure.graph_following import GraphFollowing
from application.erasure.holds import LegalHolds
from application.erasure.naming import PlanErasure
from application.erasure.scan import ScanStores
from application.identity.access import AccessResolver
from application.knowledge.change import ChangeWriter
from application.projection.builder import GraphBuilder
from application.projection.catch_up import CatchUp
from application.projection.projector import Projector
from domain.ports.cache import Cache
from domain.ports.erasure import StoreScanner
from domain.ports.object_store import ObjectStore
from domain.ports.projection_feed import ProjectionFeed
from entrypoints.application import ErasureUseCases, Ports
from entrypoints.sections.serving import RetentionSettings

_KEEP_FILES = ("falkordb", "neo4j")


def erasure(
    ports: Ports,
    pool: asyncpg.Pool,
    stores: tuple[ObjectStore, Cache, RecentVectors, str | None],
    feed: ProjectionFeed,
    resolver: AccessResolver,
    keep: RetentionSettings,
) -> ErasureUseCases:
    """Erasing, its clean-up, and holds.

    ``stores`` are the objects, the shared cache, this process's own, and the address of a shared one that is a server.
    """
    objects, cache, recent, cache_url = stores
    signer = Ed25519Signer()
    upkeep = ValkeyCacheUpkeep(cache_url) if cache_url is not None else None
    others: list[StoreScanner] = [upkeep] if upkeep is not None else []
    if ports.engine.name in _KEEP_FILES:
        # Those engines alone hold a copy that lasts, and only they have it.
        others.append(cast("Any", ports.engine))
    content = ContentStores(
        objects=objects,
        keys=ports.keys,
        database=PostgresDatabaseCleaner(pool),
        vectors=CachedVectors(
            ports.embedder.model, ports.embedder.dimension, recent, cache, upkeep.persist if upkeep else None
        ),
        graph=_graph(ports, feed),
        stragglers=PostgresStragglers(pool),
        scan=ScanStores(resolver, ports.unit_of_work, objects, ports.vault, others),
    )
    backups = BackupPolicy(timedelta(days=keep.backup_days) if keep.backup_days is not None else None)
    return ErasureUseCases(
        erase=Erase(resolver, ports.unit_of_work, ChangeWriter(ports.ids), ports.keys, ports.clock, ports.ids),
        plan=PlanErasure(resolver, ports.unit_of_work),
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
