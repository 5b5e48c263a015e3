"""The sentences of a window, as spans short enough to be an excerpt."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

from domain.knowledge.assertion import MAX_EXCERPT

_BREAK = re.compile(
    r"(?<=[.!?…])[\"'”’)\]]*\s+(?=[\"'“‘(\[]*[\w#*`])"  # a full stop and a new beginning
    r"|(?<=[。！？])\s*"
    r"|\s*\n\s*\n\s*"  # a paragraph
    r"|\s*\n\s*(?=[-*•>|#]|\d{1,3}[.)]\s|[\w .'-]{1,40}:\s)"  # a list item, a table row, a heading, a speaker
    r"|(?<=\|)\s*\n\s*"
)
_NO_END = re.compile(
    r"(?:^|[\s(])(?:[A-Z]|Mr|Mrs|Ms|Dr|Prof|St|Jr|Sr|Inc|Ltd|Corp|Co|No|Nr|Fig|vs|etc|approx|ca|e\.g|i\.e|TP|ThS|TS)\.$"
)
_LEAST = 3


@dataclass(frozen=True, slots=True)
class Sentence:
    """``window[start:end]``; ``shown`` is the same on one line."""

    shown: str
    start: int
    end: int


def sentences_of(window: str) -> list[Sentence]:
    """In order, none longer than an excerpt may be; what is equal on one line is listed once."""
    listed: dict[str, Sentence] = {}
    for start, end in _pieces(window):
        shown = " ".join(window[start:end].split())
        if len(shown) >= _LEAST:
            listed.setdefault(shown, Sentence(shown, start, end))
    return list(listed.values())


def _pieces(window: str) -> Iterator[tuple[int, int]]:
    start = 0
    for gap in _BREAK.finditer(window):
        is_paragraph = window.count("\n", gap.start(), gap.end()) > 0
        if gap.start() <= start or (not is_paragraph and _NO_END.search(window, start, gap.start())):
            continue
        yield from _short_enough(window, start, gap.start())
        start = gap.end()
    yield from _short_enough(window, start, len(window))


def _short_enough(window: str, start: int, end: int) -> Iterator[tuple[int, int]]:
    """The span without surrounding space, cut after a mark or between words where it is too long."""
    while end > start and window[end - 1].isspace():
        end -= 1
    while start < end and window[start].isspace():
        start += 1
    while end - start > MAX_EXCERPT:
        cut = _cut(window, start, start + MAX_EXCERPT)
        yield start, cut
        start = cut
        while start < end and window[start].isspace():
            start += 1
    if start < end:
        yield start, end


def _cut(window: str, start: int, limit: int) -> int:
    for marks in (";:", ",", " \n\t"):
        found = max(window.rfind(mark, start + MAX_EXCERPT // 2, limit) for mark in marks)
        if found > start:
            return found if marks[0] == " " else found + 1
    return limit
