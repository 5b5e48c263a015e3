"""The Neo4j engine keeps the contract, and graphiti's own classes read its graph."""

from __future__ import annotations

from collections.abc import AsyncIterator

import pytest

from adapters.graphiti.neo4j_engine import Neo4jMemoryEngine
from domain.errors import Unavailable
from tests.contracts.graph_world import GraphWorld
from tests.contracts.memory_engine_contract import MemoryEngineContract
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
