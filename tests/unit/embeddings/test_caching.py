"""A cached embedder computes each text once, and its meter sees misses only."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from datetime import UTC, datetime
from uuid import UUID, uuid4

import numpy as np
import pytest

from adapters.embeddings.caching import CachingEmbedder, RecentVectors
from adapters.embeddings.deterministic import DeterministicEmbedder
from adapters.inmemory.cache import InMemoryCache
from application.models.metering import MeteredEmbedder, embedder_for
from domain.errors import BudgetExhausted
from domain.identity.access import Access
from domain.identity.ids import GroupId, OrganizationId, PrincipalId
from domain.identity.principal import Principal, PrincipalKind, Role
from domain.ports.embedder import Payer, Spent, Vectors
from domain.ports.usage import UsageEntry

ORGANIZATION = OrganizationId(UUID(int=1))
GROUP = GroupId("o_" + "1" * 32)
OWNER = Principal(PrincipalId(UUID(int=2)), ORGANIZATION, PrincipalKind.HUMAN, Role.OWNER, "test", "Tester")
ACCESS = Access(OWNER, (GROUP,), GROUP)
AT = datetime(2026, 1, 1, tzinfo=UTC)


class CountingEmbedder(DeterministicEmbedder):
    """Remembers what it was asked for."""

    def __init__(self, dimension: int = 32) -> None:
        super().__init__(dimension)
        self.asked: list[list[str]] = []

    async def embed_queries(self, texts: Sequence[str]) -> Vectors:
        self.asked.append(list(texts))
        return await super().embed_queries(texts)

    async def embed_passages(self, texts: Sequence[str]) -> Vectors:
        self.asked.append(list(texts))
        return await super().embed_passages(texts)


class PaidCountingEmbedder(CountingEmbedder):
    """Two requests for each call, and a token for each text."""

    def __init__(self, dimension: int = 32, payer: Payer | None = None) -> None:
        super().__init__(dimension)
        self.payer = payer

    def paid_by(self, payer: Payer) -> PaidCountingEmbedder:
        paid = PaidCountingEmbedder(self.dimension, payer)
        paid.asked = self.asked
        return paid

    async def embed_passages(self, texts: Sequence[str]) -> Vectors:
        assert self.payer
        await self.payer.may_spend()
        await self.payer.spend(Spent(len(texts), len(texts), 2))
        return await super().embed_passages(texts)


class ListedUsage:
    """A meter that keeps entries in a list and may be exhausted."""

    def __init__(self, exhausted: bool = False) -> None:
        self.entries: list[UsageEntry] = []
        self._exhausted = exhausted

    async def check(self, organization_id: OrganizationId, group_id: GroupId | None = None) -> None:
        if self._exhausted:
            raise BudgetExhausted("The monthly limit is used up.")

    async def record(self, entry: UsageEntry) -> None:
        self.entries.append(entry)


def shared_cache() -> InMemoryCache:
    return InMemoryCache(max_bytes=1_000_000, now=lambda: 0.0)


async def test_a_text_is_computed_once_and_comes_back_equal() -> None:
    inner = CountingEmbedder()
    caching = CachingEmbedder(inner, RecentVectors())
    first = await caching.embed_passages(["a", "b", "a"])
    second = await caching.embed_passages(["b", "c", "a"])
    assert inner.asked == [["a", "b"], ["c"]]
    np.testing.assert_array_equal(first[0], first[2])
    np.testing.assert_array_equal(second, await DeterministicEmbedder(32).embed_passages(["b", "c", "a"]))


async def test_queries_and_passages_are_kept_apart() -> None:
    inner = CountingEmbedder()
    caching = CachingEmbedder(inner, RecentVectors())
    await caching.embed_queries(["a"])
    await caching.embed_passages(["a"])
    assert inner.asked == [["a"], ["a"]]


async def test_another_process_finds_the_vectors_in_the_shared_cache() -> None:
    shared = shared_cache()
    first, second = CountingEmbedder(), CountingEmbedder()
    vectors = await CachingEmbedder(first, RecentVectors(), shared).embed_passages(["a", "b"])
    found = await CachingEmbedder(second, RecentVectors(), shared).embed_passages(["b", "a"])
    assert second.asked == []
    np.testing.assert_array_equal(found, vectors[::-1])


async def test_another_dimension_is_another_key() -> None:
    shared = shared_cache()
    await CachingEmbedder(CountingEmbedder(32), RecentVectors(), shared).embed_passages(["a"])
    inner = CountingEmbedder(64)
    assert (await CachingEmbedder(inner, RecentVectors(), shared).embed_passages(["a"])).shape == (1, 64)
    assert inner.asked == [["a"]]


async def test_shared_bytes_of_a_wrong_length_are_computed_again() -> None:
    class Damaged(InMemoryCache):
        async def get_many(self, keys: Sequence[str]) -> dict[str, bytes]:
            return dict.fromkeys(keys, b"short")

    inner = CountingEmbedder()
    await CachingEmbedder(inner, RecentVectors(), Damaged(1000, lambda: 0.0)).embed_passages(["a"])
    assert inner.asked == [["a"]]


async def test_the_least_recently_used_vector_goes_first() -> None:
    inner = CountingEmbedder()
    caching = CachingEmbedder(inner, RecentVectors(capacity=2))
    for text in ("a", "b", "a", "c", "a", "b"):
        await caching.embed_passages([text])
    assert inner.asked == [["a"], ["b"], ["c"], ["b"]]


async def test_a_caller_cannot_change_what_is_kept() -> None:
    caching = CachingEmbedder(CountingEmbedder(), RecentVectors())
    first = await caching.embed_passages(["a"])
    kept = first.copy()
    first[:] = 0.0
    np.testing.assert_array_equal(await caching.embed_passages(["a"]), kept)


async def test_hits_are_free_and_misses_are_metered() -> None:
    meter, recent = ListedUsage(), RecentVectors()
    metered = MeteredEmbedder(
        PaidCountingEmbedder(),
        meter,
        lambda: AT,
        cached=lambda inner, whose: CachingEmbedder(inner, recent, whose=whose),
    )
    for _ in range(2):
        await embedder_for(ACCESS, metered).embed_passages(["one", "another"])
    assert meter.entries == [
        UsageEntry(ORGANIZATION, GROUP, "embedding", "deterministic-ngrams-v1-32", 2, 0, 2, AT, texts=2),
    ]


async def test_what_another_organization_embedded_is_not_free_so_no_bill_tells_of_it() -> None:
    meter, recent = ListedUsage(), RecentVectors()
    metered = MeteredEmbedder(
        PaidCountingEmbedder(),
        meter,
        lambda: AT,
        cached=lambda inner, whose: CachingEmbedder(inner, recent, whose=whose),
    )
    other = replace(ACCESS, principal=replace(ACCESS.principal, organization_id=OrganizationId(uuid4())))
    for access in (other, ACCESS):
        await embedder_for(access, metered).embed_passages(["known"])
    assert [entry.texts for entry in meter.entries] == [1, 1]


async def test_an_exhausted_budget_stops_misses_but_not_hits() -> None:
    recent = RecentVectors()
    await CachingEmbedder(CountingEmbedder(), recent, whose=ORGANIZATION).embed_passages(["known"])
    inner = PaidCountingEmbedder()
    metered = MeteredEmbedder(
        inner,
        ListedUsage(exhausted=True),
        lambda: AT,
        cached=lambda inner, whose: CachingEmbedder(inner, recent, whose=whose),
    )
    embedder = embedder_for(ACCESS, metered)
    assert (await embedder.embed_passages(["known"])).shape == (1, 32)
    with pytest.raises(BudgetExhausted):
        await embedder.embed_passages(["new"])
    assert inner.asked == []


async def test_a_local_model_is_nobodys_and_costs_nothing() -> None:
    local = CountingEmbedder()
    assert embedder_for(ACCESS, local) is local
