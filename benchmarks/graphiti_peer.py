"""Graphiti on FalkorDB with a model and an embedder that cost nothing: what it takes by itself."""

from __future__ import annotations

import random
import time
from collections.abc import Iterable
from datetime import UTC, datetime
from typing import Any
from uuid import uuid4

import numpy as np
from falkordb.asyncio import FalkorDB
from graphiti_core import Graphiti
from graphiti_core.cross_encoder.client import CrossEncoderClient
from graphiti_core.driver.falkordb_driver import FalkorDriver
from graphiti_core.edges import EntityEdge
from graphiti_core.embedder.client import EmbedderClient
from graphiti_core.llm_client.client import LLMClient
from graphiti_core.nodes import EntityNode
from graphiti_core.utils.bulk_utils import add_nodes_and_edges_bulk

DIMENSION, GROUP = 384, "peer"
NOW = datetime(2026, 1, 1, tzinfo=UTC)


class StubEmbedder(EmbedderClient):
    """A vector by the text's hash."""

    async def create(self, input_data: str | list[str] | Iterable[int] | Iterable[Iterable[int]]) -> list[float]:
        return vector(hash(str(input_data)) & 0xFFFFFFFF)

    async def create_batch(self, input_data_list: list[str]) -> list[list[float]]:
        return [vector(hash(text) & 0xFFFFFFFF) for text in input_data_list]


class StubModel(LLMClient):
    """Finds no duplicate and no contradiction, at once."""

    async def _generate_response(self, *_: Any, **__: Any) -> dict[str, Any]:
        return _NOTHING_FOUND

    async def generate_response(self, *_: Any, **__: Any) -> dict[str, Any]:
        return _NOTHING_FOUND


class NoReranker(CrossEncoderClient):
    """Keeps the order."""

    async def rank(self, query: str, passages: list[str]) -> list[tuple[str, float]]:
        return [(passage, 1.0) for passage in passages]


_NOTHING_FOUND: dict[str, Any] = {"duplicate_facts": [], "contradicted_facts": [], "entity_resolutions": []}


def vector(seed: int) -> list[float]:
    """A unit vector of 384 dimensions."""
    drawn = np.random.default_rng(seed).standard_normal(DIMENSION)
    return (drawn / np.linalg.norm(drawn)).tolist()  # type: ignore[no-any-return]


async def filled_graphiti(url_port: int, password: str | None, edges: int) -> Graphiti:
    """A graph of one group with that many edges, and a fifth as many nodes, written by Graphiti's bulk code."""
    client = FalkorDB(host="127.0.0.1", port=url_port, password=password)
    graphiti = Graphiti(
        graph_driver=FalkorDriver(falkor_db=client, database=GROUP),
        llm_client=StubModel(None),
        embedder=StubEmbedder(),
        cross_encoder=NoReranker(),
    )
    await graphiti.build_indices_and_constraints()
    chance = random.Random(3)
    nodes = [node(f"Entity {n}") for n in range(max(2, edges // 5))]
    await add_nodes_and_edges_bulk(graphiti.driver, [], [], nodes, [], graphiti.embedder)
    for start in range(0, edges, 500):
        chunk = [
            edge(chance.choice(nodes), chance.choice(nodes), f"fact number {n} is so")
            for n in range(start, min(edges, start + 500))
        ]
        await add_nodes_and_edges_bulk(graphiti.driver, [], [], [], chunk, graphiti.embedder)
    return graphiti


def node(name: str) -> EntityNode:
    """An entity with its vector."""
    return EntityNode(
        uuid=str(uuid4()), name=name, group_id=GROUP, created_at=NOW, name_embedding=vector(hash(name) & 0xFFFFFFFF)
    )


def edge(source: EntityNode, target: EntityNode, fact: str) -> EntityEdge:
    """A fact with its vector."""
    return EntityEdge(
        group_id=GROUP,
        source_node_uuid=source.uuid,
        target_node_uuid=target.uuid,
        created_at=NOW,
        valid_at=NOW,
        name="KNOWS",
        fact=fact,
        fact_embedding=vector(hash(fact) & 0xFFFFFFFF),
    )


async def add_triplets(graphiti: Graphiti, number: int, calls: int) -> None:
    """One call after the other, with new names each time."""
    for call in range(calls):
        source, target = node(f"New {number}.{call}"), node(f"Newer {number}.{call}")
        await graphiti.add_triplet(source, edge(source, target, f"new fact {number}.{call} is so"), target)


async def search_times(graphiti: Graphiti, edges: int, questions: int, seed: int) -> list[float]:
    """Milliseconds of each search for ten edges by the words of one that is there."""
    chance, spent = random.Random(seed), []
    for _ in range(questions):
        started = time.perf_counter()
        await graphiti.search(f"fact number {chance.randrange(edges)} is so", group_ids=[GROUP], num_results=10)
        spent.append((time.perf_counter() - started) * 1000)
    return spent
