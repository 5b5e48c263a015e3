"""The FalkorDB engine keeps the contract, and graphiti's own classes read its graph."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator

import pytest

from adapters.embedded.resp_server import RespAddress
from adapters.graphiti import graphiti_core
from adapters.graphiti.falkordb_driver import falkordb_client
from adapters.graphiti.falkordb_engine import FalkorDBMemoryEngine
from domain.errors import Unavailable
from tests.contracts.graph_world import GraphWorld
from tests.contracts.memory_engine_contract import MemoryEngineContract
from tests.contracts.memory_engine_projection_contract import MemoryEngineProjectionContract
from tests.contracts.read_by_graphiti import ReadByGraphiti

pytestmark = pytest.mark.services


class TestFalkorDBMemoryEngine(MemoryEngineContract, MemoryEngineProjectionContract, ReadByGraphiti):
    @pytest.fixture
    async def engine(self, falkordb_server: RespAddress) -> AsyncIterator[FalkorDBMemoryEngine]:
        engine = FalkorDBMemoryEngine.at(falkordb_server.url)
        yield engine
        await engine.aclose()

    async def test_neither_a_read_nor_a_refused_write_makes_a_graph(
        self, engine: FalkorDBMemoryEngine, falkordb_server: RespAddress, world: GraphWorld
    ) -> None:
        client = falkordb_client(falkordb_server.url)
        before = await client.list_graphs()
        await self.test_an_unknown_organization_reads_as_empty(engine, world)
        await self.test_a_generation_that_is_not_prepared_is_not_found(engine, GraphWorld())
        await engine.drop(world.organization_id)
        with pytest.raises(graphiti_core.errors.NodeNotFoundError):
            await graphiti_core.nodes.EntityNode.get_by_uuid(engine.graphiti_driver(world.organization_id), "nobody")
        assert await client.list_graphs() == before
        await client.aclose()

    async def test_a_server_that_is_not_there_is_unavailable_without_its_text(self, world: GraphWorld) -> None:
        engine = FalkorDBMemoryEngine.at("redis://:secret@127.0.0.1:1/0")
        with pytest.raises(Unavailable, match="FalkorDB does not answer; check that it runs") as caught:
            await engine.ping()
        with pytest.raises(Unavailable):
            await engine.neighbourhood(world.around(world.entity("a"), hops=2))
        assert "secret" not in caught.value.message
        await engine.aclose()

    async def test_a_wrong_password_is_unavailable_and_says_so(
        self, falkordb_server: RespAddress, world: GraphWorld
    ) -> None:
        engine = FalkorDBMemoryEngine.at(f"redis://:wrong@{falkordb_server.host}:{falkordb_server.port}/0")
        with pytest.raises(Unavailable, match="refuses the user or the password"):
            await engine.live_generation(world.organization_id)
        await engine.aclose()

    async def test_more_questions_at_once_than_connections_all_get_their_answer(
        self, falkordb_server: RespAddress, world: GraphWorld
    ) -> None:
        engine = FalkorDBMemoryEngine.at(falkordb_server.url, connections=2)
        ann, bob = world.named("Ann", "Bob")
        world.edge(ann, "KNOWS", bob)
        await engine.prepare(world.organization_id, 1)
        await engine.apply(world.organization_id, 1, world.batch)
        await engine.swap(world.organization_id, 1)
        answers = await asyncio.gather(*(engine.neighbourhood(world.around(ann, hops=2)) for _ in range(60)))
        assert {len(answer.edges) for answer in answers} == {1}
        await engine.aclose()
