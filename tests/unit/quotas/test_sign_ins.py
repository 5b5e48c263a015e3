from __future__ import annotations

import asyncio
from uuid import UUID

import pytest

from adapters.inmemory.rate_limiter import InMemoryRateLimiter
from application.quotas.sign_ins import SignIns, network_of
from domain.errors import NotAuthenticated, RateLimited
from domain.identity.ids import GroupId
from domain.ports.token_verifier import Credential
from tests.unit.quotas.test_admission import somebody

HERE, THERE = "192.0.2.7", "192.0.2.8"


class Verifier:
    """Takes the tokens that begin with ``good``, and keeps a list of what it was asked."""

    def __init__(self) -> None:
        self.asked: list[str] = []

    async def verify(self, token: str) -> Credential:
        self.asked.append(token)
        if not token.startswith("good"):
            raise NotAuthenticated("not a key")
        return Credential(somebody(1), GroupId("o_" + UUID(int=1).hex))


class Door:
    """Sign-ins with a clock that only moves while somebody is held up."""

    def __init__(self, most: int) -> None:
        self.seconds, self.verifier = 0.0, Verifier()
        limiter = InMemoryRateLimiter(lambda: round(self.seconds * 1_000_000))
        self.sign_ins = SignIns(self.verifier, limiter, most, now=lambda: self.seconds, sleep=self._sleep)

    async def _sleep(self, seconds: float) -> None:
        self.seconds += seconds
        await asyncio.sleep(0)

    async def outcome(self, token: str, address: str = HERE) -> str:
        try:
            await self.sign_ins.verify(token, address)
        except (NotAuthenticated, RateLimited) as error:
            return error.code
        return "in"


async def test_failures_beyond_the_limit_are_told_to_wait_and_paced() -> None:
    door = Door(3)
    told = [await door.outcome(f"bad{number}") for number in range(7)]
    assert told == ["not_authenticated"] * 3 + ["rate_limited"] * 4
    assert door.seconds == 0.75  # three were held for a quarter of a second each
    assert await door.outcome("bad", THERE) == "not_authenticated"


async def test_a_good_token_is_let_in_from_an_address_that_is_slowed() -> None:
    door = Door(1)
    await door.outcome("good old")
    for number in range(4):
        await door.outcome(f"bad{number}")
    held = door.seconds
    assert await door.outcome("good old") == "in"
    assert await door.outcome("good new") == "in"
    assert door.seconds == held


async def test_tokens_of_a_slowed_address_are_tried_one_after_the_other_and_eight_wait() -> None:
    door = Door(1)
    for number in range(2):
        await door.outcome(f"bad{number}")
    before = len(door.verifier.asked)
    told = await asyncio.gather(*(door.outcome(f"more{number}") for number in range(20)), door.outcome("good late"))
    assert told == ["rate_limited"] * 21
    assert len(door.verifier.asked) - before == 8
    assert await door.outcome("good late") == "in"


async def test_an_address_is_fast_again_when_its_failures_are_over() -> None:
    door = Door(1)
    for number in range(2):
        await door.outcome(f"bad{number}")
    door.seconds += 70
    assert await door.outcome("bad") == "not_authenticated"
    assert door.sign_ins._slowed == {}


async def test_a_token_that_was_good_and_is_no_more_waits_like_others() -> None:
    door = Door(1)
    await door.outcome("good")
    for number in range(2):
        await door.outcome(f"bad{number}")
    door.verifier.verify = _refuse  # type: ignore[method-assign, assignment]
    assert await door.outcome("good") == "rate_limited"
    assert door.sign_ins._good == {}


async def test_no_limit_is_no_limit() -> None:
    door = Door(0)
    assert {await door.outcome("bad") for _ in range(50)} == {"not_authenticated"}


@pytest.mark.parametrize(
    ("address", "network"),
    [
        ("192.0.2.7", "192.0.2.7"),
        ("::ffff:192.0.2.7", "192.0.2.7"),
        ("2001:db8:1:2:3:4:5:6", "2001:db8:1:2::"),
        ("", ""),
        ("x" * 200, "x" * 64),
    ],
)
def test_addresses_count_by_network(address: str, network: str) -> None:
    assert network_of(address) == network


async def _refuse(_: str) -> Credential:
    raise NotAuthenticated("revoked")
