"""A sliding window in slices: how much of it is used, and when there is room again.

Time is cut into slices of a tenth of the window. What a window holds is counted as the present slice and the ten before
it: that covers the window, and at most a tenth of it more. So a limit is never passed in any stretch of time as long as
the window, and what was used is free again after a window and a tenth at the latest.
"""

from __future__ import annotations

from collections.abc import Mapping

SLICES = 10
MICROS = 1_000_000


def slice_width(seconds: int) -> int:
    """The width of a slice of a window of ``seconds``, in microseconds."""
    return seconds * MICROS // SLICES


def used(counts: Mapping[int, int], now: int, width: int) -> int:
    """What the window that ends at ``now`` (in microseconds) holds; slices after it count too: clocks go back."""
    first = now // width - SLICES
    return sum(count for number, count in counts.items() if number >= first)


def wait(counts: Mapping[int, int], cost: int, most: int, now: int, width: int) -> int:
    """Microseconds until ``cost`` more fits under ``most``, if nothing else comes; 0 when it fits now."""
    over = used(counts, now, width) + cost - most
    present = now // width
    for number in range(present - SLICES, present + 1):
        if over <= 0:
            break
        over -= counts.get(number, 0)
        if over <= 0:
            return (number + SLICES + 1) * width - now
    return 0 if over <= 0 else (SLICES + 1) * width
