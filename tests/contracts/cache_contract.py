"""What every cache does while it has room and its server is up."""

from __future__ import annotations

import pytest

from domain.errors import InvalidInput
from domain.ports.cache import Cache


class CacheContract:
    """Subclass it and override ``cache`` with an empty cache."""

    @pytest.fixture
    def cache(self) -> Cache:
        raise NotImplementedError

    async def test_what_was_set_is_there_and_the_rest_is_left_out(self, cache: Cache) -> None:
        await cache.set_many({"a": b"1", "b": b"\x00\xff", "empty": b""}, 60)
        assert await cache.get_many(["b", "missing", "empty", "a", "a"]) == {"b": b"\x00\xff", "empty": b"", "a": b"1"}

    async def test_the_last_value_wins(self, cache: Cache) -> None:
        await cache.set_many({"a": b"1"}, 60)
        await cache.set_many({"a": b"2"}, 60)
        assert await cache.get_many(["a"]) == {"a": b"2"}

    async def test_nothing_asked_is_nothing_found(self, cache: Cache) -> None:
        await cache.set_many({}, 60)
        assert await cache.get_many([]) == {}

    async def test_what_was_deleted_is_gone_and_the_rest_stays(self, cache: Cache) -> None:
        await cache.set_many({"a": b"1", "b": b"2", "c": b"3"}, 60)
        assert await cache.delete_many(["a", "c", "missing"])
        assert await cache.delete_many([])
        assert await cache.get_many(["a", "b", "c"]) == {"b": b"2"}

    async def test_a_thousand_values_come_back(self, cache: Cache) -> None:
        items = {f"key {number}": number.to_bytes(2, "big") * 500 for number in range(1000)}
        await cache.set_many(items, 60)
        assert await cache.get_many(list(items)) == items

    async def test_keys_may_hold_any_text(self, cache: Cache) -> None:
        await cache.set_many({"Hà Nội:1\n北京": b"1"}, 60)
        assert await cache.get_many(["Hà Nội:1\n北京"]) == {"Hà Nội:1\n北京": b"1"}

    @pytest.mark.parametrize("ttl", [0, -1])
    async def test_a_time_under_a_second_is_refused(self, cache: Cache, ttl: int) -> None:
        with pytest.raises(InvalidInput) as refusal:
            await cache.set_many({"a": b"1"}, ttl)
        assert refusal.value.field == "ttl_seconds"
