"""The machine's clock."""

from __future__ import annotations

from datetime import UTC, datetime


class SystemClock:
    """Implements ``Clock``."""

    def now(self) -> datetime:
        return datetime.now(UTC)
