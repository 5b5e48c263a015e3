"""WordPiece tokens of BERT uncased models, in plain Python.

Devlin et al. 2018 (BERT) describe the splitting; the vocabulary is that of bert-base-uncased. Special tokens written
in a text ("[CLS]") are ordinary words here, so that a document cannot inject them.
"""

from __future__ import annotations

import unicodedata
from functools import lru_cache
from pathlib import Path

VOCABULARY = Path(__file__).with_name("bert_uncased_vocab.txt")
LONGEST_WORD = 100
CJK_RANGES = (
    (0x3400, 0x4DBF),
    (0x4E00, 0x9FFF),
    (0xF900, 0xFAFF),
    (0x20000, 0x2FA1F),
)
ASCII_SYMBOLS = frozenset("$+<=>^`|~")
"""Symbols that Unicode does not class as punctuation, but BERT does."""


class _Separations(dict[int, str]):
    """How each code point is written before splitting at spaces: dropped, spaced out, or kept."""

    def __missing__(self, code: int) -> str:
        self[code] = written = _separated(chr(code))
        return written


def _separated(character: str) -> str:
    if character.isspace():
        return " "
    category = unicodedata.category(character)
    if category == "Mn" or category.startswith("C") or character == "\N{REPLACEMENT CHARACTER}":
        return ""
    if category.startswith("P") or character in ASCII_SYMBOLS:
        return f" {character} "
    if any(first <= ord(character) <= last for first, last in CJK_RANGES):
        return f" {character} "
    return character


class WordPiece:
    """Token ids for texts; one instance may be shared by threads."""

    def __init__(self, vocabulary: Path = VOCABULARY, longest: int = 256) -> None:
        with vocabulary.open(encoding="utf-8") as lines:
            self._ids = {line.rstrip("\n"): number for number, line in enumerate(lines)}
        self._start, self._end, self._unknown = (self._ids[token] for token in ("[CLS]", "[SEP]", "[UNK]"))
        self._longest = longest
        self._separations = _Separations()
        self._pieces = lru_cache(maxsize=100_000)(self._split_word)

    def encode(self, text: str) -> list[int]:
        """Ids with the start and end token, at most ``longest`` of them; the rest of the text is cut off."""
        ids = [self._start]
        for word in self._words(text):
            ids += self._pieces(word)
            if len(ids) >= self._longest:
                break
        return [*ids[: self._longest - 1], self._end]

    def _words(self, text: str) -> list[str]:
        return unicodedata.normalize("NFD", text.lower()).translate(self._separations).split()

    def _split_word(self, word: str) -> tuple[int, ...]:
        """Greedy longest match first; a word with any part outside the vocabulary is unknown as a whole."""
        if len(word) > LONGEST_WORD:
            return (self._unknown,)
        ids = []
        start = 0
        while start < len(word):
            prefix = "##" if start else ""
            for end in range(len(word), start, -1):
                piece = self._ids.get(prefix + word[start:end])
                if piece is not None:
                    ids.append(piece)
                    start = end
                    break
            else:
                return (self._unknown,)
        return tuple(ids)
