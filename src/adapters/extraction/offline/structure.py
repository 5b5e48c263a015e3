"""The lines of a window: headings, fields, tables, action items, messages and prose, with their offsets."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from enum import StrEnum
from itertools import pairwise

from adapters.extraction.offline.code_lines import is_code, opens_in_code

Span = tuple[int, int]


class BlockForm(StrEnum):
    """What a block of lines is."""

    HEADING = "heading"
    FIELD = "field"
    ROW = "row"
    ACTION = "action"
    PROSE = "prose"


@dataclass(frozen=True, slots=True)
class Block:
    """``body`` is what it says. ``key`` is a field's name, a message's speaker or an action's marker.

    ``cells`` are a table row's, ``header`` those of the table's first row. ``front`` marks front matter.
    """

    form: BlockForm
    span: Span
    body: Span
    key: Span | None = None
    level: int = 0
    cells: tuple[Span, ...] = ()
    header: tuple[Span, ...] = ()
    front: bool = False


_HEADING = re.compile(r"(#{1,6})\s+(.+?)\s*#*\s*$")
_BULLET = re.compile(r"\s*(?:[-*+•]|\d{1,3}[.)])\s+(?:\[[ xX]\]\s+)?")
_ACTION = re.compile(r"\**(TODO|Action(?: item)?|AI|Follow-up)\**\s*:\**\s+(?=\S)", re.IGNORECASE)
_FIELD = re.compile(r"\s*\**([A-Z][\w’'.-]*(?: [\w’'().-]+){0,3}?)\**\s*:\**(?:\s+|$)(?=\S|$)")
_FRONT_FIELD = re.compile(r"([A-Za-z][\w -]{0,40}):\s*(?=\S|$)")
_RULE = re.compile(r"\s*(?:[-=*_]{3,}|\|?\s*:?-+:?(?:\s*\|\s*:?-+:?)*\s*\|?)\s*$")
_LIST_ITEM = re.compile(r"\s*-\s+")


@dataclass(slots=True)
class _State:
    window: str
    prose: Span | None = None
    fenced: bool = False
    header: tuple[Span, ...] = ()
    front_key: Span | None = None
    blocks: list[Block] = field(default_factory=list)

    def flush(self) -> None:
        """End the running paragraph."""
        if self.prose is not None:
            self.blocks.append(Block(BlockForm.PROSE, self.prose, self.prose))
        self.prose = None


def blocks_of(window: str, at_start: bool) -> list[Block]:
    """The blocks in order. ``at_start`` says that the window opens its document, where front matter can stand."""
    state = _State(window)
    state.fenced = not at_start and opens_in_code(window)
    in_front = at_start and window.startswith("---\n") and "\n---" in window[4:]
    for number, (start, end) in enumerate(_lines(window)):
        line = window[start:end]
        if in_front:
            in_front = number == 0 or line.strip() != "---"
            if number:
                _front(state, line, start, end)
        elif line.lstrip().startswith(("```", "~~~")):
            state.flush()
            state.fenced = not state.fenced
        elif not state.fenced and ("|" in line or not is_code(line)):
            _line(state, line, start, end)
    state.flush()
    return state.blocks


def _lines(window: str) -> Iterator[Span]:
    start = 0
    for line in window.splitlines(keepends=True):
        yield start, start + len(line.rstrip("\r\n"))
        start += len(line)


def _front(state: _State, line: str, start: int, end: int) -> None:
    if match := _FRONT_FIELD.match(line):
        key = (start + match.start(1), start + match.end(1))
        state.front_key = key
        if match.end() < len(line):
            state.blocks.append(Block(BlockForm.FIELD, (start, end), (start + match.end(), end), key, front=True))
    elif (item := _LIST_ITEM.match(line)) and state.front_key is not None:
        body = (start + item.end(), end)
        state.blocks.append(Block(BlockForm.FIELD, body, body, state.front_key, front=True))


def _line(state: _State, line: str, start: int, end: int) -> None:
    if not line.strip() or _RULE.match(line):
        if "|" not in line:
            state.header = ()
        state.flush()
    elif heading := _HEADING.match(line):
        state.flush()
        body = (start + heading.start(2), start + heading.end(2))
        state.blocks.append(Block(BlockForm.HEADING, (start, end), body, level=len(heading[1])))
    elif line.lstrip().startswith("|"):
        state.flush()
        _row(state, line, start, end)
    else:
        _text(state, line, start, end)


def _row(state: _State, line: str, start: int, end: int) -> None:
    bars = [at for at, char in enumerate(line) if char == "|" and (at == 0 or line[at - 1] != "\\")]
    cells = tuple(_trimmed(line, a + 1, b, start) for a, b in pairwise(bars))
    if not state.header:
        state.header = cells
    elif cells:
        state.blocks.append(Block(BlockForm.ROW, (start, end), (start, end), cells=cells, header=state.header))


def _trimmed(line: str, a: int, b: int, start: int) -> Span:
    text = line[a:b]
    left = a + len(text) - len(text.lstrip())
    return start + left, start + max(left, a + len(text.rstrip()))


def _text(state: _State, line: str, start: int, end: int) -> None:
    bullet = _BULLET.match(line) or (re.match(r">\s?", line))
    begin = bullet.end() if bullet else len(line) - len(line.lstrip())
    rest = line[begin:]
    action, keyed = _ACTION.match(rest), _FIELD.match(rest)
    if bullet or action or keyed:
        state.flush()
    if action:
        key = (start + begin + action.start(1), start + begin + action.end(1))
        state.blocks.append(Block(BlockForm.ACTION, (start + begin, end), (start + begin + action.end(), end), key))
    elif keyed and keyed.end() < len(rest):
        key = (start + begin + keyed.start(1), start + begin + keyed.end(1))
        state.blocks.append(Block(BlockForm.FIELD, (start + begin, end), (start + begin + keyed.end(), end), key))
    else:
        state.prose = (state.prose[0], end) if state.prose else (start + begin, end)
