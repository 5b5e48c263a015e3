"""Read points as they are shown."""

from __future__ import annotations

from datetime import datetime

import msgspec

from domain.retrieval.look_ahead import Pin


class ReadPointView(msgspec.Struct):
    """A token, the two times that it pins, and when it ends."""

    token: str
    as_of: datetime
    known_at: int
    expires_at: datetime

    @classmethod
    def of(cls, token: str, pin: Pin) -> ReadPointView:
        """As it is shown."""
        return cls(token, pin.as_of, pin.known_at, pin.expires_at)
