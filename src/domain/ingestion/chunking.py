"""Chunks: what is shown, searched and embedded of a text."""

from __future__ import annotations

from collections.abc import Iterator

from domain.ingestion.spans import (
    Span,
    checked_sizes,
    line_cut,
    paragraphs,
    sentence_cut,
    trimmed,
    word_cut,
    word_start,
)

CHUNK_SIZE = 500
CHUNK_OVERLAP = 50


def chunks(text: str, size: int = CHUNK_SIZE, overlap: int = CHUNK_OVERLAP) -> tuple[Span, ...]:
    """Whole paragraphs up to ``size`` characters a chunk; a longer one is split at sentences, else lines, else words.

    Every character that is not white space lies in a chunk; no chunk begins or ends with white space. A chunk begins
    with up to ``overlap`` characters of the one before, from a word's start on, as far as it stays within ``size``.
    Raises InvalidInput for sizes that cannot work.
    """
    checked_sizes(size, overlap)
    made: list[Span] = []
    for piece in _pieces(text, size, overlap):
        if made and piece.end - made[-1].start <= size:
            made[-1] = Span(made[-1].start, piece.end)
        else:
            made.append(Span(_start(text, made[-1], piece, size, overlap) if made else piece.start, piece.end))
    return tuple(made)


def _pieces(text: str, size: int, overlap: int) -> Iterator[Span]:
    """Paragraphs, and the parts of those over ``size``; a part leaves room for the overlap."""
    for paragraph in paragraphs(text):
        if paragraph.end - paragraph.start <= size:
            yield paragraph
        else:
            yield from _parts(text, paragraph, size - overlap)


def _parts(text: str, paragraph: Span, limit: int) -> Iterator[Span]:
    start = paragraph.start
    while paragraph.end - start > limit:
        high = start + limit
        cut = sentence_cut(text, start, high) or line_cut(text, start, high) or word_cut(text, start, high)
        if (part := trimmed(text, start, cut)) is not None:
            yield part
        rest = trimmed(text, cut, paragraph.end)
        if rest is None:
            return
        start = rest.start
    yield Span(start, paragraph.end)


def _start(text: str, before: Span, piece: Span, size: int, overlap: int) -> int:
    """Where a chunk that holds ``piece`` begins: within the end of ``before``, or at the piece itself."""
    low = max(before.end - overlap, piece.end - size, before.start + 1)
    if overlap == 0 or low >= before.end:
        return piece.start
    start = word_start(text, low, before.end)
    return start if start < before.end else piece.start
