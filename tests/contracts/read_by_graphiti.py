"""That graphiti's own classes read what an engine has written."""

from __future__ import annotations

import asyncio
import logging
from datetime import UTC, datetime, timedelta
from typing import Any, Protocol

import pytest

from adapters.graphiti import graphiti_core  # not by its own name: our package silences what it warns of when imported
from domain.identity.ids import OrganizationId
from tests.contracts.graph_world import NOW, PROJECT, GraphWorld
from tests.contracts.memory_engine_contract import Seed

EntityEdge, EpisodicEdge = graphiti_core.edges.EntityEdge, graphiti_core.edges.EpisodicEdge
EntityNode, EpisodicNode = graphiti_core.nodes.EntityNode, graphiti_core.nodes.EpisodicNode


def made(kind: int) -> datetime:
    """The time inside the ids of a ``GraphWorld``: 1 for entities, 3 for standings."""
    return datetime(1970, 1, 1, tzinfo=UTC) + timedelta(milliseconds=0x0189_0000_0000 + kind)


class EngineOnGraphiti(Protocol):
    """An engine with a driver for graphiti's classes."""

    def graphiti_driver(self, organization_id: OrganizationId) -> Any: ...


class ReadByGraphiti:
    """Mixed into the contract of an engine that keeps graphiti's schema."""

    async def test_graphiti_reads_our_entities_edges_documents_and_mentions(
        self, engine: EngineOnGraphiti, seed: Seed, world: GraphWorld
    ) -> None:
        ann, acme = world.entity("Ánh", kind="person"), world.entity("Acme", kind="company")
        letter = world.document("a letter", ann)
        edge = world.edge(ann, "WORKS_FOR", acme, valid_from=NOW, fact_text="Ánh works for Acme")
        await seed(world.organization_id, world.batch)
        driver = engine.graphiti_driver(world.organization_id)

        node = await EntityNode.get_by_uuid(driver, str(ann))
        assert (node.name, node.group_id, node.labels, node.created_at) == ("Ánh", PROJECT, ["Entity"], made(1))
        assert node.attributes["kind"] == "person"
        assert [found.name for found in await EntityNode.get_by_names(driver, ["Acme"], [PROJECT])] == ["Acme"]
        assert {found.name for found in await EntityNode.get_by_group_ids(driver, [PROJECT])} == {"Ánh", "Acme"}

        read = await EntityEdge.get_by_uuid(driver, str(edge.standing_id))
        assert (read.source_node_uuid, read.target_node_uuid) == (str(ann), str(acme))
        assert (read.name, read.fact, read.group_id) == ("WORKS_FOR", "Ánh works for Acme", PROJECT)
        assert (read.valid_at, read.invalid_at, read.expired_at, read.created_at) == (NOW, None, None, made(3))
        assert read.attributes["standing_hash"] == edge.standing_hash.hex()
        assert read.attributes["fact_id"] == str(edge.fact_id)
        assert [found.uuid for found in await EntityEdge.get_between_nodes(driver, str(ann), str(acme))] == [read.uuid]
        assert [found.uuid for found in await EntityEdge.get_by_node_uuid(driver, str(acme))] == [read.uuid]

        episode = await EpisodicNode.get_by_uuid(driver, str(letter))
        assert (episode.name, episode.group_id, episode.content) == ("a letter", PROJECT, "")
        (mention,) = await EpisodicEdge.get_by_group_ids(driver, [PROJECT])
        assert (mention.source_node_uuid, mention.target_node_uuid) == (str(letter), str(ann))

    async def test_graphiti_reads_an_edge_to_a_literal(
        self, engine: EngineOnGraphiti, seed: Seed, world: GraphWorld
    ) -> None:
        edge = world.edge(world.entity("Ann"), "BORN_ON", "1990-04-01", valid_to=NOW)
        await seed(world.organization_id, world.batch)
        driver = engine.graphiti_driver(world.organization_id)
        read = await EntityEdge.get_by_uuid(driver, str(edge.standing_id))
        value = await EntityNode.get_by_uuid(driver, read.target_node_uuid)
        assert (value.uuid, value.name, sorted(value.labels)) == (str(edge.fact_id), "1990-04-01", ["Entity", "Value"])
        assert (read.valid_at, read.invalid_at) == (None, NOW)

    async def test_making_a_driver_starts_no_work_on_the_server(
        self, engine: EngineOnGraphiti, seed: Seed, world: GraphWorld, caplog: pytest.LogCaptureFixture
    ) -> None:
        world.entity("Ann")
        await seed(world.organization_id, world.batch)
        caplog.set_level(logging.DEBUG, "graphiti_core")
        driver = engine.graphiti_driver(world.organization_id)
        pending = [task for task in asyncio.all_tasks() if "build_indices" in repr(task.get_coro())]
        await asyncio.gather(*pending)
        records, _, _ = await driver.execute_query("CALL db.indexes()" if _falkordb(driver) else "SHOW INDEXES")
        assert "summary" not in repr(records)
        assert caplog.text == ""


def _falkordb(driver: Any) -> bool:
    return bool(driver.provider.value == "falkordb")
