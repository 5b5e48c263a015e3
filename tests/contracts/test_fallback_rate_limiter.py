from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Sequence

import pytest

import adapters.fallback.rate_limiter
from adapters.fallback.rate_limiter import FallbackRateLimiter
from adapters.inmemory.rate_limiter import InMemoryRateLimiter
from domain.errors import Unavailable
from domain.ports.rate_limiter import Charge, RateLimiter, Verdict
from tests.contracts.rate_limiter_contract import Later, RateLimiterContract, one
from tests.contracts.test_inmemory_rate_limiter import MICROS, Hand
from tests.services.hearing import hear


class Shared:
    """A store that is shut and opened by hand, and counts how often it was asked."""

    def __init__(self, clock: Hand) -> None:
        self.inner = InMemoryRateLimiter(clock)
        self.up, self.asked = True, 0

    async def take(self, family: str, charges: Sequence[Charge]) -> Verdict:
        self.asked += 1
        await self.ping()
        return await self.inner.take(family, charges)

    async def ping(self) -> None:
        if not self.up:
            raise Unavailable("shut")


class TestFallbackRateLimiter(RateLimiterContract):
    @pytest.fixture
    def clock(self) -> Hand:
        return Hand()

    @pytest.fixture
    def shared(self, clock: Hand) -> Shared:
        return Shared(clock)

    @pytest.fixture
    def awaited(self) -> asyncio.Semaphore:
        return asyncio.Semaphore(0)

    @pytest.fixture
    async def limiter(
        self, shared: Shared, clock: Hand, awaited: asyncio.Semaphore
    ) -> AsyncIterator[FallbackRateLimiter]:
        async def pause(_: float) -> None:
            await awaited.acquire()

        limiter = FallbackRateLimiter(shared, InMemoryRateLimiter(clock), sleep=pause)
        yield limiter
        await limiter.close()

    @pytest.fixture
    def later(self, clock: Hand) -> Later:
        async def pass_by(seconds: int) -> None:
            clock.now += seconds * MICROS

        return pass_by

    async def test_a_store_that_is_down_is_asked_once_and_said_once(
        self, limiter: FallbackRateLimiter, shared: Shared, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        heard = hear(monkeypatch, adapters.fallback.rate_limiter)
        await limiter.check()
        shared.up = False
        verdicts = [await limiter.take("o", [one()]) for _ in range(5)]
        assert [v.admitted for v in verdicts] == [True, True, True, False, False]
        assert shared.asked == 1
        assert [line["event"] for line in heard.entries] == ["rate_limiter_down"]
        with pytest.raises(Unavailable, match="each process keeps the limits by itself"):
            await limiter.check()

    async def test_it_goes_back_when_the_store_answers(
        self,
        limiter: FallbackRateLimiter,
        shared: Shared,
        awaited: asyncio.Semaphore,
        monkeypatch: pytest.MonkeyPatch,
    ) -> None:
        heard = hear(monkeypatch, adapters.fallback.rate_limiter)
        shared.up = False
        await limiter.take("o", [one()])
        asking = limiter._asking
        assert asking is not None
        awaited.release()
        shared.up = True
        awaited.release()
        await asking
        assert not limiter.degraded
        await limiter.take("o", [one()])
        assert shared.asked == 2
        assert [line["event"] for line in heard.entries] == ["rate_limiter_down", "rate_limiter_up"]

    async def test_one_process_keeps_the_limit_over_an_outage_that_emptied_the_store(
        self, limiter: FallbackRateLimiter, shared: Shared, awaited: asyncio.Semaphore, clock: Hand
    ) -> None:
        taken = [(await limiter.take("o", [one(most=6)])).admitted for _ in range(2)]
        shared.up = False
        taken += [(await limiter.take("o", [one(most=6)])).admitted for _ in range(2)]
        asking, shared.inner, shared.up = limiter._asking, InMemoryRateLimiter(clock), True
        assert asking is not None
        awaited.release()
        await asking
        taken += [(await limiter.take("o", [one(most=6)])).admitted for _ in range(4)]
        assert taken == [True] * 6 + [False] * 2

    async def test_what_the_store_refuses_is_not_counted_here(
        self, limiter: FallbackRateLimiter, shared: Shared
    ) -> None:
        await shared.inner.take("o", [one(most=6, cost=6)])  # another process
        assert not (await limiter.take("o", [one(most=6)])).admitted
        shared.up = False
        assert (await limiter.take("o", [one(most=6, cost=6)])).admitted

    async def test_what_this_process_used_up_is_refused_without_asking(
        self, limiter: RateLimiter, shared: Shared
    ) -> None:
        for _ in range(10):
            await limiter.take("o", [one()])
        assert shared.asked == 3
