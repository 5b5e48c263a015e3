"""Whether two texts say the same in nearly the same words. Careful: a number or a "not" makes another statement."""

from __future__ import annotations

import re
import unicodedata
from dataclasses import dataclass

ALIKE = 0.9
"""The least share of common runs of three words at which long texts are near-same."""
LONG = 12
"""Words from which on a text is compared by runs; a shorter one has to have the same words in the same order."""

_WORD = re.compile(r"\w+")
_ARTICLES = frozenset({"a", "an", "the"})
_DENIALS = frozenset({"no", "not", "never", "without", "cannot", "nor", "none", "t", "khong", "chua", "chang"})


@dataclass(frozen=True, slots=True)
class Folded:
    """A text to compare: its words in order, those that make it another statement, and its runs of three words."""

    words: tuple[str, ...]
    telling: tuple[str, ...]
    runs: frozenset[tuple[str, ...]]


def folded(text: str) -> Folded:
    """The text without accents, case and articles."""
    plain = "".join(c for c in unicodedata.normalize("NFKD", text) if not unicodedata.combining(c))
    words = tuple(word for word in _WORD.findall(plain.casefold()) if word not in _ARTICLES)
    if len(words) < LONG:
        return Folded(words, (), frozenset())
    telling = tuple(sorted(word for word in words if word in _DENIALS or any(c.isdigit() for c in word)))
    return Folded(words, telling, frozenset(words[at : at + 3] for at in range(len(words) - 2)))


def near_same(one: Folded, other: Folded) -> bool:
    """Whether they have the same words, or, if both are long, nearly the same runs of words and nothing that tells."""
    if one.words == other.words:
        return True
    fewer, more = sorted((len(one.runs), len(other.runs)))
    if fewer < ALIKE * more or not fewer or one.telling != other.telling:
        return False
    common = len(one.runs & other.runs)
    return common >= ALIKE * (fewer + more - common)
