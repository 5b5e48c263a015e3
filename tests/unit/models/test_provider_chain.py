"""Circuit breaker, token bucket and retry, on a clock that the test moves."""

from __future__ import annotations

import pytest

from application.models.provider_chain import ProviderChain, ProviderLimits
from application.models.provider_failures import AttemptFailed, ProviderRefused, failure_of_status
from domain.errors import AssayError, DimensionMismatch, Unavailable


class Clock:
    """Seconds that pass only when somebody sleeps or the test says so."""

    def __init__(self) -> None:
        self.now = 0.0
        self.slept: list[float] = []

    def __call__(self) -> float:
        return self.now

    async def sleep(self, seconds: float) -> None:
        self.slept.append(seconds)
        self.now += seconds


class Provider:
    """Raises the scripted errors, then answers; counts the attempts."""

    def __init__(self, *errors: AssayError) -> None:
        self._errors = list(errors)
        self.attempts = 0

    async def __call__(self) -> str:
        self.attempts += 1
        if self._errors:
            raise self._errors.pop(0)
        return "answer"


def chain(clock: Clock, limits: ProviderLimits | None = None) -> ProviderChain:
    return ProviderChain("P", limits, now=clock, sleep=clock.sleep)


async def test_an_attempt_that_failed_is_repeated_after_a_jittered_pause() -> None:
    clock, provider = Clock(), Provider(AttemptFailed("1"), AttemptFailed("2"))
    assert await chain(clock).call(provider) == "answer"
    assert provider.attempts == 3
    assert len(clock.slept) == 2
    assert 0 <= clock.slept[0] <= 0.5
    assert 0 <= clock.slept[1] <= 1.0


@pytest.mark.parametrize("error", [ProviderRefused("no"), DimensionMismatch("no"), Unavailable("no")])
async def test_other_errors_are_not_repeated(error: AssayError) -> None:
    provider = Provider(error)
    with pytest.raises(type(error)):
        await chain(Clock()).call(provider)
    assert provider.attempts == 1


async def test_a_provider_that_keeps_failing_is_left_alone_and_then_tried_once() -> None:
    clock = Clock()
    limits = ProviderLimits(attempts=1, failures_to_open=2, cool_down_seconds=30)
    calls = chain(clock, limits)
    failing = Provider(*[AttemptFailed("down")] * 3)
    for _ in range(2):
        with pytest.raises(AttemptFailed):
            await calls.call(failing)
    with pytest.raises(Unavailable, match=r"P failed 2 times in a row .* try again in 30 s"):
        await calls.call(failing)
    assert failing.attempts == 2
    clock.now += 30
    with pytest.raises(AttemptFailed):
        await calls.call(failing)
    assert failing.attempts == 3
    with pytest.raises(Unavailable, match="left alone"):
        await calls.call(failing)
    clock.now += 30
    assert await calls.call(failing) == "answer"
    assert await calls.call(failing) == "answer"


async def test_a_busy_provider_does_not_open_the_breaker() -> None:
    calls = chain(Clock(), ProviderLimits(attempts=1, failures_to_open=1))
    busy = Provider(*[AttemptFailed("busy", provider_works=True)] * 5)
    for _ in range(5):
        with pytest.raises(AttemptFailed):
            await calls.call(busy)
    assert await calls.call(busy) == "answer"


async def test_calls_beyond_the_burst_wait_their_turn() -> None:
    clock = Clock()
    calls = chain(clock, ProviderLimits(requests_per_second=2, burst=2))
    for _ in range(4):
        await calls.call(Provider())
    assert clock.slept == [0.5, 0.5]
    clock.now += 10
    await calls.call(Provider())
    assert clock.slept == [0.5, 0.5]


@pytest.mark.parametrize(
    ("status", "retry_after", "seconds", "works"),
    [
        (429, "3", 3.0, True),
        (429, "1.5", 1.5, True),
        (429, None, None, True),
        (429, "Wed, 21 Oct 2026 07:28:00 GMT", None, True),
        (429, "-1", None, True),
        (429, "nan", None, True),
        (408, None, None, True),
        (500, None, None, False),
        (529, "2", 2.0, False),
    ],
)
def test_busy_and_failing_statuses_may_be_tried_again(
    status: int, retry_after: str | None, seconds: float | None, works: bool
) -> None:
    failure = failure_of_status("P", status, retry_after)
    assert isinstance(failure, AttemptFailed)
    assert failure.retryable
    assert (failure.retry_after_seconds, failure.provider_works) == (seconds, works)


@pytest.mark.parametrize(
    ("status", "remedy"), [(401, "API key"), (403, "API key"), (404, "base URL"), (400, "limits"), (413, "limits")]
)
def test_other_statuses_are_refusals_with_a_remedy(status: int, remedy: str) -> None:
    failure = failure_of_status("P", status, None)
    assert isinstance(failure, ProviderRefused)
    assert not failure.retryable
    assert f"{status}" in failure.message
    assert remedy in failure.message
