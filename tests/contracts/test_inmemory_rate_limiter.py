from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from adapters.inmemory.rate_limiter import InMemoryRateLimiter
from domain.ports.rate_limiter import Charge, RateLimiter
from tests.contracts.rate_limiter_contract import Later, RateLimiterContract, one

MICROS = 1_000_000


class Hand:
    """A clock that is moved by hand, in microseconds."""

    def __init__(self) -> None:
        self.now = 1_700_000_000 * MICROS + 17

    def __call__(self) -> int:
        return self.now


class TestInMemoryRateLimiter(RateLimiterContract):
    @pytest.fixture
    def clock(self) -> Hand:
        return Hand()

    @pytest.fixture
    def limiter(self, clock: Hand) -> RateLimiter:
        return InMemoryRateLimiter(clock)

    @pytest.fixture
    def later(self, clock: Hand) -> Later:
        async def pass_by(seconds: int) -> None:
            clock.now += seconds * MICROS

        return pass_by

    async def test_what_is_given_back_can_be_taken_again(self, clock: Hand) -> None:
        limiter = InMemoryRateLimiter(clock)
        taken = await limiter.take("o", [one(3)])
        clock.now += 720 * MICROS
        limiter.give_back("o", [one(3)], taken)
        assert (await limiter.take("o", [one(2)])).remaining == (1,)

    async def test_the_least_recently_used_count_is_forgotten(self, clock: Hand) -> None:
        limiter = InMemoryRateLimiter(clock, capacity=2)
        for owner in ("ann", "bob", "ann", "cyd"):
            await limiter.take("o", [one(owner=owner)])
        assert (await limiter.take("o", [one(owner="ann")])).remaining == (0,)
        assert (await limiter.take("o", [one(owner="bob")])).remaining == (2,)


_steps = st.lists(
    st.tuples(st.integers(0, 4 * MICROS), st.integers(1, 4), st.sampled_from(["fast", "slow"])), min_size=1, max_size=60
)


@given(_steps)
async def test_it_keeps_to_its_bounds_against_a_list_of_everything_that_was_taken(
    steps: list[tuple[int, int, str]],
) -> None:
    """No window ever holds more than the limit; what fits in a window and a tenth is taken; the wait is enough."""
    clock = Hand()
    limiter = InMemoryRateLimiter(clock)
    limits = {"fast": (5, 4), "slow": (7, 10)}
    taken: dict[str, list[tuple[int, int]]] = {"fast": [], "slow": []}

    def held(name: str, micros: int) -> int:
        return sum(cost for at, cost in taken[name] if at > clock.now - micros)

    for pause, cost, name in steps:
        clock.now += pause
        most, seconds = limits[name]
        verdict = await limiter.take("o", [Charge(name, "x", cost, most, seconds)])
        if verdict.admitted:
            assert held(name, seconds * MICROS) + cost <= most
            taken[name].append((clock.now, cost))
            continue
        assert held(name, seconds * MICROS + seconds * MICROS // 10) + cost > most
        before = clock.now
        clock.now = before + round(verdict.retry_after * MICROS)
        again = await InMemoryRateLimiter.take(limiter, "o", [Charge(name, "x", cost, most, seconds)])
        assert again.admitted
        taken[name].append((clock.now, cost))
