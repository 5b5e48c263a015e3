"""Rate limits in process memory, bounded by the number of counts."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable, Sequence

from domain.ports.rate_limiter import Charge, Verdict, require_apart
from domain.quotas.window import MICROS, SLICES, slice_width, used, wait

_Counts = dict[int, int]


class InMemoryRateLimiter:
    """Implements ``LocalRateLimiter``; forgets the counts that were used least recently when over ``capacity``.

    ``now`` gives microseconds.
    """

    def __init__(self, now: Callable[[], int], capacity: int = 100_000) -> None:
        self._now = now
        self._capacity = capacity
        self._counts: OrderedDict[str, _Counts] = OrderedDict()

    async def take(self, family: str, charges: Sequence[Charge]) -> Verdict:
        """Nothing else runs while it counts, so it is atomic."""
        require_apart(charges)
        now = self._now()
        windows = [self._window(family, charge) for charge in charges]
        left: list[int] = []
        longest, refused = 0, None
        for charge, counts in zip(charges, windows, strict=True):
            width = slice_width(charge.seconds)
            _forget_old(counts, now // width)
            left.append(charge.most - used(counts, now, width))
            waits = wait(counts, charge.cost, charge.most, now, width) if charge.cost > left[-1] else 0
            if waits > longest:
                longest, refused = waits, charge
        if refused is not None:
            return Verdict(tuple(max(0, each) for each in left), now, refused, longest / MICROS)
        for charge, counts in zip(charges, windows, strict=True):
            number = now // slice_width(charge.seconds)
            counts[number] = counts.get(number, 0) + charge.cost
        return Verdict(tuple(each - charge.cost for each, charge in zip(left, charges, strict=True)), now)

    def give_back(self, family: str, charges: Sequence[Charge], taken: Verdict) -> None:
        """Undo an admission; what was forgotten since stays so."""
        for charge in charges:
            counts, number = self._window(family, charge), taken.at // slice_width(charge.seconds)
            if number in counts:
                counts[number] = max(0, counts[number] - charge.cost)

    def _window(self, family: str, charge: Charge) -> _Counts:
        key = f"{family}:{charge.key}"
        counts = self._counts.get(key)
        if counts is None:
            counts = self._counts[key] = {}
            if len(self._counts) > self._capacity:
                self._counts.popitem(last=False)
        else:
            self._counts.move_to_end(key)
        return counts


def _forget_old(counts: _Counts, present: int) -> None:
    for number in [each for each in counts if each < present - SLICES]:
        del counts[number]
