"""A cache in Valkey, shared by all processes."""

from __future__ import annotations

import time
from collections.abc import Awaitable, Callable, Mapping, Sequence
from typing import TypeVar

import structlog
from valkey.asyncio import Valkey
from valkey.asyncio.retry import Retry
from valkey.backoff import NoBackoff
from valkey.exceptions import ValkeyError

from domain.ports.cache import checked_ttl

_log = structlog.get_logger(__name__)
_T = TypeVar("_T")


class ValkeyCache:
    """One round trip a call. While the server is down every read misses; it is tried again every ``pause_seconds``.

    ``url`` is redis://, rediss:// or unix://; ``prefix`` keeps our keys apart from those of others.
    """

    def __init__(
        self,
        url: str,
        *,
        prefix: str = "assay:",
        timeout_seconds: float = 0.5,
        pause_seconds: float = 5.0,
        now: Callable[[], float] = time.monotonic,
    ) -> None:
        self._client: Valkey = Valkey.from_url(
            url,
            socket_timeout=timeout_seconds,
            socket_connect_timeout=timeout_seconds,
            retry=Retry(NoBackoff(), 0),
            decode_responses=False,
        )
        self._prefix = prefix
        self._pause_seconds = pause_seconds
        self._now = now
        self._paused_until: float | None = None

    async def get_many(self, keys: Sequence[str]) -> dict[str, bytes]:
        """The values that are there; none when the server is down."""
        if not keys:
            return {}
        values = await self._tried(lambda: self._client.mget([self._prefix + key for key in keys]))
        return {key: value for key, value in zip(keys, values or (), strict=False) if value is not None}

    async def set_many(self, items: Mapping[str, bytes], ttl_seconds: int) -> None:
        """Send the items in one pipeline; nothing happens when the server is down."""
        expiry = checked_ttl(ttl_seconds)
        if not items:
            return
        async with self._client.pipeline(transaction=False) as pipeline:
            for key, value in items.items():
                pipeline.set(self._prefix + key, value, ex=expiry)
            await self._tried(pipeline.execute)

    async def delete_many(self, keys: Sequence[str]) -> bool:
        """Delete the keys, and free them at once; False when the server is down."""
        if not keys:
            return True
        return await self._tried(lambda: self._client.delete(*[self._prefix + key for key in keys])) is not None

    async def close(self) -> None:
        """Close the connections."""
        await self._client.aclose()

    async def _tried(self, call: Callable[[], Awaitable[_T]]) -> _T | None:
        """The reply, or None while the server is down; going down and coming back are logged once each."""
        if self._paused_until is not None and self._now() < self._paused_until:
            return None
        try:
            reply = await call()
        except (ValkeyError, OSError) as error:
            if self._paused_until is None:
                _log.warning("cache_down", error=type(error).__name__, retried_every_seconds=self._pause_seconds)
            self._paused_until = self._now() + self._pause_seconds
            return None
        if self._paused_until is not None:
            self._paused_until = None
            _log.info("cache_up")
        return reply
