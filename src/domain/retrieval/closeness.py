"""Whether what a search found has anything to do with the question."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from enum import StrEnum

from domain.knowledge.stems import stem
from domain.retrieval.phrases import words_of
from domain.retrieval.question_words import FUNCTION_WORDS


class Match(StrEnum):
    """How close the closest of what was found is."""

    CLOSE = "close"
    WEAK = "weak"
    NONE = "none"


@dataclass(frozen=True, slots=True)
class Band:
    """Below ``floor`` the nearest text has nothing to do with a query, from ``sure`` on it surely has."""

    floor: float
    sure: float


@dataclass(frozen=True, slots=True)
class Nearness:
    """How an embedder's cosines are read: sentences of facts are short, and nearer to anything than passages are."""

    facts: Band
    passages: Band


def content_words(text: str) -> frozenset[str]:
    """The stems of a text without words that are no match by themselves."""
    return frozenset(stem(word) for word in words_of(text) if word not in FUNCTION_WORDS)


def match_of(query: str, texts: Iterable[str], nearest: float | None, band: Band | None) -> Match:
    """Close when a text shares a telling word with the query, else by the cosine of the nearest vector.

    ``nearest`` is None without vectors. Where nothing is known of the embedder's cosines every vector is close.
    """
    if nearest is not None and (band is None or nearest >= band.sure):
        return Match.CLOSE
    asked = content_words(query)
    if any(not asked.isdisjoint(content_words(text)) for text in texts):
        return Match.CLOSE
    return Match.WEAK if nearest is not None and band is not None and nearest >= band.floor else Match.NONE


def best(matches: Iterable[Match]) -> Match:
    """The closest; none when there is none."""
    return min(matches, key=list(Match).index, default=Match.NONE)
