"""Windows: what an extractor reads at once."""

from __future__ import annotations

from domain.ingestion.spans import (
    Span,
    checked_sizes,
    line_cut,
    paragraph_cut,
    sentence_cut,
    sentence_start,
    trimmed,
    word_cut,
    word_start,
)

WINDOW_SIZE = 2000
WINDOW_OVERLAP = 100


def windows(text: str, size: int = WINDOW_SIZE, overlap: int = WINDOW_OVERLAP) -> tuple[Span, ...]:
    """Stretches of at most ``size`` characters that end with a paragraph, else a sentence, a line or a word.

    Every character that is not white space lies in a window. A window begins up to ``overlap`` characters before the
    end of the one before, at a sentence's start where there is one, else at a word's. Raises InvalidInput for sizes
    that cannot work.
    """
    checked_sizes(size, overlap)
    made: list[Span] = []
    rest = trimmed(text, 0, len(text))
    while rest is not None:
        if rest.end - rest.start <= size:
            made.append(rest)
            break
        cut = _cut(text, rest.start, rest.start + size)
        window = trimmed(text, rest.start, cut)
        if window is not None:
            made.append(window)
        rest = trimmed(text, _next_start(text, rest.start, cut, overlap), rest.end)
    return tuple(made)


def _cut(text: str, start: int, high: int) -> int:
    """The best bound in the window's second half, else any word's end in it."""
    middle = start + (high - start) // 2
    return (
        paragraph_cut(text, middle, high)
        or sentence_cut(text, middle, high)
        or line_cut(text, middle, high)
        or word_cut(text, start, high)
    )


def _next_start(text: str, start: int, cut: int, overlap: int) -> int:
    low = max(cut - overlap, start + 1)
    if overlap == 0 or low >= cut:
        return cut
    sentence = sentence_start(text, low, cut)
    return sentence if sentence is not None else word_start(text, low, cut)
