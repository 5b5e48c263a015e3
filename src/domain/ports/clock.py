"""What time it is."""

from __future__ import annotations

from datetime import datetime
from typing import Protocol


class Clock(Protocol):
    """Gives the present moment, aware and in UTC."""

    def now(self) -> datetime:
        """The present moment."""
        ...
