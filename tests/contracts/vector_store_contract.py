"""What every vector store guarantees."""

from __future__ import annotations

from dataclasses import dataclass
from uuid import UUID

import numpy as np
import pytest

from domain.errors import DimensionMismatch, InvalidInput, NotFound
from domain.identity.access import Access
from domain.identity.ids import Revision
from domain.ports.vector_store import VectorKind, VectorStore


@dataclass(frozen=True, slots=True)
class StoreUnderTest:
    """A store, an organization with two facts at revision 1 in id order, and another organization."""

    store: VectorStore
    access: Access
    facts: tuple[UUID, UUID]
    stranger: Access


def rows(count: int, dimension: int = 4) -> np.ndarray:
    return np.eye(dimension, dtype=np.float32)[:count]


class VectorStoreContract:
    @pytest.fixture
    def under_test(self) -> StoreUnderTest:
        raise NotImplementedError

    async def test_an_organization_starts_without_an_index(self, under_test: StoreUnderTest) -> None:
        found = await under_test.store.indexes(under_test.access)
        assert (found.active, found.building) == (None, None)

    async def test_ensuring_twice_makes_one_index(self, under_test: StoreUnderTest) -> None:
        first = await under_test.store.ensure(under_test.access, "m", 4)
        assert await under_test.store.ensure(under_test.access, "m", 4) == first
        assert first.active is not None
        assert (first.active.model, first.active.dimension, first.active.watermark) == ("m", 4, 0)

    async def test_what_has_no_vector_is_pending_until_it_is_stored(self, under_test: StoreUnderTest) -> None:
        store, access = under_test.store, under_test.access
        index = (await store.ensure(access, "m", 4)).active
        assert index is not None
        pending = await store.pending(access, index, VectorKind.FACT, Revision(0), 10)
        assert tuple(item.id for item in pending) == under_test.facts
        assert [item.revision for item in pending] == [1, 1]
        assert await store.store(access, index, VectorKind.FACT, [under_test.facts[0]], rows(1)) == 1
        left = await store.pending(access, index, VectorKind.FACT, Revision(0), 10)
        assert tuple(item.id for item in left) == under_test.facts[1:]
        assert await store.pending(access, index, VectorKind.FACT, Revision(1), 10) == []

    async def test_another_dimension_is_refused_and_nothing_is_written(self, under_test: StoreUnderTest) -> None:
        store, access = under_test.store, under_test.access
        index = (await store.ensure(access, "m", 4)).active
        assert index is not None
        with pytest.raises(DimensionMismatch, match="4 dimensions"):
            await store.store(access, index, VectorKind.FACT, list(under_test.facts), rows(2, 5))
        assert len(await store.pending(access, index, VectorKind.FACT, Revision(0), 10)) == 2
        with pytest.raises(InvalidInput):
            await store.ensure(access, "m", 4_001)

    async def test_a_strangers_ids_are_left_out(self, under_test: StoreUnderTest) -> None:
        store = under_test.store
        index = (await store.ensure(under_test.stranger, "m", 4)).active
        assert index is not None
        assert await store.store(under_test.stranger, index, VectorKind.FACT, list(under_test.facts), rows(2)) == 0
        assert await store.pending(under_test.stranger, index, VectorKind.FACT, Revision(0), 10) == []

    async def test_a_watermark_never_goes_back(self, under_test: StoreUnderTest) -> None:
        store, access = under_test.store, under_test.access
        index = (await store.ensure(access, "m", 4)).active
        assert index is not None
        for revision in (5, 3):
            await store.advance(access, index, Revision(revision))
        active = (await store.indexes(access)).active
        assert active is not None
        assert active.watermark == 5

    async def test_a_second_model_is_built_beside_the_first_then_switched_to(self, under_test: StoreUnderTest) -> None:
        store, access = under_test.store, under_test.access
        first = (await store.ensure(access, "m", 4)).active
        both = await store.ensure(access, "n", 3)
        assert both.active == first
        assert both.building is not None
        await store.store(access, both.building, VectorKind.FACT, list(under_test.facts), rows(2, 3))
        await store.advance(access, both.building, Revision(7))
        switched = await store.switch(access)
        assert (switched.model, switched.watermark) == ("n", 7)
        assert await store.indexes(access) == type(both)(switched, None)
        with pytest.raises(NotFound):
            await store.switch(access)

    async def test_graphs_are_built_once_where_there_are_rows_enough(self, under_test: StoreUnderTest) -> None:
        store, access = under_test.store, under_test.access
        index = (await store.ensure(access, "m", 4)).active
        assert index is not None
        await store.store(access, index, VectorKind.FACT, list(under_test.facts), rows(2))
        assert await store.build_graphs(index, least=3) == 0
        assert await store.build_graphs(index, least=2) == 1
        assert await store.build_graphs(index, least=2) == 0

    async def test_a_search_graph_goes_when_more_is_coming_than_it_holds(self, under_test: StoreUnderTest) -> None:
        store, access = under_test.store, under_test.access
        index = (await store.ensure(access, "m", 4)).active
        assert index is not None
        await store.expect(access, index, VectorKind.FACT, Revision(0))
        await store.store(access, index, VectorKind.FACT, [under_test.facts[0]], rows(1))
        assert await store.build_graphs(index, 1) == 1
        await store.expect(access, index, VectorKind.FACT, Revision(1))
        await store.expect(under_test.stranger, index, VectorKind.FACT, Revision(0))
        assert await store.build_graphs(index, 1) == 0
        await store.expect(access, index, VectorKind.FACT, Revision(0))
        assert await store.build_graphs(index, 1) == 1
        await store.store(access, index, VectorKind.FACT, list(under_test.facts), rows(2))
        await store.expect(access, index, VectorKind.FACT, Revision(0))
        assert await store.build_graphs(index, 1) == 0
