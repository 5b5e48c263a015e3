"""Lines of the speed table: what was done, how fast, beside what, and what was asked for."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict, dataclass

from rich.console import Console
from rich.table import Table


@dataclass(frozen=True, slots=True)
class Line:
    """One comparison inside one run. ``ours`` and ``theirs`` are medians in ``unit``; the ratio is ours to theirs.

    ``goal`` is the least ratio, or the greatest where ``lower_is_better``; None where a number is only reported.
    ``cpu_ratio`` is the same of processor time (client and server), which a busy machine disturbs less.
    """

    work: str
    ours: float
    unit: str
    peer: str = ""
    theirs: float | None = None
    goal: float | None = None
    lower_is_better: bool = False
    n: int = 0
    conditions: str = ""
    cpu_ratio: float | None = None

    @property
    def ratio(self) -> float | None:
        """Ours to theirs; None without a peer."""
        return self.ours / self.theirs if self.theirs else None

    @property
    def met(self) -> bool | None:
        """Whether the goal was reached; None where there is none."""
        if self.goal is None or self.ratio is None:
            return None
        return self.ratio <= self.goal if self.lower_is_better else self.ratio >= self.goal


def as_json(lines: Sequence[Line]) -> list[dict[str, object]]:
    """The lines as plain values, with their ratios."""
    return [{**asdict(line), "ratio": line.ratio, "met": line.met} for line in lines]


def print_table(lines: Sequence[Line]) -> None:
    """The lines for a reader; the conditions stand below."""
    table = Table("work", "ours", "peer", "ratio", "CPU ratio", "goal", "met", "n")
    for line in lines:
        sign = "≤" if line.lower_is_better else "≥"
        table.add_row(
            line.work,
            f"{number(line.ours)} {line.unit}",
            f"{line.peer}: {number(line.theirs)}" if line.theirs is not None else line.peer,
            number(line.ratio),
            number(line.cpu_ratio),
            f"{sign} {number(line.goal)}" if line.goal is not None else "",
            {True: "yes", False: "no", None: ""}[line.met],
            f"{line.n:,}" if line.n else "",
        )
    console = Console(width=160)
    console.print(table)
    for text in dict.fromkeys(line.conditions for line in lines if line.conditions):
        console.print(f"- {text}", highlight=False)


def number(value: float | None) -> str:
    """Three digits that mean something."""
    if value is None:
        return ""
    return f"{value:,.0f}" if abs(value) >= 100 else f"{value:.3g}"
