"""Answers that are kept, so that a repeated request gets the same one."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from typing import Protocol

from domain.identity.access import Access


@dataclass(frozen=True, slots=True)
class KeptAnswer:
    """What is known of a key. ``response`` is None while the first request is at work."""

    request_hash: bytes
    response: bytes | None
    created_at: datetime


class IdempotencyKeys(Protocol):
    """Keys of one principal in one scope. Every method raises Unavailable when the database does not answer."""

    async def take(self, access: Access, key: str, request_hash: bytes) -> KeptAnswer | None:
        """Reserve the key; None when it was free and is now the caller's, else what is known of it."""
        ...

    async def keep(self, access: Access, key: str, response: bytes) -> None:
        """Keep the answer of a key that the caller took."""
        ...

    async def release(self, access: Access, key: str) -> None:
        """Free a key that has no answer yet."""
        ...
