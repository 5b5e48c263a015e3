"""Wall clock and processor time of interleaved rounds."""

from __future__ import annotations

import statistics
import time
from collections.abc import Awaitable, Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path

_TICKS = 100.0  # USER_HZ of every Linux that Python runs on


@dataclass(slots=True)
class Side:
    """One side of a comparison: rates of its rounds. ``cpu`` holds units of work a second of processor time."""

    rates: list[float] = field(default_factory=list)
    cpu: list[float] = field(default_factory=list)

    @property
    def rate(self) -> float:
        """The median, a second of wall clock."""
        return statistics.median(self.rates)

    def cpu_ratio(self, other: Side) -> float | None:
        """Ours to theirs by processor time; None where it could not be read."""
        if not self.cpu or not other.cpu:
            return None
        return statistics.median(self.cpu) / statistics.median(other.cpu)


@dataclass(frozen=True, slots=True)
class Stopwatch:
    """Measures work on servers whose main processes are ``server`` and those ``beside`` it; children count too."""

    server: int | None = None
    beside: tuple[int, ...] = ()

    async def of(self, side: Side, units: int, work: Callable[[], Awaitable[object]]) -> None:
        """Do the work once and note its rate."""
        wall, cpu = time.perf_counter(), self._processor()
        await work()
        wall, spent = time.perf_counter() - wall, self._processor()
        side.rates.append(units / wall)
        if cpu is not None and spent is not None and spent > cpu:
            side.cpu.append(units / (spent - cpu))

    def _processor(self) -> float | None:
        if self.server is None or not Path("/proc/self/stat").exists():
            return None
        return time.process_time() + sum(seconds for one in (self.server, *self.beside) for seconds in _seconds(one))


async def in_turn(
    work: Mapping[str, Callable[[], Awaitable[object]]], units: int, rounds: int, watch: Stopwatch
) -> dict[str, Side]:
    """A side for each piece of work, after one run that does not count; who begins changes with the round."""
    sides = {name: Side() for name in work}
    for each in work.values():
        await each()
    for number in range(rounds):
        for name in sorted(work, reverse=bool(number % 2)):
            await watch.of(sides[name], units, work[name])
    return sides


def _seconds(server: int) -> Iterator[float]:
    """Processor seconds of the server and its children, those that ended included."""
    for stat in Path("/proc").glob("[0-9]*/stat"):
        try:
            fields = stat.read_text("ascii", "replace").rpartition(")")[2].split()
        except OSError:
            continue
        if int(stat.parent.name) == server:
            yield sum(map(int, fields[11:15])) / _TICKS
        elif int(fields[1]) == server:
            yield sum(map(int, fields[11:13])) / _TICKS


@contextmanager
def elapsed(into: list[float]) -> Iterator[None]:
    """Add the milliseconds that the block took."""
    started = time.perf_counter()
    try:
        yield
    finally:
        into.append((time.perf_counter() - started) * 1000)


def percentile(values: list[float], share: float) -> float:
    """The value below which a share of the values lies."""
    ordered = sorted(values)
    return ordered[min(len(ordered) - 1, int(share * len(ordered)))]
