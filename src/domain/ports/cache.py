"""A place for values that can be computed again."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Protocol

from domain.errors import InvalidInput


class Cache(Protocol):
    """Forgets whenever it likes: a value that was set may be absent at once, but is never another one.

    No method raises for a store that is down: reading misses, writing does nothing.
    """

    async def get_many(self, keys: Sequence[str]) -> dict[str, bytes]:
        """The values that are there, by key; absent keys are left out."""
        ...

    async def set_many(self, items: Mapping[str, bytes], ttl_seconds: int) -> None:
        """Keep ``items`` for at most ``ttl_seconds`` (at least 1). Raises InvalidInput for a shorter time."""
        ...

    async def delete_many(self, keys: Sequence[str]) -> bool:
        """Forget what is there under the keys; False when the store is down, and may come back with them."""
        ...


def checked_ttl(ttl_seconds: int) -> int:
    """``ttl_seconds``, if it is at least one second. Raises InvalidInput."""
    if ttl_seconds < 1:
        raise InvalidInput(f"A cached value is kept for at least 1 second, not {ttl_seconds}.", field="ttl_seconds")
    return ttl_seconds
