"""What every rate limiter keeps to."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable

import pytest

from domain.errors import InvalidInput, RateLimited
from domain.ports.rate_limiter import Charge, RateLimiter

HOUR = 3600
SLICE = 360
Later = Callable[[int], Awaitable[None]]
"""Lets so many seconds pass, a multiple of 360."""


def one(cost: int = 1, most: int = 3, owner: str = "ann", name: str = "principal", seconds: int = HOUR) -> Charge:
    return Charge(name, owner, cost, most, seconds)


class RateLimiterContract:
    """Its tests are run for an adapter by a subclass that overrides both fixtures."""

    @pytest.fixture
    def limiter(self) -> RateLimiter:
        raise NotImplementedError

    @pytest.fixture
    def later(self) -> Later:
        raise NotImplementedError

    async def test_exactly_as_much_as_the_limit_is_taken(self, limiter: RateLimiter) -> None:
        verdicts = [await limiter.take("o", [one()]) for _ in range(5)]
        assert [v.admitted for v in verdicts] == [True, True, True, False, False]
        assert [v.remaining for v in verdicts] == [(2,), (1,), (0,), (0,), (0,)]

    async def test_a_cost_counts_as_often(self, limiter: RateLimiter) -> None:
        assert (await limiter.take("o", [one(2)])).remaining == (1,)
        refused = await limiter.take("o", [one(2)])
        assert (refused.admitted, refused.remaining) == (False, (1,))
        assert (await limiter.take("o", [one(1)])).remaining == (0,)

    async def test_no_charge_is_always_taken(self, limiter: RateLimiter) -> None:
        assert (await limiter.take("o", [])).admitted

    async def test_all_charges_are_taken_or_none(self, limiter: RateLimiter) -> None:
        narrow, wide = one(most=1), one(owner="acme", name="organization", most=10)
        assert (await limiter.take("o", [narrow, wide])).remaining == (0, 9)
        refused = await limiter.take("o", [wide, narrow])
        assert (refused.refused, refused.remaining) == (narrow, (9, 0))
        assert (await limiter.take("o", [wide])).remaining == (8,)

    async def test_the_charge_that_waits_longest_is_named(self, limiter: RateLimiter) -> None:
        hour, two = one(most=1), one(most=1, seconds=2 * HOUR, name="slow")
        await limiter.take("o", [hour, two])
        assert (await limiter.take("o", [hour, two])).refused == two

    async def test_families_owners_names_and_windows_count_apart(self, limiter: RateLimiter) -> None:
        apart = [one(most=1), one(most=1, owner="bob"), one(most=1, name="search"), one(most=1, seconds=2 * HOUR)]
        assert (await limiter.take("o", apart)).admitted
        assert (await limiter.take("p", apart)).admitted
        assert not (await limiter.take("o", apart[:1])).admitted

    async def test_two_charges_in_one_place_are_refused(self, limiter: RateLimiter) -> None:
        with pytest.raises(InvalidInput, match="make them one"):
            await limiter.take("o", [one(), one(2)])

    async def test_concurrent_calls_never_take_more(self, limiter: RateLimiter) -> None:
        verdicts = await asyncio.gather(*(limiter.take("o", [one(most=7)]) for _ in range(20)))
        assert sum(v.admitted for v in verdicts) == 7

    async def test_a_refusal_says_to_the_microsecond_when_there_is_room(self, limiter: RateLimiter) -> None:
        first = await limiter.take("o", [one(3)])
        refused = await limiter.take("o", [one()])
        width = SLICE * 1_000_000
        assert refused.retry_after == ((first.at // width + 11) * width - refused.at) / 1_000_000
        with pytest.raises(RateLimited, match="'principal' of 3 units in 3600 s") as raised:
            refused.require()
        assert (raised.value.limit, raised.value.retry_after) == ("principal", refused.retry_after)

    async def test_what_was_taken_counts_for_the_window_and_at_most_a_tenth_more(
        self, limiter: RateLimiter, later: Later
    ) -> None:
        await limiter.take("o", [one(3)])
        await later(HOUR)
        assert not (await limiter.take("o", [one()])).admitted
        await later(SLICE)
        assert (await limiter.take("o", [one(3)])).admitted

    async def test_room_comes_back_as_it_was_taken(self, limiter: RateLimiter, later: Later) -> None:
        for _ in range(3):
            await limiter.take("o", [one()])
            await later(SLICE)
        await later(8 * SLICE)
        verdicts = [await limiter.take("o", [one()]) for _ in range(2)]
        assert [v.admitted for v in verdicts] == [True, False]

    async def test_a_refusal_costs_nothing(self, limiter: RateLimiter, later: Later) -> None:
        await limiter.take("o", [one(3)])
        await later(5 * SLICE)
        for _ in range(10):
            await limiter.take("o", [one()])
        await later(6 * SLICE)
        assert (await limiter.take("o", [one(3)])).admitted

    async def test_another_most_holds_at_once(self, limiter: RateLimiter) -> None:
        await limiter.take("o", [one(3)])
        assert not (await limiter.take("o", [one()])).admitted
        assert (await limiter.take("o", [one(most=5)])).remaining == (1,)
        assert (await limiter.take("o", [one(most=2)])).remaining == (0,)
