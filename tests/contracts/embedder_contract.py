"""What every embedder promises."""

from __future__ import annotations

import asyncio

import numpy as np
import pytest

from domain.ports.embedder import Embedder

TEXTS = ["Acme was founded in 1990.", "Trụ sở chính đặt tại Hà Nội.", "The gateway forwards requests to billing."]
ODD_TEXTS = ["", "   ", "\0", "a\0b", "🙂", "\ud800", "word " * 3000, "x" * 5000]


class EmbedderContract:
    """Subclass and override ``embedder``."""

    @pytest.fixture
    def embedder(self) -> Embedder:
        raise NotImplementedError

    async def test_the_model_has_a_name_and_a_positive_dimension(self, embedder: Embedder) -> None:
        assert embedder.model
        assert embedder.dimension > 0

    async def test_each_text_has_a_row_of_length_one(self, embedder: Embedder) -> None:
        for vectors in (await embedder.embed_passages(TEXTS), await embedder.embed_queries(TEXTS)):
            assert vectors.shape == (3, embedder.dimension)
            assert vectors.dtype == np.float32
            np.testing.assert_allclose(np.linalg.norm(vectors, axis=1), 1.0, atol=1e-5)

    async def test_no_texts_give_no_rows_of_the_dimension(self, embedder: Embedder) -> None:
        assert (await embedder.embed_passages([])).shape == (0, embedder.dimension)
        assert (await embedder.embed_queries([])).shape == (0, embedder.dimension)

    async def test_rows_keep_the_order_of_the_texts(self, embedder: Embedder) -> None:
        forwards = await embedder.embed_passages(TEXTS)
        backwards = await embedder.embed_passages(TEXTS[::-1])
        np.testing.assert_allclose(forwards, backwards[::-1], atol=2e-3)

    async def test_a_text_has_the_same_vector_alone_and_in_company(self, embedder: Embedder) -> None:
        together = await embedder.embed_passages(TEXTS)
        alone = [await embedder.embed_passages([text]) for text in TEXTS]
        np.testing.assert_allclose(together, np.concatenate(alone), atol=2e-3)

    async def test_the_same_text_twice_gives_the_same_row_twice(self, embedder: Embedder) -> None:
        first, second = await embedder.embed_passages([TEXTS[0], TEXTS[0]])
        np.testing.assert_allclose(first, second, atol=2e-3)

    @pytest.mark.parametrize("text", ODD_TEXTS, ids=lambda text: repr(text[:6]))
    async def test_no_text_is_refused(self, embedder: Embedder, text: str) -> None:
        vectors = await embedder.embed_passages([text, "plain"])
        assert np.isfinite(vectors).all()
        np.testing.assert_allclose(np.linalg.norm(vectors, axis=1), 1.0, atol=1e-5)

    async def test_a_query_is_nearest_to_the_passage_it_shares_its_words_with(self, embedder: Embedder) -> None:
        passages = await embedder.embed_passages(TEXTS)
        queries = await embedder.embed_queries(["When was Acme founded?", "Where does the gateway forward requests?"])
        assert (queries @ passages.T).argmax(axis=1).tolist() == [0, 2]

    async def test_calls_may_run_at_the_same_time(self, embedder: Embedder) -> None:
        results = await asyncio.gather(*(embedder.embed_passages(TEXTS) for _ in range(4)))
        for vectors in results[1:]:
            np.testing.assert_allclose(vectors, results[0], atol=2e-3)
