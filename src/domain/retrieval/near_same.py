"""Whether two texts say the same in nearly the same words. Careful: a number or a "not" makes another statement."""

from __future__ import annotations

import re
import unicodedata

ALIKE = 0.9
"""The least share of common runs of three words at which long texts are near-same."""
LONG = 12
"""Words from which on a text is compared by runs; a shorter one has to have the same words in the same order."""

_WORD = re.compile(r"\w+")
_ARTICLES = frozenset({"a", "an", "the"})
_DENIALS = frozenset({"no", "not", "never", "without", "cannot", "nor", "none", "t", "khong", "chua", "chang"})


def folded_words(text: str) -> tuple[str, ...]:
    """The words without accents, case and articles, in order."""
    plain = "".join(c for c in unicodedata.normalize("NFKD", text) if not unicodedata.combining(c))
    return tuple(word for word in _WORD.findall(plain.casefold()) if word not in _ARTICLES)


def near_same(one: tuple[str, ...], other: tuple[str, ...]) -> bool:
    """Of two texts in ``folded_words``."""
    if one == other:
        return True
    if min(len(one), len(other)) < LONG or _telling(one) != _telling(other):
        return False
    first, second = _runs(one), _runs(other)
    return len(first & second) >= ALIKE * len(first | second)


def _telling(words: tuple[str, ...]) -> list[str]:
    return sorted(w for w in words if w in _DENIALS or any(c.isdigit() for c in w))


def _runs(words: tuple[str, ...]) -> set[tuple[str, ...]]:
    return {words[at : at + 3] for at in range(len(words) - 2)}
