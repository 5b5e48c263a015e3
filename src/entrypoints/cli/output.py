"""What a command shows: tables and sentences for people, JSON for programs."""

from __future__ import annotations

import sys
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

import click
import msgspec
from rich.console import Console, RenderableType
from rich.table import Table
from rich.text import Text

PIPED_WIDTH = 200
"""Columns where there is no terminal, so that a line stays a line."""


@dataclass(frozen=True, slots=True)
class Output:
    """``data`` is what ``--json`` prints; ``parts`` are what people see. ``exit_code`` is not 0 if some was refused."""

    data: object
    parts: tuple[RenderableType, ...]
    exit_code: int = 0


def sentence(data: object, *lines: str) -> Output:
    """Lines of text."""
    return Output(data, tuple(plain(line) for line in lines))


def listing(rows: Sequence[Mapping[str, Any]], columns: Mapping[str, str], *, empty: str, more: str = "") -> Output:
    """Rows under headings; ``columns`` maps keys of a row to headings. Keys without one are in the JSON only."""
    if not rows:
        return sentence([], empty)
    parts: tuple[RenderableType, ...] = (table(rows, columns),)
    return Output(rows, (*parts, plain(more)) if more else parts)


def table(rows: Sequence[Mapping[str, Any]], columns: Mapping[str, str]) -> Table:
    """A table without lines, whose ids never wrap."""
    shown = Table(box=None, pad_edge=False, header_style="bold", padding=(0, 2, 0, 0))
    for key, heading in columns.items():
        number = all(isinstance(row.get(key), int | float) for row in rows)
        shown.add_column(heading, justify="right" if number else "left", no_wrap=key.endswith("id"), overflow="fold")
    for row in rows:
        shown.add_row(*(plain(cell(row.get(key))) for key in columns))
    return shown


def cell(value: object) -> str:
    """A value as a table shows it."""
    if value is None:
        return ""
    if isinstance(value, bool):
        return "yes" if value else ""
    if isinstance(value, datetime):
        return value.astimezone().strftime("%Y-%m-%d %H:%M")
    if isinstance(value, float):
        return f"{value:.2f}"
    if isinstance(value, Mapping):
        return ", ".join(f"{name}: {part}" for name, part in value.items())
    return str(value)


def plain(text: str) -> Text:
    """The text with nothing in it that a terminal would obey."""
    return Text("".join(char if char.isprintable() or char == "\n" else " " for char in text))


def console(*, error: bool = False) -> Console:
    """A console that takes no text for markup."""
    stream = sys.stderr if error else sys.stdout
    width = None if stream.isatty() else PIPED_WIDTH
    return Console(file=stream, width=width, markup=False, highlight=False, emoji=False, soft_wrap=False)


def show(output: Output, *, as_json: bool) -> None:
    """Print it to standard output."""
    if as_json:
        click.echo(msgspec.json.format(msgspec.json.encode(output.data, enc_hook=_encoded), indent=2))
        return
    out = console()
    for part in output.parts:
        out.print(part)


def _encoded(value: object) -> object:
    if isinstance(value, Mapping):
        return dict(value)
    return str(value)
