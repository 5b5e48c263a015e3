"""Where the raw bytes of artifacts lie."""

from __future__ import annotations

import re
from collections.abc import AsyncIterator
from typing import Protocol

from domain.errors import InvalidInput, shown

MAX_KEY_LENGTH = 512
"""Characters in a key: S3 allows 1,024 bytes, and a file system needs room for its root."""

_SEGMENT = r"[A-Za-z0-9_-][A-Za-z0-9._-]*"
_KEY = re.compile(rf"{_SEGMENT}(?:/{_SEGMENT})*\Z")
_PREFIX = re.compile(rf"(?:{_SEGMENT}/)*(?:{_SEGMENT})?\Z")


class ObjectStore(Protocol):
    """Immutable-by-convention blobs under path-like keys (see ``checked_key``).

    Every method raises InvalidInput for a key that ``checked_key`` refuses, and Unavailable when the store does not
    answer or refuses access.
    """

    async def put(self, key: str, data: bytes) -> None:
        """Store ``data`` under ``key``, over what was there. Idempotent and atomic: a reader sees all or nothing.

        It is durable when this returns. Raises StorageFull when there is no room; then nothing is stored.
        """
        ...

    async def get(self, key: str) -> bytes:
        """The bytes under ``key``. Raises ArtifactMissing when there are none."""
        ...

    async def exists(self, key: str) -> bool:
        """Whether something is stored under ``key``."""
        ...

    async def delete(self, key: str) -> None:
        """Remove what is under ``key``. Idempotent: nothing there is not an error."""
        ...

    async def purge(self, key: str) -> bool:
        """Remove what is under ``key`` with every former version; False when the store keeps versions all the same."""
        ...

    def list(self, prefix: str) -> AsyncIterator[str]:
        """The keys that start with ``prefix`` ("" means all), in code point order. May be iterated while others write:
        keys added or removed meanwhile may or may not appear."""
        ...


def checked_key(key: str) -> str:
    """``key``, if every store can hold it: segments of ASCII letters, digits, ``.``, ``_`` and ``-`` joined by ``/``.

    No segment is empty or starts with a dot, so that no key leaves the store's root or meets its private files.
    Raises InvalidInput.
    """
    if len(key) > MAX_KEY_LENGTH or not _KEY.match(key):
        raise InvalidInput(
            f"{shown(key)} is not an object key. Use at most {MAX_KEY_LENGTH} characters: segments of letters, digits, "
            "'.', '_' and '-' joined by '/', none starting with a dot.",
            field="key",
        )
    return key


def checked_prefix(prefix: str) -> str:
    """``prefix``, if a key could start with it; "" is allowed. Raises InvalidInput."""
    if len(prefix) > MAX_KEY_LENGTH or not _PREFIX.match(prefix):
        raise InvalidInput(f"{shown(prefix)} is not the start of an object key.", field="prefix")
    return prefix
