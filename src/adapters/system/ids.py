"""UUIDv7 (RFC 9562, section 5.7) with a counter in the random part, so that ids of one process grow."""

from __future__ import annotations

import os
import threading
import time
from uuid import UUID

_VERSION_AND_VARIANT = (0x7 << 76) | (0x2 << 62)
_TAIL_BITS = 32


class TimeOrderedIds:
    """Implements ``Ids``. Safe between threads."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._last = 0
        self._counter = 0

    def new(self) -> UUID:
        with self._lock:
            now = time.time_ns() // 1_000_000
            if now > self._last:
                self._last = now
                self._counter = int.from_bytes(os.urandom(5), "big")
            else:
                self._counter += 1
            moment, counter = self._last, self._counter
        tail = int.from_bytes(os.urandom(4), "big")
        upper, lower = counter >> 30, counter & ((1 << 30) - 1)
        return UUID(int=moment << 80 | _VERSION_AND_VARIANT | upper << 64 | lower << _TAIL_BITS | tail)
