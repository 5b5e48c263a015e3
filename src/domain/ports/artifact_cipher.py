"""Sealing the raw bytes of artifacts."""

from __future__ import annotations

from typing import Protocol


class ArtifactCipher(Protocol):
    """Authenticated encryption. Pure CPU work; call it outside the event loop for large data."""

    def seal(self, key: bytes, data: bytes, context: bytes) -> bytes:
        """``data`` encrypted under ``key`` (32 bytes) and bound to ``context``. Two calls never give the same bytes.

        Raises LimitExceeded when ``data`` is too large for one message.
        """
        ...

    def open(self, key: bytes, sealed: bytes, context: bytes) -> bytes:
        """What was sealed. Raises ArtifactAltered on another key or context, or when one bit of it changed."""
        ...
