"""The graph on Neo4j follows the record."""

from __future__ import annotations

from collections.abc import AsyncIterator

import pytest

from adapters.graphiti.neo4j_engine import Neo4jMemoryEngine
from tests.contracts.projection_contract import ProjectedEngineContract
from tests.services.neo4j_server import Neo4jAddress

pytestmark = [pytest.mark.services, pytest.mark.slow]


class TestNeo4jProjection(ProjectedEngineContract):
    @pytest.fixture
    async def engine(self, neo4j_server: Neo4jAddress) -> AsyncIterator[Neo4jMemoryEngine]:
        engine = Neo4jMemoryEngine.at(neo4j_server.uri, neo4j_server.user, neo4j_server.password)
        yield engine
        await engine.aclose()
