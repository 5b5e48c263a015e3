"""Which vocabulary a model counts by."""

from __future__ import annotations

from adapters.token_counting.splintr import SplintrTokenCounter
from adapters.token_counting.utf8_bytes import Utf8TokenBound
from domain.ports.token_counter import TokenCounter

_FAMILIES = (
    ("o200k_base", ("o200k", "gpt-4o", "gpt-4.1", "gpt-4.5", "gpt-5", "chatgpt-4o", "o1", "o3", "o4", "gpt-oss")),
    ("cl100k_base", ("cl100k", "gpt-4", "gpt-3.5", "text-embedding-3", "text-embedding-ada")),
    ("llama3", ("llama3", "llama-3", "meta-llama-3")),
    ("qwen3", ("qwen2", "qwen3", "qwen-2", "qwen-3")),
)
"""Vocabularies that are in the package and known to be exact, with what the names of their models begin with."""


def vocabulary_of(model: str) -> str | None:
    """The vocabulary of a model, whatever stands before a slash; None when none is at hand (Claude, Gemini)."""
    name = model.strip().casefold().rpartition("/")[2]
    for vocabulary, beginnings in _FAMILIES:
        if name.startswith(beginnings):
            return vocabulary
    return None


class ModelTokenCounters:
    """Implements ``TokenCounters``: exact where the vocabulary is at hand, else a bound. ``usual`` is for no model."""

    def __init__(self, usual: str | None = None) -> None:
        self._usual = usual
        self._bound = Utf8TokenBound()
        self._counters: dict[str, TokenCounter] = {}

    def of(self, model: str | None) -> TokenCounter:
        named = model or self._usual
        vocabulary = vocabulary_of(named) if named else None
        if vocabulary is None:
            return self._bound
        if vocabulary not in self._counters:
            try:
                self._counters[vocabulary] = SplintrTokenCounter(vocabulary)
            except ImportError:
                return self._bound
        return self._counters[vocabulary]
