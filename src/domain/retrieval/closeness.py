"""Whether what a search found has anything to do with the question."""

from __future__ import annotations

from collections.abc import Iterable

from domain.retrieval.phrases import stem, words_of
from domain.retrieval.question_words import FUNCTION_WORDS


def content_words(text: str) -> frozenset[str]:
    """The stems of a text without words that are no match by themselves."""
    return frozenset(stem(word) for word in words_of(text) if word not in FUNCTION_WORDS)


def is_close(query: str, texts: Iterable[str], nearest: float | None, floor: float | None) -> bool:
    """Whether a text shares a content word with the query, or the nearest vector is no farther than the floor.

    ``nearest`` is the best cosine, None without vectors. Without a floor every vector counts as near.
    """
    if nearest is not None and (floor is None or nearest >= floor):
        return True
    asked = content_words(query)
    return any(not asked.isdisjoint(content_words(text)) for text in texts)
