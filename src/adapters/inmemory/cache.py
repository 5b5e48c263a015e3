"""A cache in process memory, bounded by bytes."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable, Mapping, Sequence

from domain.ports.cache import checked_ttl

_OVERHEAD_BYTES = 200
"""What an entry costs beside its key and value (two objects, a tuple and a dict slot on 64-bit CPython)."""


class InMemoryCache:
    """Drops the least recently used entries when over ``max_bytes``. ``now`` gives seconds that never go back."""

    def __init__(self, max_bytes: int, now: Callable[[], float]) -> None:
        self._max_bytes = max_bytes
        self._now = now
        self._entries: OrderedDict[str, tuple[float, bytes]] = OrderedDict()
        self._bytes = 0

    @property
    def size_bytes(self) -> int:
        """What the entries take up, about."""
        return self._bytes

    async def get_many(self, keys: Sequence[str]) -> dict[str, bytes]:
        """What is there and not expired; it becomes the most recently used."""
        found: dict[str, bytes] = {}
        now = self._now()
        for key in keys:
            entry = self._entries.get(key)
            if entry is None:
                continue
            if entry[0] <= now:
                self._forget(key)
                continue
            self._entries.move_to_end(key)
            found[key] = entry[1]
        return found

    async def set_many(self, items: Mapping[str, bytes], ttl_seconds: int) -> None:
        """Keep what fits; a value larger than the whole cache is not kept."""
        expires = self._now() + checked_ttl(ttl_seconds)
        for key, value in items.items():
            self._forget(key)
            if _cost(key, value) > self._max_bytes:
                continue
            self._entries[key] = (expires, bytes(value))
            self._bytes += _cost(key, value)
            while self._bytes > self._max_bytes:
                self._forget(next(iter(self._entries)))

    async def delete_many(self, keys: Sequence[str]) -> bool:
        """Forget the entries."""
        for key in keys:
            self._forget(key)
        return True

    def _forget(self, key: str) -> None:
        entry = self._entries.pop(key, None)
        if entry is not None:
            self._bytes -= _cost(key, entry[1])


def _cost(key: str, value: bytes) -> int:
    return len(key) + len(value) + _OVERHEAD_BYTES
