"""What readers thought of a hit."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Protocol

from domain.identity.ids import FactId, Revision


class Feedback(Protocol):
    """Votes on facts, one a principal and fact; a later one replaces it. Off the chain."""

    async def give(
        self, fact_id: FactId, helpful: bool, query: str | None, signals: Mapping[str, object]
    ) -> Revision | None:
        """Keep a vote in the fact's scope with the signals of the hit; the revision it saw, None for no such fact."""
        ...
