"""Stop calling what keeps failing."""

from __future__ import annotations

from collections.abc import Callable

from domain.errors import Unavailable


class CircuitBreaker:
    """Open after ``failures`` in a row; after ``cool_down_seconds`` one trial call decides (Nygard 2007)."""

    def __init__(self, provider: str, failures: int, cool_down_seconds: float, now: Callable[[], float]) -> None:
        self._provider = provider
        self._failures = failures
        self._cool_down = cool_down_seconds
        self._now = now
        self._failed = 0
        self._opened_at: float | None = None
        self._trial_running = False

    def admit(self) -> None:
        """Raises ``Unavailable`` while open; lets one call through once the cool-down is over."""
        if self._opened_at is None:
            return
        left = self._opened_at + self._cool_down - self._now()
        if left > 0 or self._trial_running:
            raise Unavailable(
                f"{self._provider} failed {self._failed} times in a row and is left alone for now; "
                f"try again in {max(left, 1):.0f} s."
            )
        self._trial_running = True

    def succeeded(self) -> None:
        self._failed = 0
        self._opened_at = None
        self._trial_running = False

    def failed(self) -> None:
        self._failed += 1
        self._trial_running = False
        if self._failed >= self._failures:
            self._opened_at = self._now()

    def abandoned(self) -> None:
        """The call was cancelled: nothing was learnt."""
        self._trial_running = False
