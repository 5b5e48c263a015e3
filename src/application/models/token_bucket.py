"""Keep under a provider's request rate."""

from __future__ import annotations

from collections.abc import Awaitable, Callable


class TokenBucket:
    """Lets ``burst`` calls through at once and ``rate`` a second after that; callers wait in order of arrival."""

    def __init__(
        self, rate: float, burst: int, now: Callable[[], float], sleep: Callable[[float], Awaitable[None]]
    ) -> None:
        self._rate = rate
        self._burst = burst
        self._now = now
        self._sleep = sleep
        self._tokens = float(burst)
        self._filled_at = now()

    async def take(self) -> None:
        """Take one token, waiting until it is there."""
        now = self._now()
        self._tokens = min(self._burst, self._tokens + (now - self._filled_at) * self._rate)
        self._filled_at = now
        # A negative balance is the queue: each waiter owes one token more than the one before.
        self._tokens -= 1
        if self._tokens < 0:
            await self._sleep(-self._tokens / self._rate)
