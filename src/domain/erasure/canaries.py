"""What erased content would be known by, and how it is looked for: alike in the database and elsewhere."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from domain.errors import InvalidInput, shown

MAX_SPELLINGS = 20
"""Further ways of writing a name that one request may add."""
MAX_SPELLING = 200
"""Characters of one of them."""
_INFLECTED = 5
"""Letters and digits from which on a name may have an ending of one or two letters, as in "Smiths" or "Quaxolotl's"."""
_LEAST = 3
"""Letters and digits under which a name is too common a word to be looked for everywhere."""


@dataclass(frozen=True, slots=True)
class Sought:
    """One expression twice: as PostgreSQL writes it (for ``~*``), and as Python does. It has no groups that capture."""

    database: str
    expression: re.Pattern[str]


@dataclass(frozen=True, slots=True)
class KnownName:
    """A name of somebody. ``shared`` says that somebody else has it, too."""

    name: str
    shared: bool

    @property
    def everywhere(self) -> bool:
        """Whether it means them wherever it stands; else it does only where they are known to be meant."""
        return not self.shared and _size(self.name) >= _LEAST


def words_sought(words: Sequence[str]) -> Sought | None:
    """Any of the words, as a part of others too; None when there are none."""
    if not words:
        return None
    joined = "|".join(re.escape(word) for word in words)
    return Sought(joined, re.compile(joined, re.IGNORECASE))


def names_sought(names: Iterable[str]) -> Sought | None:
    """Any of the names as words of their own, whatever stands between their parts; None when there are none.

    Case does not matter. A name of five letters or more may have an ending of one or two letters. Composed and
    decomposed accents are the same.
    """
    forms = {unicodedata.normalize(form, name) for name in names if _parts(name) for form in ("NFC", "NFD")}
    if not forms:
        return None
    ordered = sorted(forms, key=lambda form: (-len(form), form))
    database = _expression(ordered, "[[:alnum:]]", "[^[:alnum:]]", "[[:alpha:]]")
    return Sought(database, re.compile(_expression(ordered, r"[^\W_]", r"[\W_]", r"[^\W\d_]"), re.IGNORECASE))


def checked_spellings(spellings: Sequence[str]) -> tuple[str, ...]:
    """Further spellings of a name, without blanks around them. Raises InvalidInput for too many, or an unfit one."""
    if len(spellings) > MAX_SPELLINGS:
        raise InvalidInput(f"at most {MAX_SPELLINGS} spellings can be named, not {len(spellings)}", field="also")
    for spelling in spellings:
        if _size(spelling) < _LEAST or len(spelling.strip()) > MAX_SPELLING:
            raise InvalidInput(
                f"a spelling has at least {_LEAST} letters or digits, and at most {MAX_SPELLING} characters: "
                f"{shown(spelling)}",
                field="also",
            )
    return tuple(spelling.strip() for spelling in spellings)


def _expression(forms: Sequence[str], alnum: str, other: str, letter: str) -> str:
    def one(form: str) -> str:
        ending = f"(?:['’]?{letter}{{1,2}})?" if _size(form) >= _INFLECTED else ""
        return f"{other}{{1,3}}".join(re.escape(part) for part in _parts(form)) + ending

    return f"(?<!{alnum})(?:{'|'.join(one(form) for form in forms)})(?!{alnum})"


def _size(name: str) -> int:
    return sum(len(part) for part in _parts(name))


def _parts(name: str) -> list[str]:
    """The runs of letters and digits, with the marks that belong to them."""
    kept = "".join(c if c.isalnum() or unicodedata.combining(c) else " " for c in name)
    return kept.split()
