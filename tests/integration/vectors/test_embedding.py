"""Vectors follow the record, and change their model without a gap."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence

import pytest

from adapters.embeddings.deterministic import DeterministicEmbedder
from adapters.postgres.projection_feed import PostgresProjectionFeed
from adapters.postgres.scope_finder import PostgresScopeFinder
from adapters.postgres.vector_store import PostgresVectorStore
from adapters.system.ids import TimeOrderedIds
from application.identity.access import AccessResolver
from application.vectors.embed import EmbedPending
from application.vectors.fill import VectorFiller
from application.vectors.swap import AddEmbeddings, SwitchEmbeddings
from domain.errors import DimensionMismatch, NotFound, Unavailable
from domain.ports.embedder import Embedder, Vectors
from domain.retrieval.closeness import Nearness
from tests.integration.projection.changes import says
from tests.services.world import World

pytestmark = pytest.mark.services


class Spy:
    """The deterministic embedder under another name, which counts texts and can be down or wrong."""

    def __init__(self, model: str = "one", dimension: int = 32) -> None:
        self._inner = DeterministicEmbedder(dimension)
        self.model = model
        self.dimension = dimension
        self.nearness: Nearness | None = None
        self.texts: list[str] = []
        self.down_after: int | None = None

    async def embed_queries(self, texts: Sequence[str]) -> Vectors:
        return await self._inner.embed_queries(texts)

    async def embed_passages(self, texts: Sequence[str]) -> Vectors:
        if self.down_after is not None and len(self.texts) + len(texts) > self.down_after:
            raise Unavailable("the embedding server does not answer")
        self.texts += texts
        await asyncio.sleep(0)
        return await self._inner.embed_passages(texts)


class Means:
    def __init__(self, world: World, embedder: Embedder, batch: int = 2) -> None:
        feed, ids = PostgresProjectionFeed(world.pool), TimeOrderedIds()
        resolver = AccessResolver(PostgresScopeFinder(world.pool))
        self.store = PostgresVectorStore(world.pool)
        filler = VectorFiller(self.store, embedder, feed, ids, batch=batch)
        self.embed = EmbedPending(resolver, self.store, embedder, feed, filler)
        self.add = AddEmbeddings(resolver, self.store, embedder, filler)
        self.switch = SwitchEmbeddings(resolver, self.store)


async def counts(world: World) -> dict[str, int]:
    found = {}
    for kind in ("fact", "chunk", "entity", "concept"):
        rows = await world.rows(
            f"SELECT count(*) FROM {kind}_vectors v JOIN active_vector_indexes a USING (organization_id, index_id)"
        )
        found[kind] = rows[0][0]
    return found


async def test_facts_and_names_get_their_vectors_once(world: World) -> None:
    spy = Spy()
    means = Means(world, spy)
    appended = await world.say(says("Acme", "founded by", "Ada"), says("Acme", "located in", "Lyon"))
    embedded = await means.embed(world.access)
    assert (embedded.stored, embedded.watermark, embedded.busy) == (5, appended.revision, False)
    assert await counts(world) == {"fact": 2, "chunk": 0, "entity": 3, "concept": 0}
    assert sorted(spy.texts) == ["Acme", "Acme is located in Lyon", "Acme was founded by Ada", "Ada", "Lyon"]
    assert (await means.embed(world.access)).stored == 0
    await world.say(says("Acme", "founded by", "Bob"))
    assert (await means.embed(world.access)).stored == 2
    assert spy.texts[5:] == ["Acme was founded by Bob", "Bob"]


async def test_an_embedder_that_fails_on_the_way_is_gone_on_with_where_it_was(world: World) -> None:
    spy = Spy()
    means = Means(world, spy)
    await world.say(*(says("Hub", "depends on", f"Part {n}") for n in range(6)))
    spy.down_after = 5
    with pytest.raises(Unavailable):
        await means.embed(world.access)
    spy.down_after = None
    embedded = await means.embed(world.access)
    assert len(spy.texts) == len(set(spy.texts)) == 6 + 7
    assert embedded.stored == 9


async def test_several_workers_at_once_embed_each_text_once(world: World) -> None:
    spy = Spy()
    means = Means(world, spy)
    await world.say(*(says("Hub", "depends on", f"Part {n}") for n in range(6)))
    outcomes = await asyncio.gather(*(means.embed(world.access) for _ in range(6)))
    assert sum(outcome.stored for outcome in outcomes) == 13
    assert len(spy.texts) == 13


async def test_another_model_is_filled_beside_the_active_one_and_then_replaces_it(world: World) -> None:
    await world.say(says("Acme", "founded by", "Ada"))
    old, new = Means(world, Spy("one")), Means(world, Spy("two", 48))
    await old.embed(world.access)
    with pytest.raises(NotFound):
        await new.switch(world.access)
    assert (await new.embed(world.access)).foreign
    added = await new.add(world.access, switch=False)
    assert (added.stored, added.model) == (3, "two")
    await world.say(says("Acme", "located in", "Lyon"))
    assert (await old.embed(world.access)).stored == 2
    with pytest.raises(NotFound):
        await new.switch(world.access)
    added = await new.add(world.access)
    assert added.stored == 2
    present = await new.store.indexes(world.access)
    assert present.active is not None
    assert (present.active.model, present.active.dimension, present.building) == ("two", 48, None)
    assert await counts(world) == {"fact": 2, "chunk": 0, "entity": 3, "concept": 0}
    assert (await old.embed(world.access)).foreign


async def test_a_new_build_of_the_same_model_replaces_the_old_one(world: World) -> None:
    await world.say(says("Acme", "founded by", "Ada"))
    means = Means(world, Spy())
    await means.embed(world.access)
    before = (await means.store.indexes(world.access)).active
    assert (await means.add(world.access, afresh=True)).stored == 3
    after = (await means.store.indexes(world.access)).active
    assert before is not None
    assert after is not None
    assert after.id != before.id
    assert after.watermark == before.watermark


async def test_vectors_of_another_dimension_are_refused_and_nothing_is_stored(world: World) -> None:
    spy = Spy()
    means = Means(world, spy)
    await world.say(says("Acme", "founded by", "Ada"))
    spy._inner = DeterministicEmbedder(16)
    with pytest.raises(DimensionMismatch):
        await means.embed(world.access)
    assert await counts(world) == {"fact": 0, "chunk": 0, "entity": 0, "concept": 0}
