"""Stretches of a text, and the places where it may be cut. Offsets are Unicode code points."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator
from dataclasses import dataclass

from domain.errors import InvalidInput

_PARAGRAPH_GAP = re.compile(r"\n[^\S\n]*\n\s*")
_SENTENCE_END = re.compile(r"[.!?…؟۔।]+[\"'”’»)\]]*(?=\s)|[。！？]+[”’」』）]*")
_LINE_END = re.compile(r"\n")
_SPACE = re.compile(r"\s")
_OPENING_LINE = re.compile(
    r"(?:[.!?:。！？][\"'”’»)\]*_`]*[^\S\n]*|\n[^\S\n]*)\n(?=\S)|\n(?=[ \t]*(?:[-*+•|#>]|\d{1,3}[.)])[ \t]*\S)"
)
_WORD_START = re.compile(r"(?<=\s)\S")


@dataclass(frozen=True, slots=True)
class Span:
    """``[start, end)`` of a text; never empty."""

    start: int
    end: int

    def __post_init__(self) -> None:
        if not 0 <= self.start < self.end:
            raise InvalidInput(f"A span starts at 0 or later and ends after that; got [{self.start}, {self.end}).")

    def of(self, text: str) -> str:
        """The stretch itself."""
        return text[self.start : self.end]


def checked_sizes(size: int, overlap: int) -> None:
    """Refuse settings under which a cut could make no progress. Raises InvalidInput."""
    if size < 1:
        raise InvalidInput(f"The size must be at least 1 character; got {size}.", field="size")
    if not 0 <= overlap <= size // 4:
        raise InvalidInput(
            f"The overlap must be between 0 and a quarter of the size ({size // 4}); got {overlap}.", field="overlap"
        )


def trimmed(text: str, start: int, end: int) -> Span | None:
    """The span without the white space at its ends; None when nothing is left."""
    while start < end and text[start].isspace():
        start += 1
    while end > start and text[end - 1].isspace():
        end -= 1
    return Span(start, end) if start < end else None


def paragraphs(text: str) -> Iterator[Span]:
    """The stretches between blank lines, in order, trimmed."""
    start = 0
    for gap in _PARAGRAPH_GAP.finditer(text):
        if (span := trimmed(text, start, gap.start())) is not None:
            yield span
        start = gap.end()
    if (span := trimmed(text, start, len(text))) is not None:
        yield span


def paragraph_cut(text: str, low: int, high: int) -> int | None:
    """The last paragraph end in ``(low, high]``."""
    return _last_end(_PARAGRAPH_GAP, text, low, high, start=True)


def sentence_cut(text: str, low: int, high: int) -> int | None:
    """The last sentence end in ``(low, high]``."""
    return _last_end(_SENTENCE_END, text, low, high)


def line_cut(text: str, low: int, high: int) -> int | None:
    """The last line end in ``(low, high]``."""
    return _last_end(_LINE_END, text, low, high, start=True)


def word_cut(text: str, low: int, high: int) -> int:
    """The last place in ``(low, high]`` before a space; where there is none, ``high`` or just before it, so that a
    letter keeps its combining marks."""
    spaced = _last_end(_SPACE, text, low, high, start=True)
    if spaced is not None:
        return spaced
    cut = high
    while cut > low + 1 and cut < len(text) and unicodedata.combining(text[cut]):
        cut -= 1
    return cut if cut > low + 1 else high


def word_start(text: str, low: int, high: int) -> int:
    """The first place in ``[low, high)`` where a word begins; ``low`` in a text without spaces."""
    found = _WORD_START.search(text, max(low, 0), high)
    if found is not None:
        return found.start()
    while low < high and unicodedata.combining(text[low]):
        low += 1
    return low


def line_start(text: str, low: int, high: int) -> int | None:
    """The first place in ``[low, high)`` where a line opens something new: after an end, or by its mark."""
    found = _OPENING_LINE.search(text, low, high)
    return found.end() if found is not None else None


def sentence_start(text: str, low: int, high: int) -> int | None:
    """The first place in ``[low, high)`` after a sentence's end, else after a line's."""
    found = _SENTENCE_END.search(text, low, high) or _LINE_END.search(text, low, high)
    if found is None:
        return None
    span = trimmed(text, found.end(), high)
    return span.start if span else None


def _last_end(pattern: re.Pattern[str], text: str, low: int, high: int, *, start: bool = False) -> int | None:
    """Where the last match begins or ends in ``(low, high]``. The search may look past ``high``, the cut may not."""
    best: int | None = None
    for found in pattern.finditer(text, max(low, 0), min(high + 2, len(text))):
        place = found.start() if start else found.end()
        if low < place <= high:
            best = place
    return best
