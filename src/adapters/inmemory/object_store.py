"""An object store in a dict, for tests and trials."""

from __future__ import annotations

from collections.abc import AsyncIterator

from domain.errors import ArtifactMissing, shown
from domain.ports.object_store import checked_key, checked_prefix


class InMemoryObjectStore:
    """Holds everything in process memory; nothing outlives the process."""

    def __init__(self) -> None:
        self._objects: dict[str, bytes] = {}

    async def put(self, key: str, data: bytes) -> None:
        """Store a copy of ``data`` under ``key``."""
        self._objects[checked_key(key)] = bytes(data)

    async def get(self, key: str) -> bytes:
        """The bytes under ``key``; raises ArtifactMissing."""
        try:
            return self._objects[checked_key(key)]
        except KeyError:
            raise ArtifactMissing(f"The object store holds nothing under {shown(key)}.") from None

    async def exists(self, key: str) -> bool:
        """Whether ``key`` is stored."""
        return checked_key(key) in self._objects

    async def delete(self, key: str) -> None:
        """Forget ``key``, if it is there."""
        self._objects.pop(checked_key(key), None)

    async def purge(self, key: str) -> bool:
        """Forget ``key``; there are no former versions."""
        await self.delete(key)
        return True

    async def list(self, prefix: str) -> AsyncIterator[str]:
        """The keys under ``prefix`` at the time of the first step, sorted."""
        start = checked_prefix(prefix)
        for key in sorted(key for key in self._objects if key.startswith(start)):
            yield key
