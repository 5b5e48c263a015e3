"""Hashed n-grams keep the embedder's promises."""

from __future__ import annotations

import pytest

from adapters.embeddings.deterministic import DeterministicEmbedder
from domain.ports.embedder import Embedder
from tests.contracts.embedder_contract import EmbedderContract


class TestDeterministicEmbedder(EmbedderContract):
    @pytest.fixture
    def embedder(self) -> Embedder:
        return DeterministicEmbedder()
