"""Every call to a provider: circuit breaker, token bucket, time-out, retry with full jitter."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from typing import TypeVar

from tenacity import AsyncRetrying, RetryCallState, retry_if_exception, stop_after_attempt, wait_random_exponential

from application.models.circuit_breaker import CircuitBreaker
from application.models.provider_failures import AttemptFailed
from application.models.token_bucket import TokenBucket

T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class ProviderLimits:
    """Seconds, attempts and rates for one provider.

    A time-out applies to each attempt. A provider that asks to be left alone for longer than
    ``longest_wait_seconds`` is not waited for: the caller fails at once and its job comes back later.
    """

    timeout_seconds: float = 60.0
    attempts: int = 3
    first_wait_seconds: float = 0.5
    longest_wait_seconds: float = 20.0
    requests_per_second: float = 50.0
    burst: int = 50
    failures_to_open: int = 8
    cool_down_seconds: float = 30.0


class ProviderChain:
    """Wraps attempts at one provider; shared by everything that calls it, so that limits hold for all."""

    def __init__(
        self,
        provider: str,
        limits: ProviderLimits | None = None,
        *,
        now: Callable[[], float] = time.monotonic,
        sleep: Callable[[float], Awaitable[None]] = asyncio.sleep,
    ) -> None:
        self.provider = provider
        self._limits = limits or ProviderLimits()
        self._sleep = sleep
        self._breaker = CircuitBreaker(provider, self._limits.failures_to_open, self._limits.cool_down_seconds, now)
        self._bucket = TokenBucket(self._limits.requests_per_second, self._limits.burst, now, sleep)
        # Exponential, uniform between zero and the bound: "full jitter" (Brooker, AWS Architecture Blog 2015).
        self._jitter = wait_random_exponential(self._limits.first_wait_seconds, self._limits.longest_wait_seconds)

    async def call(self, attempt: Callable[[], Awaitable[T]]) -> T:
        """The first result of ``attempt`` that does not raise ``AttemptFailed``.

        Raises what the last attempt raised, or ``Unavailable`` without an attempt while the breaker is open.
        """
        retrying = AsyncRetrying(
            stop=stop_after_attempt(self._limits.attempts),
            wait=self._wait,
            retry=retry_if_exception(self._is_worth_a_retry),
            sleep=self._sleep,
            reraise=True,
        )
        return await retrying(self._one_attempt, attempt)

    async def _one_attempt(self, attempt: Callable[[], Awaitable[T]]) -> T:
        self._breaker.admit()
        try:
            await self._bucket.take()
            async with asyncio.timeout(self._limits.timeout_seconds):
                result = await attempt()
        except TimeoutError as error:
            self._breaker.failed()
            raise AttemptFailed(
                f"{self.provider} did not answer within {self._limits.timeout_seconds:g} s; try again later."
            ) from error
        except AttemptFailed as failure:
            if failure.provider_works:
                self._breaker.abandoned()
            else:
                self._breaker.failed()
            raise
        except BaseException:
            self._breaker.abandoned()
            raise
        self._breaker.succeeded()
        return result

    def _is_worth_a_retry(self, error: BaseException) -> bool:
        return (
            isinstance(error, AttemptFailed) and (error.retry_after_seconds or 0) <= self._limits.longest_wait_seconds
        )

    def _wait(self, state: RetryCallState) -> float:
        error = state.outcome.exception() if state.outcome else None
        asked = error.retry_after_seconds if isinstance(error, AttemptFailed) else None
        return max(asked or 0.0, self._jitter(state))
