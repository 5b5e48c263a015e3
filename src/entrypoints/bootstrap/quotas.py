"""Rate limits, as the services and settings say."""

from __future__ import annotations

import time
from collections.abc import Callable
from contextlib import AsyncExitStack
from dataclasses import dataclass

from adapters.fallback.rate_limiter import FallbackRateLimiter
from adapters.inmemory.rate_limiter import InMemoryRateLimiter
from domain.ports.rate_limiter import RateLimiter
from entrypoints.application import Probe

_WITHOUT = "each process keeps the rate limits by itself, so that several let through a limit each"


@dataclass(frozen=True, slots=True)
class RateLimits:
    """The limiter, whether it counts in this process alone though it should not, and its probe."""

    limiter: RateLimiter
    local: Callable[[], bool]
    probes: tuple[Probe, ...]


def rate_limits(url: str | None, stack: AsyncExitStack) -> RateLimits:
    """In Valkey with this process to fall back on, or in this process where there is no Valkey."""
    here = InMemoryRateLimiter(lambda: time.monotonic_ns() // 1_000)
    if url is None:
        return RateLimits(here, lambda: False, ())
    from adapters.valkey.rate_limiter import ValkeyRateLimiter

    shared = ValkeyRateLimiter(url)
    stack.push_async_callback(shared.close)
    limiter = FallbackRateLimiter(shared, here)
    stack.push_async_callback(limiter.close)
    return RateLimits(limiter, lambda: limiter.degraded, (Probe("rate limits", False, limiter.check, _WITHOUT),))
