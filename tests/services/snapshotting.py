"""Snapshots, packs and the reads by them over a world, with a clock that a test moves."""

from __future__ import annotations

from dataclasses import dataclass, replace
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest

from adapters.embeddings.deterministic import DeterministicEmbedder
from adapters.postgres.knowledge_reader import PostgresKnowledgeReader
from adapters.postgres.memory_engine import PostgresMemoryEngine
from adapters.postgres.operations import PostgresOperations
from adapters.postgres.projection_feed import PostgresProjectionFeed
from adapters.postgres.scope_finder import PostgresScopeFinder
from adapters.postgres.search_index import PostgresSearchIndex
from adapters.postgres.vector_store import PostgresVectorStore
from adapters.system.clock import SystemClock
from adapters.system.ids import TimeOrderedIds
from adapters.token_counting.models import ModelTokenCounters
from application.erasure.erase import Erase
from application.identity.access import AccessResolver
from application.knowledge.change import ChangeWriter
from application.knowledge.give_feedback import GiveFeedback
from application.retrieval.packs import PackReads, PackRequest, Packs
from application.retrieval.queries import FactReads, FactsQuery, Term, entity_profile, facts_by_pattern, find_entities
from application.retrieval.search import Search, SearchModels
from application.retrieval.snapshots import Snapshots
from application.retrieval.traversal import GraphReads, Walk, neighbourhood
from application.retrieval.types import CHUNKS, FACTS, SearchRequest, SearchResult, SearchSettings
from application.retrieval.vocabulary import Vocabularies
from application.retrieval.widening import Widening
from application.vectors.embed import EmbedPending
from application.vectors.fill import VectorFiller
from domain.identity.access import Access
from domain.retrieval.expansion import Expansion
from domain.retrieval.reading import ReadPoint
from domain.retrieval.snapshot import Snapshot
from tests.services.world import World

DIMENSION = 16


@dataclass
class MovedClock:
    """The system's, moved by as much as a test says."""

    by: timedelta = timedelta()

    def now(self) -> datetime:
        return datetime.now(UTC) + self.by


class Reading:
    """Everything that reads by a snapshot, as a process of its own with settings of its own would."""

    def __init__(self, world: World, settings: SearchSettings | None = None, dimension: int = DIMENSION) -> None:
        pool, self.world, self.clock = world.pool, world, MovedClock()
        self.settings = settings or SearchSettings()
        self.embedder = DeterministicEmbedder(dimension)
        self.reader, self.index = PostgresKnowledgeReader(pool), PostgresSearchIndex(pool)
        engine, ids = PostgresMemoryEngine(pool), TimeOrderedIds()
        vocabularies = Vocabularies(self.reader, self.clock)
        widening = Widening(self.index, engine, engine)
        models = SearchModels(self.embedder)
        self.search = Search(self.index, vocabularies, self.clock, models, widening, self.settings)
        operations = PostgresOperations(pool, engine.name)
        self.snapshots = Snapshots(world.unit_of_work, operations, world.keys, self.settings, self.clock, ids)
        self.facts = FactReads(self.reader, vocabularies, world.keys)
        self.graph = GraphReads(engine, engine, self.reader, vocabularies, self.clock)
        reads = PackReads(self.search, self.reader, self.snapshots, ModelTokenCounters())
        self.packs = Packs(reads, world.unit_of_work, world.keys, self.clock, ids)
        self.feedback = GiveFeedback(world.unit_of_work)

    async def embed(self, access: Access | None = None) -> None:
        """Vectors for everything that is there."""
        who = access or self.world.access
        store, feed = PostgresVectorStore(self.world.pool), PostgresProjectionFeed(self.world.pool)
        resolver = AccessResolver(PostgresScopeFinder(self.world.pool))
        wide = await resolver.for_organization(who.organization_id, who.read_scopes[-1])
        filler = VectorFiller(store, self.embedder, feed, TimeOrderedIds())
        await EmbedPending(resolver, store, self.embedder, feed, filler)(wide)

    async def point(self, snapshot: Snapshot, **asked: Any) -> ReadPoint:
        """What a read by the snapshot is held to."""
        return await self.snapshots.pinned(self.world.access, snapshot.id, ReadPoint(**asked))

    async def searched(self, question: str, point: ReadPoint, hops: int = 0) -> SearchResult:
        """Facts and passages, without how long it took."""
        request = SearchRequest(
            question, limit=20, sections=(FACTS, CHUNKS), point=point, expansion=Expansion(hops) if hops else None
        )
        return replace(await self.search(self.world.access, request), seconds={})

    async def everything(self, point: ReadPoint, *questions: str, entity: str) -> list[str]:
        """What each kind of read answers, as text that can be compared to the letter."""
        access, thing = self.world.access, Term(name=entity)
        found: list[object] = [await self.searched(question, point, hops=1) for question in questions]
        found.append(await facts_by_pattern(self.facts, access, FactsQuery(subject=thing, point=point)))
        found.append(await entity_profile(self.facts, access, thing, point))
        found.append(await neighbourhood(self.graph, access, thing, Walk(2), point))
        found.append(await find_entities(self.index, self.embedder, access, entity, point))
        found += [
            await self.packs.make(access, PackRequest(question, 4_000, passages=True, point=point))
            for question in questions
        ]
        return [repr(each) for each in found]


def eraser(world: World) -> Erase:
    """Erasing in the world."""
    ids, resolver = TimeOrderedIds(), AccessResolver(PostgresScopeFinder(world.pool))
    return Erase(resolver, world.unit_of_work, ChangeWriter(ids), world.keys, SystemClock(), ids)


@pytest.fixture
def reading(world: World) -> Reading:
    """Reads over the world."""
    return Reading(world)
