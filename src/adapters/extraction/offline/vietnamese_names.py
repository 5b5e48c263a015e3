"""Vietnamese people's names in English text, which the tagger takes apart: it has hardly seen any."""

from __future__ import annotations

import re
import unicodedata

_FAMILY = frozenset({
    "au", "banh", "bui", "cao", "chau", "chu", "dam", "dang", "dao", "dinh", "do", "doan", "dong", "duong", "ha", "han",
    "ho", "hoang", "hua", "huynh", "khuat", "kieu", "kim", "lai", "lam", "le", "luong", "luu", "ly", "mac", "mai",
    "ngo", "nguyen", "nghiem", "ninh", "pham", "phan", "phung", "quach", "thach", "thai", "than", "to", "ton", "tong",
    "tran", "trieu", "trinh", "truong", "vo", "vu", "vuong",
})  # fmt: skip
_PLACES = frozenset({
    "cao bang", "dong ha", "dong hoi", "dong nai", "dong thap", "ha dong", "ha giang", "ha long", "ha nam", "ha noi",
    "ha tinh", "ho guom", "ho tay", "lai chau", "lam dong", "ly son", "ninh binh", "ninh thuan", "thai binh",
    "thai nguyen",
})  # fmt: skip
_MIDDLE = frozenset({"van", "thi"})
_MOST = 5
_WORD = re.compile(r"(?<![\w.@/-])[^\W\d_]+(?![\w@/]|['’]\w{2})")
_SYLLABLE = re.compile(r"(?:ngh|ng|nh|ch|gh|gi|kh|ph|qu|th|tr|[bcdghklmnpqrstvx])?[aeiouy]{1,3}(?:ch|ng|nh|[cmnpt])?")


def vietnamese_names(text: str) -> list[tuple[int, int]]:
    """Where a family name stands with one to four given names, in the order of the text.

    All are capitalised Vietnamese syllables. One of them has a Vietnamese letter, or the second is "Van" or "Thi":
    without either a name is no different from English words.
    """
    found = []
    run: list[re.Match[str]] = []
    for word in [*_WORD.finditer(text), None]:
        if word is not None and _is_syllable(word[0]) and (not run or text[run[-1].end() : word.start()] == " "):
            run.append(word)
            continue
        if _is_person([each[0] for each in run]):
            found.append((run[0].start(), run[-1].end()))
        run = [word] if word is not None and _is_syllable(word[0]) else []
    return found


def _is_person(words: list[str]) -> bool:
    if not 2 <= len(words) <= _MOST or _folded(words[0]) not in _FAMILY or _folded(" ".join(words)) in _PLACES:
        return False
    return any(not word.isascii() for word in words) or (len(words) > 2 and _folded(words[1]) in _MIDDLE)


def _is_syllable(word: str) -> bool:
    return word[0].isupper() and word[1:].islower() and _SYLLABLE.fullmatch(_folded(word)) is not None


def _folded(word: str) -> str:
    decomposed = unicodedata.normalize("NFD", word.casefold().replace("đ", "d"))
    return "".join(character for character in decomposed if not unicodedata.combining(character))
