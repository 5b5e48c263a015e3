"""A bound on tokens that needs no vocabulary."""

from __future__ import annotations

import unicodedata


class Utf8TokenBound:
    """Counts bytes of UTF-8, which no byte-level BPE exceeds: each of its tokens stands for at least one byte.

    Some tokenizers write compatibility characters out first (NFKC), which can take more bytes: the longer form counts.
    """

    name = "utf-8 bytes"
    exact = False

    def count(self, text: str) -> int:
        size = len(text.encode())
        return size if text.isascii() else max(size, len(unicodedata.normalize("NFKC", text).encode()))
