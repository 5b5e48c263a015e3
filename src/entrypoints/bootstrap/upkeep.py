"""Vectors, standings and the sweeper."""

from __future__ import annotations

from datetime import timedelta

import asyncpg

from adapters.postgres.stragglers import PostgresStragglers
from adapters.postgres.vector_store import PostgresVectorStore
from application.identity.access import AccessResolver
from application.knowledge.rebuild_standings import RebuildStandings
from application.projection.sweep import Retention, Sweep
from application.vectors.embed import EmbedPending
from application.vectors.fill import VectorFiller
from application.vectors.swap import AddEmbeddings, SwitchEmbeddings
from domain.ports.projection_feed import ProjectionFeed
from entrypoints.application import Ports
from entrypoints.sections.serving import RetentionSettings
from entrypoints.upkeep import Upkeep


def upkeep(
    ports: Ports,
    pool: asyncpg.Pool,
    feed: ProjectionFeed,
    resolver: AccessResolver,
    keep: RetentionSettings,
    audit_days: int,
) -> Upkeep:
    """What a worker and an operator need besides the graph."""
    store, stragglers = PostgresVectorStore(pool), PostgresStragglers(pool)
    filler = VectorFiller(store, ports.embedder, feed, ports.ids)
    retention = Retention(timedelta(days=keep.idempotency_days), timedelta(days=keep.job_log_days), audit_days)
    return Upkeep(
        embed_pending=EmbedPending(resolver, store, ports.embedder, feed, filler),
        add_embeddings=AddEmbeddings(resolver, store, ports.embedder, filler),
        switch_embeddings=SwitchEmbeddings(resolver, store),
        rebuild_standings=RebuildStandings(resolver, ports.unit_of_work, ports.ids),
        sweep=Sweep(stragglers, ports.unit_of_work, resolver, ports.engine, store, retention=retention),
        stragglers=stragglers,
    )
