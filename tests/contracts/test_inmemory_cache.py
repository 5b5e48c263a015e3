from __future__ import annotations

import pytest

from adapters.inmemory.cache import InMemoryCache
from domain.ports.cache import Cache
from tests.contracts.cache_contract import CacheContract


class Seconds:
    def __init__(self) -> None:
        self.now = 0.0

    def __call__(self) -> float:
        return self.now


class TestInMemoryCache(CacheContract):
    @pytest.fixture
    def cache(self) -> Cache:
        return InMemoryCache(10_000_000, Seconds())

    async def test_a_value_is_gone_when_its_time_is_over(self) -> None:
        clock = Seconds()
        cache = InMemoryCache(10_000, clock)
        await cache.set_many({"short": b"1"}, 10)
        await cache.set_many({"long": b"2"}, 11)
        clock.now = 9.9
        assert await cache.get_many(["short", "long"]) == {"short": b"1", "long": b"2"}
        clock.now = 10.0
        assert await cache.get_many(["short", "long"]) == {"long": b"2"}
        assert cache.size_bytes == 200 + len("long") + 1

    async def test_the_least_recently_used_makes_room(self) -> None:
        cache = InMemoryCache(3 * 301, Seconds())
        for key in "abc":
            await cache.set_many({key: bytes(100)}, 60)
        await cache.get_many(["a"])
        await cache.set_many({"d": bytes(100)}, 60)
        assert set(await cache.get_many(list("abcd"))) == {"a", "c", "d"}
        assert cache.size_bytes == 3 * 301

    async def test_a_value_larger_than_the_cache_is_not_kept_and_drops_nothing_else(self) -> None:
        cache = InMemoryCache(1000, Seconds())
        await cache.set_many({"a": b"1"}, 60)
        await cache.set_many({"huge": bytes(1000)}, 60)
        assert await cache.get_many(["a", "huge"]) == {"a": b"1"}

    async def test_a_value_that_no_longer_fits_does_not_leave_the_old_one(self) -> None:
        cache = InMemoryCache(1000, Seconds())
        await cache.set_many({"a": b"1"}, 60)
        await cache.set_many({"a": bytes(1000)}, 60)
        assert await cache.get_many(["a"]) == {}
        assert cache.size_bytes == 0
