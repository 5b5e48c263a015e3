"""Hashed n-grams: no model, the same vector in every process and on every platform.

Texts that share words, word pairs or word parts come out near each other; synonyms do not. For tests, for bulk
loads whose vectors are replaced later, and as the floor that a real model has to beat.
"""

from __future__ import annotations

import asyncio
import re
import unicodedata
from collections.abc import Iterator, Sequence
from functools import lru_cache
from hashlib import blake2b
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from adapters.embeddings.unit_rows import unit_rows
from domain.ports.embedder import Vectors
from domain.retrieval.closeness import Nearness

# Powers of two, so that sums are exact and do not depend on the order of addition.
WORD_WEIGHT = 1.0
SHORT_WORD_WEIGHT = 0.25
STATED_ACCENTS_WEIGHT = 0.5
PAIR_WEIGHT = 0.5
PART_WEIGHT = 0.25

SHORT_WORD = 3
PART_LENGTHS = (3, 4)
LONGEST_WORD = 64
BATCH = 512
NOT_DECOMPOSED = str.maketrans("đøłħı", "dolhi")
WORD = re.compile(r"\w+")


class DeterministicEmbedder:
    """``Embedder`` by feature hashing; queries and passages are embedded alike."""

    def __init__(self, dimension: int = 384) -> None:
        self.dimension = dimension
        self.nearness: Nearness | None = None
        self.model = f"deterministic-ngrams-v1-{dimension}"

    async def embed_queries(self, texts: Sequence[str]) -> Vectors:
        return await asyncio.to_thread(self._embed, texts)

    async def embed_passages(self, texts: Sequence[str]) -> Vectors:
        return await asyncio.to_thread(self._embed, texts)

    def _embed(self, texts: Sequence[str]) -> Vectors:
        batches = [self._embed_batch(texts[at : at + BATCH]) for at in range(0, len(texts), BATCH)]
        return np.concatenate(batches) if batches else np.empty((0, self.dimension), dtype=np.float32)

    def _embed_batch(self, texts: Sequence[str]) -> Vectors:
        hashes: list[NDArray[np.uint64]] = []
        weights: list[NDArray[np.float64]] = []
        counts = np.zeros(len(texts), dtype=np.int64)
        for row, text in enumerate(texts):
            for hashed, weighed in _features(text):
                hashes.append(hashed)
                weights.append(weighed)
                counts[row] += len(hashed)
        all_hashes = np.concatenate(hashes)
        rows = np.repeat(np.arange(len(texts)), counts)
        columns = ((all_hashes >> np.uint64(1)) % np.uint64(self.dimension)).astype(np.int64)
        signed = np.concatenate(weights) * np.where(all_hashes & np.uint64(1), 1.0, -1.0)
        cells = np.bincount(rows * self.dimension + columns, signed, minlength=len(texts) * self.dimension)
        vectors = cells.reshape(len(texts), self.dimension)
        # Features can cancel each other out; such a text points along the first axis, as any constant would do.
        vectors[~vectors.any(axis=1), 0] = 1.0
        return unit_rows(vectors)


def _features(text: str) -> Iterator[tuple[NDArray[np.uint64], NDArray[np.float64]]]:
    """Hashes and weights of each word and each pair of neighbours; of the empty text, one constant."""
    words = [word[:LONGEST_WORD] for word in WORD.findall(unicodedata.normalize("NFC", text).lower())]
    if not words:
        yield _hashed((("empty", WORD_WEIGHT),))
        return
    for word in words:
        yield _word_features(word)
    folded = [_folded(word) for word in words]
    for left, right in pairwise(folded):
        yield _pair_features(left, right)


@lru_cache(maxsize=50_000)
def _word_features(word: str) -> tuple[NDArray[np.uint64], NDArray[np.float64]]:
    folded = _folded(word)
    weight = SHORT_WORD_WEIGHT if len(folded) <= SHORT_WORD and folded.isalpha() else WORD_WEIGHT
    features = [(f"word {folded}", weight)]
    if folded != word:
        features.append((f"word {word}", STATED_ACCENTS_WEIGHT))
    padded = f"<{folded}>"
    for length in PART_LENGTHS:
        features += [(f"part {padded[at : at + length]}", PART_WEIGHT) for at in range(len(padded) - length + 1)]
    return _hashed(tuple(features))


@lru_cache(maxsize=50_000)
def _pair_features(left: str, right: str) -> tuple[NDArray[np.uint64], NDArray[np.float64]]:
    return _hashed(((f"pair {left} {right}", PAIR_WEIGHT),))


@lru_cache(maxsize=50_000)
def _folded(word: str) -> str:
    """Without accents: Vietnamese is often typed so."""
    if word.isascii():
        return word
    decomposed = unicodedata.normalize("NFD", word.translate(NOT_DECOMPOSED))
    return "".join(character for character in decomposed if unicodedata.category(character) != "Mn")


def _hashed(features: Sequence[tuple[str, float]]) -> tuple[NDArray[np.uint64], NDArray[np.float64]]:
    digests = b"".join(blake2b(name.encode("utf-8", "replace"), digest_size=8).digest() for name, _ in features)
    hashes = np.frombuffer(digests, dtype="<u8").astype(np.uint64)
    return hashes, np.array([weight for _, weight in features], dtype=np.float64)
