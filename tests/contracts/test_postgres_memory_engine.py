"""The PostgreSQL engine answers as the others do, and at earlier revisions too."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import asyncpg
import pytest

from adapters.postgres.memory_engine import PostgresMemoryEngine
from adapters.postgres.rows import literal_json
from domain.identity.ids import OrganizationId, Revision
from domain.knowledge.objects import TextValue
from domain.retrieval.graph import Batch, EdgeElement
from tests.contracts.graph_world import ORGANIZATION, OTHER_PROJECT, PROJECT, WORKSPACE, GraphWorld, numbered
from tests.contracts.memory_engine_contract import MemoryEngineContract, Seed, found
from tests.services.shared_database import database as database
from tests.services.shared_database import pool as pool

pytestmark = pytest.mark.services

SCOPES = (ORGANIZATION, WORKSPACE, PROJECT, OTHER_PROJECT)
PRINCIPAL, SOURCE, SLOT = numbered(7, 1), numbered(8, 1), numbered(9, 1)


class TestPostgresMemoryEngine(MemoryEngineContract):
    @pytest.fixture
    def engine(self, pool: asyncpg.Pool) -> PostgresMemoryEngine:
        return PostgresMemoryEngine(pool)

    @pytest.fixture
    def seed(self, pool: asyncpg.Pool) -> Seed:
        """Write the elements into the record, as the application role."""

        async def put(organization_id: OrganizationId, batch: Batch) -> None:
            async with pool.acquire() as connection, connection.transaction():
                await connection.execute("SELECT enter_tenant($1, $2, $2)", organization_id, ",".join(SCOPES))
                await Seeding(connection, organization_id).write(batch)

        return put

    async def test_an_earlier_revision_is_answered_as_it_was(
        self, engine: PostgresMemoryEngine, seed: Seed, pool: asyncpg.Pool, world: GraphWorld
    ) -> None:
        ann, bob, eve = world.named("Ann", "Bob", "Eve")
        world.edge(ann, "KNOWS", bob, revision=1)
        world.edge(ann, "KNOWS", eve, revision=3)
        world.edge(bob, "KNOWS", eve, revision=1)
        await seed(world.organization_id, world.batch)
        async with pool.acquire() as connection, connection.transaction():
            await connection.execute("SELECT enter_tenant($1, $2, $2)", world.organization_id, ",".join(SCOPES))
            await connection.execute(
                "UPDATE standings SET to_rev = 3 WHERE standing_id = $1", world.edges[0].standing_id
            )
        early = replace(world.view(), known_at=Revision(2))
        assert found(await engine.neighbourhood(world.around(ann, view=early))) == [(1, 1)]
        assert found(await engine.neighbourhood(world.around(ann))) == [(1, 2)]
        before = await engine.shortest_path(world.between(ann, eve, view=early))
        after = await engine.shortest_path(world.between(ann, eve))
        assert before is not None
        assert after is not None
        assert [edge.standing_id.bytes[-1] for edge in before.edges] == [1, 3]
        assert [edge.standing_id.bytes[-1] for edge in after.edges] == [2]
        assert [e.standing_id.bytes[-1] for e in (await engine.subgraph(world.among(ann, bob, view=early))).edges] == [
            1
        ]
        assert (await engine.counts(world.organization_id)).edges == 2

    async def test_building_and_dropping_do_nothing(
        self, engine: PostgresMemoryEngine, seed: Seed, world: GraphWorld
    ) -> None:
        ann, bob = world.named("Ann", "Bob")
        world.edge(ann, "KNOWS", bob)
        await seed(world.organization_id, world.batch)
        await engine.prepare(world.organization_id, 2)
        await engine.apply(world.organization_id, 2, Batch(delete_edges=(world.edges[0].standing_id,)))
        await engine.swap(world.organization_id, 2)
        await engine.drop(world.organization_id)
        assert found(await engine.neighbourhood(world.around(ann))) == [(1, 1)]
        assert not engine.projected


class Seeding:
    """Rows of the record that make the elements of a batch."""

    def __init__(self, connection: Any, organization_id: OrganizationId) -> None:
        self._connection = connection
        self._organization_id = organization_id

    async def write(self, batch: Batch) -> None:
        await self._frame()
        for entity in batch.upsert_entities:
            await self._insert("entities", entity_id=entity.entity_id, group_id=entity.group_id, name=entity.name,
                               kind=entity.kind, revision=1)  # fmt: skip
        for number, document in enumerate(batch.upsert_documents):
            await self._document(number, document.document_id, document.group_id, document.title)
        for number, mention in enumerate(batch.upsert_mentions):
            await self._insert("mentions", mention_id=numbered(10, number), group_id=mention.group_id,
                               version_id=mention.document_id, document_id=mention.document_id, surface="x",
                               normal=str(number), revision=1)  # fmt: skip
            await self._insert("resolutions", mention_id=numbered(10, number), group_id=mention.group_id,
                               entity_id=mention.entity_id, rule="exact", score=1.0, from_rev=1)  # fmt: skip
        known: set[object] = set()
        for edge in batch.upsert_edges:
            await self._edge(edge, fresh=edge.fact_id not in known)
            known.add(edge.fact_id)

    async def _frame(self) -> None:
        await self._insert("organizations", name="Test")
        await self._insert("heads", revision=9, hash=b"")
        await self._insert("principals", principal_id=PRINCIPAL, kind="human", name="Tester")
        kinds = ("organization", "workspace", "project", "project")
        for number, (group, kind) in enumerate(zip(SCOPES, kinds, strict=True)):
            await self._insert("scopes", group_id=group, scope_id=numbered(6, number), kind=kind, name=group)
            await self._insert("slots", group_id=group, slot_id=self._slot(group), key=group.encode())
        await self._insert("sources", group_id=PROJECT, source_id=SOURCE, kind="upload", name="s", revision=1)

    def _slot(self, group_id: str) -> object:
        return numbered(9, SCOPES.index(group_id))

    async def _document(self, number: int, document_id: object, group_id: str, title: str) -> None:
        await self._insert("documents", document_id=document_id, group_id=group_id, source_id=SOURCE,
                           record_key=str(number), revision=1)  # fmt: skip
        await self._insert("artifacts", group_id=group_id, source_id=SOURCE, content_hash=str(number), object_key="k",
                           key_id="k", size=1, revision=1)  # fmt: skip
        moment = await self._connection.fetchval("SELECT now()")
        await self._insert("document_versions", group_id=group_id, version_id=document_id, document_id=document_id,
                           source_id=SOURCE, content_hash=str(number), title=title, content_type="text/plain",
                           retrieved_at=moment, gate="live", principal_id=PRINCIPAL, principal_kind="human",
                           revision=1)  # fmt: skip
        await self._insert("document_states", group_id=group_id, version_id=document_id, status="completed", from_rev=1)

    async def _edge(self, edge: EdgeElement, *, fresh: bool) -> None:
        literal = None if edge.object_text is None else literal_json(TextValue(edge.object_text))
        object_key = edge.fact_id if edge.object_id is None else edge.object_id
        if fresh:
            await self._insert("facts", fact_id=edge.fact_id, group_id=edge.group_id, key=edge.fact_id.bytes,
                               slot_id=self._slot(edge.group_id), subject_id=edge.subject_id, predicate=edge.predicate,
                               object_id=edge.object_id, object_literal=literal, object_key=object_key,
                               sentence=edge.fact_text, revision=1)  # fmt: skip
        await self._insert("standings", standing_id=edge.standing_id, fact_id=edge.fact_id, group_id=edge.group_id,
                           slot_id=self._slot(edge.group_id), subject_id=edge.subject_id, predicate=edge.predicate,
                           object_id=edge.object_id, object_key=object_key, valid_from=edge.valid_from,
                           valid_to=edge.valid_to, lifecycle=edge.lifecycle.value, support=True, refute=False,
                           confidence=edge.confidence, support_mass=1.0, refute_mass=0.0, score=1.0, reason="r", tier=2,
                           verification="auto", kind="fact", corrected=False,
                           observed_at=await self._connection.fetchval("SELECT now()"),
                           standing_hash=edge.standing_hash, from_rev=edge.revision)  # fmt: skip

    async def _insert(self, table: str, **columns: Any) -> None:
        values: Sequence[Any] = [self._organization_id, *columns.values()]
        places = ", ".join(f"${number}" for number in range(1, len(values) + 1))
        await self._connection.execute(
            f"INSERT INTO {table} (organization_id, {', '.join(columns)}) VALUES ({places})", *values
        )
