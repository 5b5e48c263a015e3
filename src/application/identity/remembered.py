"""Answers about who may do what, remembered for a moment and forgotten when a change is told."""

from __future__ import annotations

import time
from collections.abc import Callable, Hashable
from typing import Generic, TypeVar

from domain.identity.ids import OrganizationId

REMEMBER_SECONDS = 3.0
"""How long at most: also the longest that a change can go unseen while nobody tells of changes."""

Key = TypeVar("Key", bound=Hashable)
Value = TypeVar("Value")


class Remembered(Generic[Key, Value]):
    """At most ``capacity`` answers, each for ``seconds``.

    A look-up takes the ``turn`` before it asks and hands it back with the answer: an answer that was on its way when a
    change was told is given once, and not remembered.
    """

    def __init__(self, seconds: float, capacity: int = 10_000, now: Callable[[], float] = time.monotonic) -> None:
        self._seconds = seconds
        self._capacity = capacity
        self._now = now
        self._known: dict[Key, tuple[float, OrganizationId, Value]] = {}
        self.turn = 0

    def get(self, key: Key) -> Value | None:
        """The answer, while it holds."""
        found = self._known.get(key)
        if found is None:
            return None
        if found[0] <= self._now():
            del self._known[key]
            return None
        return found[2]

    def keep(
        self, key: Key, value: Value, organization_id: OrganizationId, turn: int, seconds: float | None = None
    ) -> None:
        """Remember an answer; for less time where it ends sooner, in ``seconds``."""
        if turn != self.turn:
            return
        if len(self._known) >= self._capacity:
            self._known.clear()
        most = self._seconds if seconds is None else min(seconds, self._seconds)
        self._known[key] = (self._now() + most, organization_id, value)

    def forget(self, organization_id: OrganizationId | None) -> None:
        """Forget what concerns the organization; None is everything."""
        self.turn += 1
        if organization_id is None:
            self._known.clear()
            return
        for key in [key for key, (_, whose, _) in self._known.items() if whose == organization_id]:
            del self._known[key]
