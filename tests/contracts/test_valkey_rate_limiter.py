from __future__ import annotations

import random
import socket
from collections.abc import AsyncIterator
from itertools import count

import pytest
from valkey.asyncio import Valkey
from valkey.crc import key_slot

from adapters.embedded.resp_server import RespAddress
from adapters.inmemory.rate_limiter import InMemoryRateLimiter
from adapters.valkey.rate_limiter import ValkeyRateLimiter
from domain.errors import Unavailable
from domain.ports.rate_limiter import Charge, RateLimiter
from tests.contracts.rate_limiter_contract import HOUR, SLICE, Later, RateLimiterContract, one

pytestmark = pytest.mark.services
_prefixes = count(1)
MICROS = 1_000_000


@pytest.fixture
async def client(valkey_server: RespAddress) -> AsyncIterator[Valkey]:
    client = Valkey.from_url(valkey_server.url)
    yield client
    await client.aclose()


class TestValkeyRateLimiter(RateLimiterContract):
    @pytest.fixture
    def prefix(self) -> str:
        return f"limit-test-{next(_prefixes)}:"

    @pytest.fixture
    async def limiter(self, valkey_server: RespAddress, prefix: str) -> AsyncIterator[RateLimiter]:
        limiter = ValkeyRateLimiter(valkey_server.url, prefix=prefix, timeout_seconds=5.0)
        yield limiter
        await limiter.close()

    @pytest.fixture
    def later(self, client: Valkey, prefix: str) -> Later:
        async def pass_by(seconds: int) -> None:
            """The server's clock is not ours to move: what was counted is moved into the past."""
            async for key in client.scan_iter(match=f"{prefix}*"):
                width = int(key.rpartition(b":")[2]) // 10
                counts = await client.hgetall(key)  # type: ignore[misc]
                await client.delete(key)
                if counts:
                    moved = {int(number) - seconds // width: value for number, value in counts.items()}
                    await client.hset(key, mapping=moved)  # type: ignore[misc]

        return pass_by

    async def test_a_check_of_three_limits_is_one_round_trip(self, limiter: RateLimiter, client: Valkey) -> None:
        charges = [one(), one(owner="acme", name="organization"), one(name="search")]
        await limiter.take("o", charges)
        before = await client.info("all")
        for _ in range(10):
            await limiter.take("o", charges)
        after = await client.info("all")
        assert after["total_reads_processed"] - before["total_reads_processed"] == 11  # ten, and the second look
        calls = [(said.get("cmdstat_evalsha") or {"calls": 0})["calls"] for said in (before, after)]
        assert calls[1] - calls[0] == 10

    async def test_a_server_that_lost_the_script_is_told_it_again(self, limiter: RateLimiter, client: Valkey) -> None:
        await limiter.take("o", [one()])
        await client.script_flush()
        assert (await limiter.take("o", [one()])).remaining == (1,)

    async def test_counts_go_away_by_themselves(self, limiter: RateLimiter, client: Valkey, prefix: str) -> None:
        await limiter.take("o", [one()])
        (key,) = [key async for key in client.scan_iter(match=f"{prefix}*")]
        assert HOUR * 1000 < await client.pttl(key) <= (HOUR + 2 * SLICE) * 1000

    async def test_the_keys_of_a_family_lie_in_one_slot_of_a_cluster(
        self, limiter: RateLimiter, client: Valkey, prefix: str
    ) -> None:
        await limiter.take("o_1", [one(), one(owner="acme", name="organization")])
        keys = [key async for key in client.scan_iter(match=f"{prefix}*")]
        assert len(keys) == 2
        assert len({key_slot(key) for key in keys}) == 1

    async def test_it_decides_as_the_one_in_memory_does(self, limiter: RateLimiter, later: Later) -> None:
        chance, shift = random.Random(4), 0
        seen = {"at": 0}
        twin = InMemoryRateLimiter(lambda: seen["at"] + shift * MICROS)
        outcomes = set()
        for _ in range(300):
            if chance.random() < 0.2:
                step = SLICE * chance.randint(1, 6) * 2
                await later(step)
                shift += step
            most = {"principal": 6, "organization": 9, "slow": 12}
            charges = [
                Charge(name, "x", chance.randint(1, 3), most[name], 2 * HOUR if name == "slow" else HOUR)
                for name in chance.sample(sorted(most), chance.randint(1, 3))
            ]
            decided = await limiter.take("o", charges)
            seen["at"] = decided.at
            expected = await twin.take("o", charges)
            assert (decided.remaining, decided.refused, decided.retry_after) == (
                expected.remaining, expected.refused, expected.retry_after,
            )  # fmt: skip
            outcomes.add(decided.refused.name if decided.refused else "taken")
        assert outcomes == {"principal", "organization", "slow", "taken"}

    async def test_a_server_that_never_answers_is_said_within_the_time_out(self) -> None:
        with socket.create_server(("127.0.0.1", 0)) as silent:
            limiter = ValkeyRateLimiter(f"redis://127.0.0.1:{silent.getsockname()[1]}/0", timeout_seconds=0.05)
            with pytest.raises(Unavailable, match="TimeoutError"):
                await limiter.take("o", [one()])
            await limiter.close()
