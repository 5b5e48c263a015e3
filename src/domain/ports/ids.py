"""Where new ids come from."""

from __future__ import annotations

from typing import Protocol
from uuid import UUID


class Ids(Protocol):
    """Gives UUIDv7s: unique, and growing with time within a process."""

    def new(self) -> UUID:
        """The next id."""
        ...
