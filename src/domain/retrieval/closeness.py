"""Whether what a search found has anything to do with the question."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from enum import StrEnum

from domain.retrieval.phrases import stem, words_of
from domain.retrieval.question_words import FUNCTION_WORDS


class Match(StrEnum):
    """How close the closest of what was found is."""

    CLOSE = "close"
    WEAK = "weak"
    NONE = "none"


@dataclass(frozen=True, slots=True)
class Nearness:
    """Cosines of an embedder: below ``floor`` a text has nothing to do with a query, from ``sure`` on it surely has."""

    floor: float
    sure: float


def content_words(text: str) -> frozenset[str]:
    """The stems of a text without words that are no match by themselves."""
    return frozenset(stem(word) for word in words_of(text) if word not in FUNCTION_WORDS)


def match_of(query: str, texts: Iterable[str], nearest: float | None, nearness: Nearness | None) -> Match:
    """Close when a text shares a telling word with the query, else by the cosine of the nearest vector.

    ``nearest`` is None without vectors. Where nothing is known of the embedder's cosines every vector is close.
    """
    if nearest is not None and (nearness is None or nearest >= nearness.sure):
        return Match.CLOSE
    asked = content_words(query)
    if any(not asked.isdisjoint(content_words(text)) for text in texts):
        return Match.CLOSE
    return Match.WEAK if nearest is not None and nearness is not None and nearest >= nearness.floor else Match.NONE
