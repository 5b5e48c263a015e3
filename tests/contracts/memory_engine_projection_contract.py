"""How every memory engine that holds a copy of the record is fed, rebuilt and compared."""

from __future__ import annotations

import asyncio
from dataclasses import replace

import pytest

from domain.errors import NotFound
from domain.identity.ids import EntityId, Revision
from domain.ports.memory_engine import MemoryEngine
from domain.retrieval.graph import Batch, EdgeEndMissing, GraphCounts, Neighbourhood
from domain.standing.digest import bucket, bucket_digests
from tests.contracts.graph_world import GraphWorld, numbered
from tests.contracts.memory_engine_contract import Seed, found


def _small(world: GraphWorld) -> tuple[EntityId, EntityId]:
    """Two entities, an edge, a literal and a document that mentions both."""
    ann, bob = world.named("Ann", "Bob")
    world.edge(ann, "KNOWS", bob)
    world.edge(ann, "AGE", "36")
    world.document("letter", ann, bob)
    return ann, bob


class MemoryEngineProjectionContract:
    """Mixed into the contract of an engine with ``projected``."""

    async def test_applying_a_batch_again_changes_nothing(
        self, engine: MemoryEngine, seed: Seed, world: GraphWorld
    ) -> None:
        ann, _ = _small(world)
        await seed(world.organization_id, world.batch)
        once = await engine.neighbourhood(world.around(ann))
        counted = await engine.counts(world.organization_id)
        await seed(world.organization_id, world.batch)
        await seed(world.organization_id, Batch(*(elements + elements for elements in _upserts(world.batch))))
        assert await engine.neighbourhood(world.around(ann)) == once
        assert await engine.counts(world.organization_id) == counted == GraphCounts(2, 1, 2, 2, 1)

    async def test_an_empty_batch_is_nothing(self, engine: MemoryEngine, seed: Seed, world: GraphWorld) -> None:
        await seed(world.organization_id, Batch())
        assert await engine.counts(world.organization_id) == GraphCounts()

    async def test_an_edge_of_a_known_standing_replaces_it_wherever_its_ends_were(
        self, engine: MemoryEngine, seed: Seed, world: GraphWorld
    ) -> None:
        ann, bob = _small(world)
        eve = world.entity("Eve")
        await seed(world.organization_id, world.batch)
        moved = replace(world.edges[0], object_id=eve, fact_text="Ann knows Eve", standing_hash=b"\x01" * 32)
        settled = replace(world.edges[1], object_text="37")
        await seed(world.organization_id, Batch(upsert_edges=(moved, settled)))
        answer = await engine.neighbourhood(world.around(ann))
        assert [met.edge for met in answer.edges] == [moved, settled]
        assert await engine.neighbourhood(world.around(bob)) == Neighbourhood()
        assert await engine.counts(world.organization_id) == GraphCounts(3, 1, 2, 2, 1)

    async def test_a_literal_that_becomes_an_entity_leaves_no_literal(
        self, engine: MemoryEngine, seed: Seed, world: GraphWorld
    ) -> None:
        ann, bob = _small(world)
        await seed(world.organization_id, world.batch)
        resolved = replace(world.edges[1], object_id=bob, object_text=None)
        await seed(world.organization_id, Batch(upsert_edges=(resolved,)))
        assert [met.edge for met in (await engine.neighbourhood(world.around(ann))).edges] == [world.edges[0], resolved]
        assert await engine.counts(world.organization_id) == GraphCounts(2, 1, 2, 2, 0)

    async def test_deleting_removes_the_edge_and_its_literal(
        self, engine: MemoryEngine, seed: Seed, world: GraphWorld
    ) -> None:
        ann, _ = _small(world)
        await seed(world.organization_id, world.batch)
        gone = tuple(edge.standing_id for edge in world.edges)
        await seed(world.organization_id, Batch(delete_edges=gone))
        await seed(world.organization_id, Batch(delete_edges=gone))
        assert await engine.neighbourhood(world.around(ann)) == Neighbourhood()
        assert await engine.counts(world.organization_id) == GraphCounts(2, 1, 2, 0, 0)

    async def test_a_literal_stays_while_another_segment_of_its_fact_shows_it(
        self, engine: MemoryEngine, seed: Seed, world: GraphWorld
    ) -> None:
        ann = world.entity("Ann")
        first, second = world.edge(ann, "AGE", "36", fact=1), world.edge(ann, "AGE", "36", fact=1)
        await seed(world.organization_id, world.batch)
        await seed(world.organization_id, Batch(delete_edges=(first.standing_id,)))
        assert [met.edge for met in (await engine.neighbourhood(world.around(ann))).edges] == [second]
        assert await engine.counts(world.organization_id) == GraphCounts(1, 0, 0, 1, 1)

    async def test_deleting_an_entity_or_a_document_takes_what_hangs_on_it(
        self, engine: MemoryEngine, seed: Seed, world: GraphWorld
    ) -> None:
        ann, bob = _small(world)
        letter = world.documents[0].document_id
        await seed(world.organization_id, world.batch)
        await seed(world.organization_id, Batch(delete_mentions=((letter, bob),)))
        assert await engine.counts(world.organization_id) == GraphCounts(2, 1, 1, 2, 1)
        await seed(world.organization_id, Batch(delete_documents=(letter,)))
        assert await engine.counts(world.organization_id) == GraphCounts(2, 0, 0, 2, 1)
        await seed(world.organization_id, Batch(delete_entities=(ann,)))
        assert await engine.counts(world.organization_id) == GraphCounts(1, 0, 0, 0, 0)

    async def test_deletions_come_before_additions(self, engine: MemoryEngine, seed: Seed, world: GraphWorld) -> None:
        ann, _ = _small(world)
        await seed(world.organization_id, world.batch)
        edge = world.edges[0]
        await seed(world.organization_id, Batch(upsert_edges=(edge,), delete_edges=(edge.standing_id,)))
        assert found(await engine.neighbourhood(world.around(ann))) == [(1, 1), (1, 2)]

    async def test_an_edge_or_a_mention_of_something_unknown_is_refused_until_it_is_known(
        self, engine: MemoryEngine, seed: Seed, world: GraphWorld
    ) -> None:
        ann, _ = _small(world)
        late = EntityId(numbered(1, 99))
        edge, mention = replace(world.edges[0], object_id=late), replace(world.mentions[0], entity_id=late)
        await seed(world.organization_id, replace(world.batch, upsert_edges=()))
        with pytest.raises(EdgeEndMissing, match=str(late)):
            await seed(world.organization_id, Batch(upsert_edges=(edge,)))
        with pytest.raises(EdgeEndMissing, match=str(late)):
            await seed(world.organization_id, Batch(upsert_mentions=(mention,)))
        entity = replace(world.entities[0], entity_id=late)
        await seed(world.organization_id, Batch(upsert_entities=(entity,), upsert_edges=(edge,)))
        assert found(await engine.neighbourhood(world.around(ann))) == [(1, 1)]

    async def test_a_large_batch_arrives_whole(self, engine: MemoryEngine, seed: Seed, world: GraphWorld) -> None:
        hub = world.entity("hub")
        for number in range(2_300):
            world.edge(hub, "R", world.entity(f"e{number}") if number % 2 else f"value {number}")
        await seed(world.organization_id, world.batch)
        answer = await engine.neighbourhood(world.around(hub, limit=5_000))
        assert [met.edge for met in answer.edges] == world.edges
        assert await engine.counts(world.organization_id) == GraphCounts(1_151, 0, 0, 2_300, 1_150)
        hashes = [(edge.standing_id, edge.standing_hash) for edge in world.edges]
        assert await engine.digest(world.organization_id) == bucket_digests(hashes)

    async def test_the_digest_depends_on_the_content_alone_and_a_difference_is_named(
        self, engine: MemoryEngine, seed: Seed, world: GraphWorld
    ) -> None:
        hub = world.entity("hub")
        for number in range(30):
            world.edge(hub, "R", f"value {number}")
        twin = GraphWorld(entities=world.entities, edges=world.edges[::-1])
        await seed(world.organization_id, world.batch)
        for part in (twin.edges[:7], twin.edges[7:]):
            await seed(twin.organization_id, Batch(tuple(twin.entities), upsert_edges=tuple(part)))
        before = await engine.digest(world.organization_id)
        assert await engine.digest(twin.organization_id) == before
        changed = replace(world.edges[4], standing_hash=b"\x02" * 32)
        await seed(twin.organization_id, Batch(upsert_edges=(changed,)))
        after = await engine.digest(twin.organization_id)
        different = [number for number in range(256) if before[number] != after[number]]
        assert different == [bucket(changed.standing_id)]
        assert list(await engine.elements_in_bucket(twin.organization_id, different[0])) == [
            (changed.standing_id, changed.standing_hash)
        ]

    async def test_a_generation_that_is_not_prepared_is_not_found(
        self, engine: MemoryEngine, world: GraphWorld
    ) -> None:
        with pytest.raises(NotFound, match="generation 3"):
            await engine.apply(world.organization_id, 3, Batch())
        with pytest.raises(NotFound, match="generation 3"):
            await engine.swap(world.organization_id, 3)
        assert await engine.live_generation(world.organization_id) is None

    async def test_a_new_generation_is_built_unseen_and_then_replaces_the_old(
        self, engine: MemoryEngine, seed: Seed, world: GraphWorld
    ) -> None:
        ann, _ = _small(world)
        await seed(world.organization_id, world.batch)
        await engine.prepare(world.organization_id, 2)
        await engine.prepare(world.organization_id, 3)
        fewer = replace(world.batch, upsert_edges=(world.edges[1],))
        await engine.apply(world.organization_id, 3, fewer)
        await engine.prepare(world.organization_id, 3)
        assert found(await engine.neighbourhood(world.around(ann))) == [(1, 1), (1, 2)]
        assert await engine.counts(world.organization_id, 3) == GraphCounts(2, 1, 2, 1, 1)
        assert await engine.live_generation(world.organization_id) == 1
        await engine.swap(world.organization_id, 3)
        await engine.swap(world.organization_id, 3)
        assert found(await engine.neighbourhood(world.around(ann))) == [(1, 2)]
        assert await engine.live_generation(world.organization_id) == 3
        await engine.apply(world.organization_id, 3, Batch(upsert_edges=(world.edges[0],)))
        assert found(await engine.neighbourhood(world.around(ann))) == [(1, 1), (1, 2)]
        for old in (1, 2):
            with pytest.raises(NotFound):
                await engine.apply(world.organization_id, old, Batch())
            assert await engine.counts(world.organization_id, old) == GraphCounts()

    async def test_a_generation_says_itself_how_far_it_has_come(
        self, engine: MemoryEngine, seed: Seed, world: GraphWorld
    ) -> None:
        assert await engine.watermark(world.organization_id) is None
        await seed(world.organization_id, world.batch)
        await engine.prepare(world.organization_id, 2)
        assert await engine.watermark(world.organization_id) == 0
        await engine.mark(world.organization_id, 1, Revision(4))
        await engine.mark(world.organization_id, 2, Revision(7))
        await engine.prepare(world.organization_id, 2)
        assert await engine.watermark(world.organization_id) == await engine.watermark(world.organization_id, 1) == 4
        assert await engine.watermark(world.organization_id, 2) == 7
        await engine.swap(world.organization_id, 2)
        assert await engine.watermark(world.organization_id) == 7
        assert await engine.watermark(world.organization_id, 1) is None
        with pytest.raises(NotFound):
            await engine.mark(world.organization_id, 1, Revision(8))

    async def test_readers_during_a_swap_see_one_whole_generation(
        self, engine: MemoryEngine, seed: Seed, world: GraphWorld
    ) -> None:
        if not engine.swaps_atomically:
            pytest.skip("reads are answered by another engine while this one is rebuilt")
        hub, *rim = world.named("hub", *(f"e{number}" for number in range(20)))
        for number in range(20):
            world.edge(hub, "R", rim[number])
            world.edge(rim[number], "R", rim[(number + 1) % 20])
        await seed(world.organization_id, world.batch)
        seen: set[tuple[int, tuple[int, ...]]] = set()
        stop = asyncio.Event()

        async def read() -> None:
            while not stop.is_set():
                answer = await engine.neighbourhood(world.around(hub, hops=2))
                seen.add((len(answer.edges), tuple(sorted({int(met.edge.revision) for met in answer.edges}))))

        readers = [asyncio.create_task(read()) for _ in range(4)]
        for generation in range(2, 12):
            await engine.prepare(world.organization_id, generation)
            edges = tuple(replace(edge, revision=Revision(generation)) for edge in world.edges)
            await engine.apply(world.organization_id, generation, replace(world.batch, upsert_edges=edges))
            await engine.swap(world.organization_id, generation)
        stop.set()
        await asyncio.gather(*readers)
        assert seen <= {(40, (generation,)) for generation in range(1, 12)}

    async def test_dropping_removes_every_generation(self, engine: MemoryEngine, seed: Seed, world: GraphWorld) -> None:
        ann, _ = _small(world)
        await seed(world.organization_id, world.batch)
        await engine.prepare(world.organization_id, 2)
        await engine.drop(world.organization_id)
        await engine.drop(world.organization_id)
        assert await engine.live_generation(world.organization_id) is None
        assert await engine.neighbourhood(world.around(ann)) == Neighbourhood()
        with pytest.raises(NotFound):
            await engine.apply(world.organization_id, 2, Batch())


def _upserts(batch: Batch) -> tuple[tuple, tuple, tuple, tuple]:  # type: ignore[type-arg]
    return batch.upsert_entities, batch.upsert_documents, batch.upsert_mentions, batch.upsert_edges
