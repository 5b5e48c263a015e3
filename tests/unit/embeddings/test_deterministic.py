"""Hashed n-grams: the same everywhere, blind to accents, indifferent to batches."""

from __future__ import annotations

from hashlib import sha256

import numpy as np

from adapters.embeddings.deterministic import DeterministicEmbedder


async def test_the_vector_is_the_same_in_every_process_and_on_every_platform() -> None:
    vectors = await DeterministicEmbedder(16).embed_passages(["Trụ sở của Acme ở Hà Nội.", "Acme was founded in 1990."])
    rounded = np.round(vectors * 1000).astype(int)
    assert sha256(rounded.astype("<i4").tobytes()).hexdigest()[:16] == "29e925d81ccbe0ef"


async def test_a_text_typed_without_accents_is_nearer_than_another_text() -> None:
    stated, typed, other = await DeterministicEmbedder().embed_passages(
        ["Trụ sở đặt tại Đà Nẵng", "tru so dat tai da nang", "the gateway forwards requests"]
    )
    assert float(stated @ typed) > 0.8
    assert abs(float(stated @ other)) < 0.2


async def test_the_order_of_words_matters() -> None:
    one, other = await DeterministicEmbedder().embed_passages(["Acme owns Bravo", "Bravo owns Acme"])
    assert 0.5 < float(one @ other) < 0.999


async def test_composed_and_decomposed_letters_are_one_text() -> None:
    composed, decomposed = await DeterministicEmbedder().embed_passages(["Hà Nội", "Ha\u0300 No\u0323\u0302i"])
    np.testing.assert_array_equal(composed, decomposed)


async def test_batches_do_not_change_a_vector() -> None:
    embedder = DeterministicEmbedder()
    texts = [f"fact number {number}" for number in range(1100)]
    together = await embedder.embed_passages(texts)
    [alone] = await embedder.embed_passages([texts[777]])
    np.testing.assert_array_equal(together[777], alone)


async def test_the_dimension_is_part_of_the_model_name() -> None:
    assert DeterministicEmbedder(64).model != DeterministicEmbedder(128).model
    assert (await DeterministicEmbedder(64).embed_queries(["x"])).shape == (1, 64)
