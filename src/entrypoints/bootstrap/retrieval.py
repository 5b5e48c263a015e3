"""The read path."""

from __future__ import annotations

from dataclasses import fields, replace
from datetime import timedelta
from typing import Any

import asyncpg

from adapters.postgres.concepts import PostgresConceptReader
from adapters.postgres.contradictions import PostgresContradictionReader
from adapters.postgres.knowledge_reader import PostgresKnowledgeReader
from adapters.postgres.operations import PostgresOperations
from adapters.postgres.promotions import PostgresPromotionReader
from adapters.postgres.search_index import PostgresSearchIndex
from adapters.token_counting.models import ModelTokenCounters
from application.identity.access import AccessResolver
from application.ingestion.intake import Intake
from application.retrieval.concepts import ConceptReads
from application.retrieval.contradictions import ContradictionReads
from application.retrieval.lineage import Lineage
from application.retrieval.packs import PackReads, Packs
from application.retrieval.queries import FactReads
from application.retrieval.read_points import ReadPoints
from application.retrieval.search import Search, SearchModels
from application.retrieval.snapshots import Snapshots
from application.retrieval.traversal import GraphReads
from application.retrieval.types import SearchSettings
from application.retrieval.vocabulary import Vocabularies
from application.retrieval.widening import Widening
from domain.retrieval.blend import BlendWeights
from entrypoints.application import Ports, Retrieval
from entrypoints.sections.reading import SearchSettings as Configured
from entrypoints.settings import Settings


def retrieval(
    ports: Ports, pool: asyncpg.Pool, resolver: AccessResolver, intake: Intake, configured: Settings
) -> Retrieval:
    """Search, and what the read functions need."""
    packs, cutoffs = configured.packs, configured.grounding.cutoffs()
    reader = PostgresKnowledgeReader(pool, cutoffs)
    index = PostgresSearchIndex(pool, cutoffs)
    vocabularies = Vocabularies(reader, ports.clock)
    models = SearchModels(ports.embedder, ports.reranker)
    widening = Widening(index, ports.engine, ports.record_engine)
    settings, operations = search_settings(configured.search), PostgresOperations(pool, ports.engine.name)
    search = Search(index, vocabularies, ports.clock, models, widening, settings)
    snapshots = Snapshots(ports.unit_of_work, operations, ports.keys, settings, ports.clock, ports.ids, intake)
    reads = PackReads(search, reader, snapshots, ModelTokenCounters(packs.model))
    lasting = timedelta(days=packs.days)
    return Retrieval(
        search=search,
        facts=FactReads(reader, vocabularies, ports.keys, Lineage(reader, PostgresPromotionReader(pool), resolver)),
        contradictions=ContradictionReads(PostgresContradictionReader(pool), reader, vocabularies, ports.clock),
        concepts=ConceptReads(PostgresConceptReader(pool), reader, vocabularies, ports.keys, ports.embedder, cutoffs),
        graph=GraphReads(ports.engine, ports.record_engine, reader, vocabularies, ports.clock),
        read_points=ReadPoints(ports.unit_of_work, operations, ports.keys, ports.clock),
        snapshots=snapshots,
        packs=Packs(reads, ports.unit_of_work, ports.keys, ports.clock, ports.ids, lasting, intake),
        index=index,
        embedder=ports.embedder,
    )


def search_settings(configured: Configured) -> SearchSettings:
    """The defaults with what is configured over them."""
    named = {
        "text_weight": configured.full_text_weight,
        "vector_weight": configured.vector_weight,
        "constant": configured.rank_constant,
        "rerank_weight": configured.reranker_weight,
    }
    blend = {each.name: getattr(configured, each.name) for each in fields(BlendWeights)}
    return replace(SearchSettings(blend=replace(BlendWeights(), **_given(blend))), **_given(named))


def _given(values: dict[str, float | None]) -> dict[str, Any]:
    return {name: value for name, value in values.items() if value is not None}
