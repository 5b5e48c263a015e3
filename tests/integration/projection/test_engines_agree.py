"""The same fifty requests, asked of the record and of every graph that is fed from it, have the same answers."""

from __future__ import annotations

import random
from collections.abc import AsyncIterator
from contextlib import AsyncExitStack
from dataclasses import dataclass, replace
from datetime import UTC, datetime, timedelta
from uuid import UUID

import asyncpg
import pytest

from adapters.embedded.resp_server import RespAddress
from adapters.graphiti.falkordb_engine import FalkorDBMemoryEngine
from adapters.graphiti.neo4j_engine import Neo4jMemoryEngine
from adapters.inmemory.memory_engine import InMemoryMemoryEngine
from adapters.postgres.knowledge_reader import PostgresKnowledgeReader
from adapters.postgres.memory_engine import PostgresMemoryEngine
from domain.identity.ids import EntityId
from domain.identity.principal import PrincipalKind, Role
from domain.ports.memory_engine import MemoryEngine
from domain.retrieval.graph import MAX_EDGES, Direction, GraphView, NeighbourhoodQuery, PathQuery
from domain.retrieval.reading import PatternRead, ReadPoint, Side, StoredPattern
from tests.integration.projection.projecting import projecting
from tests.services.database import Database
from tests.services.filled_record import fill, finish, prepare, tenant_access
from tests.services.neo4j_server import Neo4jAddress
from tests.services.world import new_world

pytestmark = [pytest.mark.services, pytest.mark.slow]

FACTS, PATTERNS, NEIGHBOURHOODS, PATHS = 2_000, 20, 15, 15
ACCESS = tenant_access(1)
WHOLE = replace(ACCESS, principal=replace(ACCESS.principal, kind=PrincipalKind.SYSTEM, role=Role.OWNER))
"""As the worker works."""
Request = PatternRead | NeighbourhoodQuery | PathQuery
Answer = list[UUID] | None


@dataclass(frozen=True, slots=True)
class Graphs:
    """One record in every graph, and the record itself."""

    reader: PostgresKnowledgeReader
    engines: tuple[MemoryEngine, ...]
    entities: list[EntityId]
    triples: list[tuple[EntityId, str, EntityId]]


@pytest.fixture
async def graphs(
    database: Database, pool: asyncpg.Pool, falkordb_server: RespAddress, neo4j_server: Neo4jAddress
) -> AsyncIterator[Graphs]:
    administrator = await asyncpg.connect(database.administrator)
    await prepare(administrator)
    await fill(administrator, {1: FACTS})
    await finish(administrator)
    await administrator.execute("ANALYZE")
    entities = [EntityId(row[0]) for row in await administrator.fetch("SELECT entity_id FROM entities ORDER BY 1")]
    triples = [tuple(row) for row in await administrator.fetch(
        "SELECT subject_id, predicate, object_id FROM facts ORDER BY fact_id")]  # fmt: skip
    await administrator.close()
    async with AsyncExitStack() as stack:
        falkordb = FalkorDBMemoryEngine.at(falkordb_server.url)
        stack.push_async_callback(falkordb.aclose)
        neo4j = Neo4jMemoryEngine.at(neo4j_server.uri, neo4j_server.user, neo4j_server.password)
        stack.push_async_callback(neo4j.aclose)
        engines = (PostgresMemoryEngine(pool), InMemoryMemoryEngine(), falkordb, neo4j)
        world = await new_world(pool)
        for engine in engines:
            await projecting(world, engine).rebuild(WHOLE)
        yield Graphs(PostgresKnowledgeReader(pool), engines, entities, triples)
        for engine in engines:
            await engine.drop(ACCESS.organization_id)


def requests(entities: list[EntityId], triples: list[tuple[EntityId, str, EntityId]]) -> list[Request]:
    """The fifty: patterns of three forms, neighbourhoods of one to three hops, shortest paths; over ten years."""
    chance, asked = random.Random(50), list[Request]()
    for number in range(PATTERNS):
        subject, predicate, object_id = chance.choice(triples)
        one, other = Side(ids=(subject,)), Side(ids=(object_id,))
        form = (StoredPattern(one), StoredPattern(one, None, (predicate,)), StoredPattern(None, other, (predicate,)))
        asked.append(PatternRead(form[number % 3], ReadPoint(as_of=_moment(chance)), limit=1_000))
    for number in range(NEIGHBOURHOODS):
        direction, predicates = chance.choice(list(Direction)), chance.choice([None, ("RELATION_1", "RELATION_2")])
        starts, hops = tuple(chance.sample(entities, 1 + number % 2)), 1 + number % 3
        asked.append(NeighbourhoodQuery(_view(chance), starts, hops, direction, predicates, MAX_EDGES))
    for _ in range(PATHS):
        source, target = chance.sample(entities, 2)
        asked.append(PathQuery(_view(chance), source, target, 6, chance.choice(list(Direction))))
    return asked


def _moment(chance: random.Random) -> datetime:
    return datetime(2020, 1, 1, tzinfo=UTC) + timedelta(days=400 + chance.randrange(3_250))


def _view(chance: random.Random) -> GraphView:
    return GraphView(ACCESS.organization_id, ACCESS.read_scopes, _moment(chance))


async def of_engine(engine: MemoryEngine, request: Request) -> Answer:
    """The ids of the answer, in its order; a pattern is one hop in its direction."""
    if isinstance(request, PathQuery):
        path = await engine.shortest_path(request)
        return None if path is None else [edge.standing_id for edge in path.edges]
    if isinstance(request, PatternRead):
        side, direction = request.pattern.subject, Direction.OUT
        if side is None:
            side, direction = request.pattern.object, Direction.IN
        assert side is not None
        assert request.point.as_of is not None
        view = GraphView(ACCESS.organization_id, ACCESS.read_scopes, request.point.as_of)
        request = NeighbourhoodQuery(view, side.ids, 1, direction, request.pattern.forward, MAX_EDGES)
    return [hop.edge.standing_id for hop in (await engine.neighbourhood(request)).edges]


async def test_the_same_fifty_requests_have_the_same_answers_on_every_engine(graphs: Graphs) -> None:
    asked = requests(graphs.entities, graphs.triples)
    assert len(asked) == 50
    answered = 0
    for request in asked:
        answers = {engine.name: await of_engine(engine, request) for engine in graphs.engines}
        if isinstance(request, PatternRead):
            facts = await graphs.reader.facts_by_pattern(ACCESS, request)
            answers["facts"] = sorted(fact.standing_id for fact in facts)
            answers = {name: sorted(answer or []) for name, answer in answers.items()}
        first = answers[graphs.engines[0].name]
        assert all(answer == first for answer in answers.values()), (request, answers)
        answered += bool(first)
    assert answered > 40, "most of the requests find something, or the test shows nothing"
