"""The lines of a window: headings, fields, tables, action items, messages and prose, with their offsets."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from enum import StrEnum
from itertools import pairwise

from adapters.extraction.offline.code_lines import is_code, opens_in_code
from adapters.extraction.offline.lexicon import LEXICON

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

    ``cells`` are a table row's, ``header`` those of the table's first row. ``front`` marks front matter. ``stamp`` is
    the time of day that a line of a log opens with, ``in_utc`` says that it is one in UTC. A heading of level 0 is a
    line that only looks like one.
    """

    form: BlockForm
    span: Span
    body: Span
    key: Span | None = None
    level: int = 0
    cells: tuple[Span, ...] = ()
    header: tuple[Span, ...] = ()
    front: bool = False
    stamp: Span | None = None
    in_utc: bool = False


_HEADING = re.compile(r"(#{1,6})\s+(.+?)\s*#*\s*$")
_BULLET = re.compile(r"\s*(?:[-*+•]|\d{1,3}[.)])\s+(?:\[[ xX]\]\s+)?")
_LEAD = re.compile(r"\*\*[^*\n]{2,60}\*\*\s*[-–—→]+\s+(?=\S)")
_ACTION = re.compile(r"\**(TODO|Action(?: item)?|AI|Follow-up)\**\s*:\**\s+(?=\S)", re.IGNORECASE)
_FIELD = re.compile(
    r"\s*\**((?![a-z])[^\W\d_][\w’'.-]*(?: [\w’'().-]+){0,3}?)\**(?:\s\([^()\n]{1,60}\))?\s*[:：]\**"
    r"(?:\s+|$)(?=\S|$)"
)
_NEXT_FIELD = re.compile(r"[.;]\s+(?=(?![a-z])[^\W\d_][^\W_]*(?: [^\W_]+){0,3}:\s+\S)")
_FRONT_FIELD = re.compile(r"([A-Za-z][\w -]{0,40}):\s*(?=\S|$)")
_RULE = re.compile(r"\s*(?:[-=*_]{3,}|\|?\s*:?-+:?(?:\s*\|\s*:?-+:?)*\s*\|?)\s*$")
_LIST_ITEM = re.compile(r"\s*-\s+")
_STAMP = re.compile(
    r"\[?(?:\d{4}-\d{2}-\d{2}[T ]+)?\d{1,2}:\d{2}(?::\d{2})?(?:\s?(?:Z|UTC|GMT|[AaPp]\.?[Mm]\.?|[A-Z]{1,3}T))*\]?"
    r"(?![\w:.%])"
)
_AFTER_STAMP = re.compile(r"\s*(?:[-–—:|,]+\s*)?(?=[A-Z@`\[])")
_SHORT_LINE, _SHORT_WORDS = 60, 8
_SENTENCE_WORDS = 3


@dataclass(slots=True)
class _State:
    window: str
    prose: Span | None = None
    fenced: bool = False
    header: tuple[Span, ...] = ()
    keyed: bool = False
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
    lines = list(_lines(window))
    for number, (start, end) in enumerate(lines):
        line = window[start:end]
        if in_front:
            in_front = number == 0 or line.strip() != "---"
            if number:
                _front(state, line, start, end)
        elif line.lstrip().startswith(("```", "~~~")):
            state.flush()
            state.fenced = not state.fenced
        elif not state.fenced and ("|" in line or not is_code(line)):
            if _is_title(window, lines, number):
                _title(state, line, start)
            else:
                _line(state, line, start, end)
    state.flush()
    return state.blocks


def _is_title(window: str, lines: list[Span], number: int) -> bool:
    """A short line without an end, after an end and before a capital: a heading of a page that has lost its marks."""
    start, end = lines[number]
    line = window[start:end].strip()
    if not line or len(line) > _SHORT_LINE or len(line.split()) > _SHORT_WORDS or not line[0].isupper():
        return False
    if line[-1] in ".!?:;,|-" or ":" in line or "\t" in line:
        return False
    before = window[slice(*lines[number - 1])].strip() if number else ""
    after = window[slice(*lines[number + 1])].strip() if number + 1 < len(lines) else ""
    if before and before[-1] not in ".!?":
        return False
    if not after:
        return not before and line.casefold() in LEXICON.words["plain_headings"]
    return after[0].isupper() and len(line) * 3 < 2 * max(len(window[a:b]) for a, b in lines[number : number + 12])


def _title(state: _State, line: str, start: int) -> None:
    state.flush()
    left = len(line) - len(line.lstrip())
    span = (start + left, start + len(line.rstrip()))
    if line.strip().casefold() in LEXICON.words["plain_headings"]:
        state.blocks.append(Block(BlockForm.HEADING, span, span))
    else:
        state.blocks.append(Block(BlockForm.PROSE, span, span))


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
            state.header, state.keyed = (), False
        state.flush()
    elif heading := _HEADING.match(line):
        state.flush()
        body = (start + heading.start(2), start + heading.end(2))
        state.blocks.append(Block(BlockForm.HEADING, (start, end), body, level=len(heading[1])))
    elif line.lstrip().startswith("|"):
        state.flush()
        bars = [at for at, char in enumerate(line) if char == "|" and (at == 0 or line[at - 1] != "\\")]
        _row(state, tuple(_trimmed(line, a + 1, b, start) for a, b in pairwise(bars)), (start, end))
    elif "\t" in line.strip():
        state.flush()
        tabs = [-1, *(at for at, char in enumerate(line) if char == "\t"), len(line)]
        _row(state, tuple(_trimmed(line, a + 1, b, start) for a, b in pairwise(tabs)), (start, end))
    else:
        _text(state, line, start, end)


def _row(state: _State, cells: tuple[Span, ...], span: Span) -> None:
    words = [state.window[slice(*cell)].strip() for cell in cells]
    if not state.header:
        state.header = cells
        state.keyed = len(cells) == 2 and words[0].strip("*").casefold() in LEXICON.fields and bool(words[1])
        state.keyed &= words[1].strip("*").casefold() not in LEXICON.fields if state.keyed else False
        if not state.keyed:
            return
    if not cells:
        return
    if state.keyed:
        state.blocks.append(Block(BlockForm.FIELD, span, cells[1], cells[0]))
    elif len(cells) > 1 and _STAMP.fullmatch(words[0]) and len(max(words[1:], key=len).split()) >= _SENTENCE_WORDS:
        body = max(cells[1:], key=lambda cell: cell[1] - cell[0])
        in_utc = "UTC" in state.window[slice(*state.header[0])] or _is_utc(words[0])
        state.blocks.append(Block(BlockForm.PROSE, body, body, stamp=cells[0], in_utc=in_utc))
    else:
        state.blocks.append(Block(BlockForm.ROW, span, span, cells=cells, header=state.header))


def _is_utc(stamp: str) -> bool:
    return stamp.strip("[] ").endswith(("Z", "UTC", "GMT"))


def _trimmed(line: str, a: int, b: int, start: int) -> Span:
    text = line[a:b]
    left = a + len(text) - len(text.lstrip())
    return start + left, start + max(left, a + len(text.rstrip()))


def _text(state: _State, line: str, start: int, end: int) -> None:
    bullet = _BULLET.match(line) or (re.match(r">\s?", line))
    begin = bullet.end() if bullet else len(line) - len(line.lstrip())
    if lead := _LEAD.match(line, begin):
        begin = lead.end()
    rest = line[begin:]
    action, keyed, stamp = _ACTION.match(rest), _FIELD.match(rest), _STAMP.match(rest)
    if keyed and not keyed[1][0].isupper() and keyed[1][0].lower() != keyed[1][0].upper():
        keyed = None
    said = _AFTER_STAMP.match(rest, stamp.end()) if stamp else None
    if bullet or lead or action or keyed or said:
        state.flush()
    if action:
        key = (start + begin + action.start(1), start + begin + action.end(1))
        state.blocks.append(Block(BlockForm.ACTION, (start + begin, end), (start + begin + action.end(), end), key))
    elif stamp and said:
        at, body = start + begin, (start + begin + said.end(), end)
        when = (at, at + stamp.end())
        state.blocks.append(Block(BlockForm.PROSE, body, body, stamp=when, in_utc=_is_utc(stamp[0])))
    elif keyed and keyed.end() < len(rest):
        _keyed(state, rest, keyed, start + begin, end)
    else:
        state.prose = (state.prose[0], end) if state.prose else (start + begin, end)


def _keyed(state: _State, rest: str, keyed: re.Match[str], at: int, end: int) -> None:
    """A field, and the one after it where a line holds several ("Address: 5 Quay. Hours: 8 to 5.")."""
    key = (at + keyed.start(1), at + keyed.end(1))
    known = keyed[1].casefold() in LEXICON.fields
    following = _NEXT_FIELD.search(rest, keyed.end()) if known else None
    stop = at + following.start() if following else end
    state.blocks.append(Block(BlockForm.FIELD, (at, stop), (at + keyed.end(), stop), key))
    if following:
        _text(state, rest[following.end() :], at + following.end(), end)
