"""The Neo4j engine keeps the contract, and graphiti's own classes read its graph."""

from __future__ import annotations

from collections.abc import AsyncIterator, Iterator
from typing import Any

import neo4j
import pytest

from adapters.graphiti.neo4j_engine import Neo4jMemoryEngine
from adapters.graphiti.neo4j_statements import WRITES
from domain.errors import Unavailable
from tests.contracts.graph_world import GraphWorld
from tests.contracts.memory_engine_contract import MemoryEngineContract, Seed
from tests.contracts.memory_engine_projection_contract import MemoryEngineProjectionContract
from tests.contracts.read_by_graphiti import ReadByGraphiti
from tests.services.neo4j_server import Neo4jAddress

pytestmark = [pytest.mark.services, pytest.mark.slow]


@pytest.fixture(scope="session")
async def one_engine(neo4j_server: Neo4jAddress) -> AsyncIterator[Neo4jMemoryEngine]:
    engine = Neo4jMemoryEngine.at(neo4j_server.uri, neo4j_server.user, neo4j_server.password)
    yield engine
    await engine.aclose()


class TestNeo4jMemoryEngine(MemoryEngineContract, MemoryEngineProjectionContract, ReadByGraphiti):
    @pytest.fixture
    async def engine(self, one_engine: Neo4jMemoryEngine) -> Neo4jMemoryEngine:
        """On an empty database, since graphiti's classes see all organizations."""
        await one_engine._driver.write("MATCH (n) DETACH DELETE n")
        return one_engine

    async def test_a_server_that_is_not_there_is_unavailable_without_its_text(self, world: GraphWorld) -> None:
        engine = Neo4jMemoryEngine.at("bolt://127.0.0.1:1", "neo4j", "secret")
        with pytest.raises(Unavailable, match="Neo4j does not answer; check that it runs") as caught:
            await engine.ping()
        assert "secret" not in caught.value.message
        await engine.aclose()

    async def test_a_wrong_password_is_unavailable_and_says_so(
        self, neo4j_server: Neo4jAddress, world: GraphWorld
    ) -> None:
        engine = Neo4jMemoryEngine.at(neo4j_server.uri, neo4j_server.user, "wrong")
        with pytest.raises(Unavailable, match="refuses the user or the password"):
            await engine.live_generation(world.organization_id)
        await engine.aclose()

    @pytest.mark.parametrize("statement", [WRITES.replace_edges, WRITES.upsert_mentions], ids=["edges", "mentions"])
    async def test_the_first_elements_find_their_ends_by_id_though_the_planner_sees_an_empty_graph(
        self, engine: Neo4jMemoryEngine, neo4j_server: Neo4jAddress, seed: Seed, world: GraphWorld, statement: str
    ) -> None:
        world.named(*(f"e{number}" for number in range(300)))
        world.document("letter")
        await seed(world.organization_id, world.batch)
        parameters = {"organization": world.organization_id.hex, "generation": 1, "ids": [], "rows": []}
        with (
            neo4j.GraphDatabase.driver(neo4j_server.uri, auth=(neo4j_server.user, neo4j_server.password)) as driver,
            driver.session() as session,
        ):
            plan = session.run(f"EXPLAIN {statement}", parameters).consume().plan
        assert plan is not None
        leaves = [line for line in _operators(plan) if "Scan" in line or "Seek" in line]
        assert len(leaves) >= 2
        assert [
            line for line in leaves if "Seek" not in line or "(uuid, organization_id, generation)" not in line
        ] == []


def _operators(plan: dict[str, Any]) -> Iterator[str]:
    """Every operator of a plan, with what it does."""
    yield f"{plan['operatorType']} {plan['args'].get('Details', '')}"
    for child in plan.get("children", []):
        yield from _operators(child)
