"""When a fact holds without a gap: segments that follow each other are one stretch to a reader."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime

Bounds = tuple[datetime | None, datetime | None]
"""Half-open; None is unbounded."""


def stretch_at(segments: Sequence[Bounds], at: datetime) -> Bounds | None:
    """The whole stretch around a moment; without one there, the last that began before it, else the first.

    ``segments`` do not overlap and come in order. None when there are none.
    """
    chosen: Bounds | None = None
    for start, end in _joined(segments):
        if chosen is None or start is None or start <= at:
            chosen = (start, end)
    return chosen


def _joined(segments: Sequence[Bounds]) -> list[Bounds]:
    whole: list[Bounds] = []
    for start, end in segments:
        if whole and start is not None and whole[-1][1] == start:
            whole[-1] = (whole[-1][0], end)
        else:
            whole.append((start, end))
    return whole
