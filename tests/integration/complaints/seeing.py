"""One world, and what a reader sees of it through one graph engine that follows it."""

from __future__ import annotations

from datetime import datetime

from adapters.postgres.knowledge_reader import PostgresKnowledgeReader
from adapters.postgres.memory_engine import PostgresMemoryEngine
from adapters.system.clock import SystemClock
from application.retrieval.queries import Term
from application.retrieval.traversal import GraphReads, Walk, neighbourhood
from application.retrieval.vocabulary import Vocabularies
from domain.identity.ids import EntityId
from domain.ports.memory_engine import MemoryEngine
from domain.retrieval.facts import StandingFact
from domain.retrieval.graph import CURRENT
from domain.retrieval.reading import ReadPoint
from domain.standing.testimony import Lifecycle
from tests.integration.projection.projecting import projecting
from tests.services.world import World

_TAGS = {
    "PostgresMemoryEngine": "Alder", "InMemoryMemoryEngine": "Birch",
    "FalkorDBMemoryEngine": "Cedar", "Neo4jMemoryEngine": "Rowan",
}  # fmt: skip
"""Words that a reader of English takes for the end of a name."""


class Seen:
    """Reads go through ``engine``, which catches up first. Names end in ``tag``, so that engines share a world."""

    def __init__(self, world: World, engine: MemoryEngine) -> None:
        self.world, self.engine, self.tag = world, engine, _TAGS[type(engine).__name__]
        self.follow = projecting(world, engine)
        reader = PostgresKnowledgeReader(world.pool)
        self._reads = GraphReads(
            engine, PostgresMemoryEngine(world.pool), reader, Vocabularies(reader, SystemClock()), SystemClock()
        )

    def name(self, name: str) -> str:
        """The name as this engine's tests use it."""
        return f"{name} {self.tag}"

    async def around(
        self, entity: str | EntityId, *, as_of: datetime | None = None, lifecycles: tuple[Lifecycle, ...] = CURRENT
    ) -> list[StandingFact]:
        """The facts around an entity by hop and id, answered by the engine itself."""
        await self.follow.project(self.world.access)
        term = Term(name=entity) if isinstance(entity, str) else Term(id=entity)
        point = ReadPoint(as_of=as_of, lifecycles=lifecycles)
        found = await neighbourhood(self._reads, self.world.access, term, Walk(limit=1_000), point)
        assert (found.engine, found.notes, found.truncated) == (self.engine.name, (), False)
        return [walked.fact for walked in found.facts]

    async def told(self, entity: str | EntityId, *, as_of: datetime | None = None) -> list[tuple[str, str]]:
        """Sentence and lifecycle of what is in force, without the tag."""
        facts = await self.around(entity, as_of=as_of)
        return sorted(((fact.sentence or "").replace(f" {self.tag}", ""), fact.lifecycle.value) for fact in facts)

    async def equals_the_record(self) -> bool:
        """Whether the engine holds what the record says, digest by digest."""
        await self.follow.project(self.world.access)
        return (await self.follow.verify(self.world.access)).whole

    async def entities(self, *names: str) -> list[tuple[str, str | None]]:
        """Name and kind of the entities that bear one of the names, as the record has them."""
        rows = await self.world.rows(
            "SELECT e.name, coalesce(e.kind, 'thing') AS kind FROM entities e WHERE e.name = ANY($1) ORDER BY 1, 2",
            list(names),
        )
        return [(row["name"], row["kind"]) for row in rows]
