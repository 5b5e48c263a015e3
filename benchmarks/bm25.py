"""BM25 over folded words, the lexical side of every retrieval comparison."""

from __future__ import annotations

import math
import re
import unicodedata
from collections import Counter, defaultdict
from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

WORD = re.compile(r"\w+")


def folded(text: str) -> str:
    """Lower case, without accents."""
    decomposed = unicodedata.normalize("NFD", text.lower().replace("đ", "d"))
    return "".join(character for character in decomposed if unicodedata.category(character) != "Mn")


class BM25:
    """Okapi BM25 with k1 1.2 and b 0.75 (Robertson and Zaragoza 2009); no stop words."""

    def __init__(self, passages: Sequence[str], k1: float = 1.2, b: float = 0.75) -> None:
        counts = [Counter(WORD.findall(folded(passage))) for passage in passages]
        lengths = np.array([sum(count.values()) for count in counts], dtype=np.float64)
        self._count = len(passages)
        postings: dict[str, list[tuple[int, float]]] = defaultdict(list)
        for number, count in enumerate(counts):
            norm = k1 * (1 - b + b * lengths[number] / lengths.mean())
            for word, times in count.items():
                postings[word].append((number, times * (k1 + 1) / (times + norm)))
        self._postings = {word: tuple(zip(*found, strict=True)) for word, found in postings.items()}

    def scores(self, query: str) -> NDArray[np.float64]:
        """One score a passage, in their order."""
        scores = np.zeros(self._count)
        for word in WORD.findall(folded(query)):
            if word in self._postings:
                numbers, weights = self._postings[word]
                idf = math.log(1 + (self._count - len(numbers) + 0.5) / (len(numbers) + 0.5))
                scores[list(numbers)] += idf * np.array(weights)
        return scores
