"""What a correction is given as, on every entry point."""

from __future__ import annotations

from datetime import datetime

from domain.ingestion.typed_triples import stated_bound
from domain.knowledge.time import OPEN_BOUND, TimeBound

OPEN = "open"


def corrected_bound(stated: str | None, field: str) -> TimeBound | None:
    """A date, or "open" for no end on this side; None stays None. Raises InvalidInput."""
    if stated is None:
        return None
    return OPEN_BOUND if stated.strip().lower() == OPEN else stated_bound(stated, field)


def boundary_of(stated: str | None) -> datetime | None:
    """The moment at which a date begins; None stays None. Raises InvalidInput."""
    return None if stated is None else stated_bound(stated, "boundary").value
