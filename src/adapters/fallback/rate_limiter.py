"""Rate limits that hold while the shared store is down."""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import Awaitable, Callable, Sequence
from typing import Protocol

import structlog

from domain.errors import Unavailable
from domain.ports.rate_limiter import Charge, LocalRateLimiter, RateLimiter, Verdict

_log = structlog.get_logger(__name__)


class SharedRateLimiter(RateLimiter, Protocol):
    """One that may be down: ``take`` and ``ping`` raise Unavailable then."""

    async def ping(self) -> None:
        """Raises Unavailable when it does not answer."""
        ...


class FallbackRateLimiter:
    """Implements ``RateLimiter``: this process keeps every limit by itself, the shared limiter keeps it over all.

    - What this process takes is counted here too, first: so one process never takes more than a limit, whatever happens
      to the shared store, and n processes never more than n times of it, before, in and after an outage.
    - A limit that is used up by this process alone is refused without asking the shared limiter.
    - After the first call that got no answer nobody waits: it is asked again every ``pause_seconds``, beside the calls.
    """

    def __init__(
        self,
        shared: SharedRateLimiter,
        local: LocalRateLimiter,
        *,
        pause_seconds: float = 1.0,
        sleep: Callable[[float], Awaitable[None]] = asyncio.sleep,
    ) -> None:
        self._shared = shared
        self._local = local
        self._pause_seconds = pause_seconds
        self._sleep = sleep
        self._asking: asyncio.Task[None] | None = None

    @property
    def degraded(self) -> bool:
        """Whether this process keeps the limits by itself at present."""
        return self._asking is not None

    async def take(self, family: str, charges: Sequence[Charge]) -> Verdict:
        """Never raises for the store; what it refuses is not counted here either."""
        here = await self._local.take(family, charges)
        if not here.admitted or not charges or self.degraded:
            return here
        try:
            everywhere = await self._shared.take(family, charges)
        except Unavailable as error:
            self._went_down(error)
            return here
        if not everywhere.admitted:
            self._local.give_back(family, charges, here)
        return everywhere

    async def check(self) -> None:
        """Raises Unavailable while the shared limiter is down, for a probe; it is asked unless it is known to be."""
        if not self.degraded:
            try:
                await self._shared.ping()
                return
            except Unavailable as error:
                self._went_down(error)
        raise Unavailable("the rate limiter's store does not answer; each process keeps the limits by itself")

    async def close(self) -> None:
        """Stop asking."""
        if self._asking is not None:
            self._asking.cancel()
            with contextlib.suppress(asyncio.CancelledError):
                await self._asking

    def _went_down(self, error: Unavailable) -> None:
        if self._asking is None:
            _log.warning("rate_limiter_down", reason=error.message, asked_every_seconds=self._pause_seconds)
            self._asking = asyncio.create_task(self._ask_again(), name="rate-limiter")

    async def _ask_again(self) -> None:
        while True:
            await self._sleep(self._pause_seconds)
            try:
                await self._shared.ping()
            except Unavailable:
                continue
            self._asking = None
            _log.info("rate_limiter_up")
            return
