"""English words without their inflection: crude, and the same for both sides of a comparison."""

from __future__ import annotations

from functools import lru_cache

_IRREGULAR = {
    "led": "lead", "built": "build", "bought": "buy", "ran": "run", "made": "make", "wrote": "write",
    "written": "write", "took": "take", "taken": "take", "held": "hold", "kept": "keep", "left": "leave",
    "sold": "sell", "began": "begin", "begun": "begin", "sent": "send", "paid": "pay", "hid": "hide",
    "taught": "teach", "told": "tell", "won": "win", "lost": "lose", "met": "meet", "spent": "spend", "gave": "give",
    "given": "give", "grew": "grow", "grown": "grow", "chose": "choose", "chosen": "choose", "drove": "drive",
    "driven": "drive", "flew": "fly", "flown": "fly", "spoke": "speak", "spoken": "speak",
}  # fmt: skip


def is_past(word: str) -> bool:
    """Whether a lower-case English word has the form of the past or of its participle: "worked", "led"."""
    return word in _IRREGULAR or (len(word) > 4 and word.endswith("ed") and not word.endswith("eed"))


@lru_cache(maxsize=16_384)
def stem(word: str) -> str:
    """A lower-case English word without its inflection."""
    word = _IRREGULAR.get(word, word)
    if len(word) > 3 and word.endswith("s") and not word.endswith("ss"):
        word = word[:-3] + "y" if word.endswith("ies") and len(word) > 4 else word[:-1]
    if word.endswith("ied") and len(word) > 4:
        word = word[:-3] + "y"
    elif len(word) > 3 and word.endswith("ed"):
        word = word[:-2]
    elif len(word) > 5 and word.endswith("ing"):
        word = word[:-3]
    if len(word) > 3 and word[-1] == word[-2]:
        word = word[:-1]
    return word[:-1] if len(word) > 2 and word.endswith("e") else word
