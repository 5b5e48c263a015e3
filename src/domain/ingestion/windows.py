"""Windows: what an extractor reads at once."""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Sequence

from domain.ingestion.spans import (
    Span,
    checked_sizes,
    line_cut,
    line_start,
    paragraph_cut,
    sentence_cut,
    sentence_start,
    trimmed,
    word_cut,
    word_start,
)

WINDOW_SIZE = 2000
WINDOW_OVERLAP = 100

_FENCED = re.compile(r"^[ \t]*(```|~~~)[^\n]*\n.*?^[ \t]*\1[ \t]*$", re.MULTILINE | re.DOTALL)
_ROW = re.compile(r"^[ ]*\|[^\n]+$|^[^\n\t]*\t[^\n]*$", re.MULTILINE)


def windows(text: str, size: int = WINDOW_SIZE, overlap: int = WINDOW_OVERLAP) -> tuple[Span, ...]:
    """Stretches of at most ``size`` characters that end with a paragraph, else a sentence, a line or a word.

    Every character that is not white space lies in a window. A window begins up to ``overlap`` characters before the
    end of the one before: where a line opens something new, else at a sentence's start, a line's or a word's. A fenced
    block of code and a row of a table stay whole where they fit. Raises InvalidInput for sizes that cannot work.
    """
    checked_sizes(size, overlap)
    whole = _whole(text)
    made: list[Span] = []
    rest = trimmed(text, 0, len(text))
    while rest is not None:
        if rest.end - rest.start <= size:
            made.append(rest)
            break
        cut = _cut(text, rest.start, rest.start + size)
        around = _around(whole, cut)
        cut = around.start if around is not None and around.start > rest.start else cut
        window = trimmed(text, rest.start, cut)
        if window is not None:
            made.append(window)
        rest = trimmed(text, _next_start(text, rest.start, cut, overlap, whole), rest.end)
    return tuple(made)


def _whole(text: str) -> Sequence[Span]:
    """What should not be cut, in order: fenced blocks, and rows of tables outside of them."""
    fences = [Span(match.start(), match.end()) for match in _FENCED.finditer(text)]
    rows = [Span(match.start(), match.end()) for match in _ROW.finditer(text)]
    return sorted([*fences, *(row for row in rows if _around(fences, row.start + 1) is None)], key=lambda s: s.start)


def _around(whole: Sequence[Span], place: int) -> Span | None:
    """The stretch that has the place inside."""
    at = bisect_left(whole, place, key=lambda span: span.start) - 1
    return whole[at] if at >= 0 and place < whole[at].end else None


def _cut(text: str, start: int, high: int) -> int:
    """The best bound in the window's second half, else any word's end in it."""
    middle = start + (high - start) // 2
    return (
        paragraph_cut(text, middle, high)
        or sentence_cut(text, middle, high)
        or line_cut(text, middle, high)
        or word_cut(text, start, high)
    )


def _next_start(text: str, start: int, cut: int, overlap: int, whole: Sequence[Span]) -> int:
    low = max(cut - overlap, start + 1)
    if overlap == 0 or low >= cut:
        return cut
    around = _around(whole, low)
    if around is not None:
        low = min(around.end, cut)
    for begins in (line_start, sentence_start):
        place = begins(text, low, cut)
        if place is not None and _around(whole, place) is None:
            return place
    ends_line = text[cut : cut + 1] in ("\n", "") or text[cut - 1] == "\n"
    return cut if ends_line or around is not None or _around(whole, cut) is not None else word_start(text, low, cut)
