from __future__ import annotations

import socket
from collections.abc import AsyncIterator
from itertools import count

import pytest
from valkey.asyncio import Valkey

import adapters.valkey.cache
from adapters.embedded.resp_server import RespAddress
from adapters.valkey.cache import ValkeyCache
from domain.ports.cache import Cache
from tests.contracts.cache_contract import CacheContract
from tests.services.hearing import hear

pytestmark = pytest.mark.services
_prefixes = count(1)


@pytest.fixture
async def client(valkey_server: RespAddress) -> AsyncIterator[Valkey]:
    client = Valkey.from_url(valkey_server.url)
    yield client
    await client.aclose()


class TestValkeyCache(CacheContract):
    @pytest.fixture
    def prefix(self) -> str:
        return f"cache-test-{next(_prefixes)}:"

    @pytest.fixture
    async def cache(self, valkey_server: RespAddress, prefix: str) -> AsyncIterator[Cache]:
        cache = ValkeyCache(valkey_server.url, prefix=prefix)
        yield cache
        await cache.close()

    async def test_a_value_expires_by_itself(self, cache: Cache, client: Valkey, prefix: str) -> None:
        await cache.set_many({"a": b"1"}, 60)
        assert 59_000 < await client.pttl(f"{prefix}a") <= 60_000

    async def test_two_processes_share_it_but_not_two_prefixes(
        self, cache: Cache, valkey_server: RespAddress, prefix: str
    ) -> None:
        await cache.set_many({"a": b"1"}, 60)
        twin, stranger = ValkeyCache(valkey_server.url, prefix=prefix), ValkeyCache(valkey_server.url, prefix="other:")
        assert await twin.get_many(["a"]) == {"a": b"1"}
        assert await stranger.get_many(["a"]) == {}
        await twin.close()
        await stranger.close()

    async def test_reading_and_writing_take_one_round_trip_each(self, cache: Cache, client: Valkey) -> None:
        await cache.set_many({"warm": b""}, 60)
        before = (await client.info("stats"))["total_reads_processed"]
        await cache.set_many({str(number): b"1" for number in range(50)}, 60)
        await cache.get_many([str(number) for number in range(50)])
        after = (await client.info("stats"))["total_reads_processed"]
        assert after - before == 3  # ours two, and the second look at the statistics

    async def test_a_server_that_is_down_is_a_miss_said_once(self, monkeypatch: pytest.MonkeyPatch) -> None:
        seconds, heard = [0.0], hear(monkeypatch, adapters.valkey.cache)
        cache = ValkeyCache(f"redis://127.0.0.1:{unused_port()}/0", now=lambda: seconds[0])
        for later in (0.0, 1.0, 6.0, 12.0):
            seconds[0] = later
            await cache.set_many({"a": b"1"}, 60)
            assert await cache.get_many(["a"]) == {}
        await cache.close()
        assert [(line["event"], line["log_level"]) for line in heard.entries] == [("cache_down", "warning")]

    async def test_a_server_that_never_answers_is_a_miss(self) -> None:
        with socket.create_server(("127.0.0.1", 0)) as silent:
            cache = ValkeyCache(f"redis://127.0.0.1:{silent.getsockname()[1]}/0", timeout_seconds=0.05)
            assert await cache.get_many(["a"]) == {}
            await cache.close()

    async def test_a_wrong_password_is_a_miss(self, valkey_server: RespAddress) -> None:
        cache = ValkeyCache(f"redis://:wrong@{valkey_server.host}:{valkey_server.port}/0")
        await cache.set_many({"a": b"1"}, 60)
        assert await cache.get_many(["a"]) == {}
        await cache.close()

    async def test_a_server_that_comes_back_is_used_again(
        self, valkey_server: RespAddress, client: Valkey, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        seconds, heard = [0.0], hear(monkeypatch, adapters.valkey.cache)
        cache = ValkeyCache(valkey_server.url, prefix="returning:", timeout_seconds=0.1, now=lambda: seconds[0])
        await client.client_pause(300)
        assert await cache.get_many(["a"]) == {}
        await client.ping()  # answers when the pause is over
        await cache.set_many({"a": b"1"}, 60)
        assert await cache.get_many(["a"]) == {}
        seconds[0] = 5.0
        await cache.set_many({"a": b"1"}, 60)
        assert await cache.get_many(["a"]) == {"a": b"1"}
        await cache.close()
        assert [line["event"] for line in heard.entries] == ["cache_down", "cache_up"]


def unused_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])
