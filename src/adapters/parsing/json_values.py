"""JSON read value by value, with where each one stands and what is wrong with it."""

from __future__ import annotations

import json
import math
import re
import unicodedata
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass

from domain.errors import DocumentUnreadable
from domain.ingestion.parsed import FieldValue

MAX_DEPTH = 64
"""Levels of arrays and objects in one value."""

_MAX_DIGITS = 40
_SPACE = re.compile(r"[ \t\n\r]*")
_UNSTORABLE = re.compile("[\0\ud800-\udfff]")


@dataclass(frozen=True, slots=True)
class Fault:
    """Why a value that is valid JSON cannot be kept."""

    code: str
    message: str


@dataclass(frozen=True, slots=True)
class JsonValue:
    """A value at ``[start, end)`` of the text; with faults, it must not be used."""

    start: int
    end: int
    value: FieldValue
    faults: tuple[Fault, ...]


class JsonText:
    """Reads from one text. Every method raises DocumentUnreadable, with line and column, where it is not JSON."""

    def __init__(self, text: str) -> None:
        self.text = text
        self._faults: list[Fault] = []
        self._members: dict[str, JsonValue] | None = None
        self._decoder = json.JSONDecoder(
            object_pairs_hook=self._object,
            parse_int=self._integer,
            parse_float=self._float,
            parse_constant=self._constant,
        )

    def first(self) -> str:
        """The first character that is no space; "" in a blank text."""
        at = self._skip(0)
        return self.text[at : at + 1]

    def whole(self) -> JsonValue:
        """The one value that the text consists of."""
        found = self.value(self._skip(0))
        self._must_end(found.end)
        return found

    def elements(self, start: int = 0) -> Iterator[JsonValue]:
        """The elements of the array at ``start``; the text may go on after it only when ``start`` is within."""
        at = self._skip(self._expect("[", self._skip(start)))
        if self.text[at : at + 1] == "]":
            at += 1
        else:
            while True:
                found = self.value(at)
                yield found
                at, done = self._next(found.end, "]")
                if done:
                    break
        if start == 0:
            self._must_end(at)

    def members(self) -> dict[str, JsonValue]:
        """The names and values of the object that the text consists of; read once and kept."""
        if self._members is None:
            self._members = dict(self._read_members())
        return self._members

    def _read_members(self) -> Iterator[tuple[str, JsonValue]]:
        at = self._skip(self._expect("{", self._skip(0)))
        if self.text[at : at + 1] == "}":
            self._must_end(at + 1)
            return
        while True:
            name = self.value(at)
            if not isinstance(name.value, str):
                raise self.malformed(at, "a name in quotes is expected")
            found = self.value(self._skip(self._expect(":", self._skip(name.end))))
            yield name.value, found
            at, done = self._next(found.end, "}")
            if done:
                break
        self._must_end(at)

    def value(self, at: int) -> JsonValue:
        """The value that begins at ``at``."""
        self._faults = []
        try:
            raw, end = self._decoder.raw_decode(self.text, at)
            kept = raw if self._is_plain(at, end) else self._kept(raw, 0)
        except json.JSONDecodeError as error:
            raise self.malformed(error.pos, error.msg) from None
        except RecursionError:
            raise self.malformed(at, f"arrays and objects nest deeper than {MAX_DEPTH} levels") from None
        return JsonValue(at, end, kept, tuple(self._faults))

    def malformed(self, at: int, reason: str) -> DocumentUnreadable:
        """The error for a text that stops being JSON at ``at``."""
        line = self.text.count("\n", 0, at) + 1
        column = at - (self.text.rfind("\n", 0, at) + 1) + 1
        return DocumentUnreadable(
            f"The document is not valid JSON at line {line}, column {column}: {reason}. Correct it, or check that the "
            "file is complete."
        )

    def _next(self, at: int, closing: str) -> tuple[int, bool]:
        at = self._skip(at)
        if self.text[at : at + 1] == closing:
            return at + 1, True
        if self.text[at : at + 1] != ",":
            raise self.malformed(at, f"',' or '{closing}' is expected")
        return self._skip(at + 1), False

    def _expect(self, character: str, at: int) -> int:
        if self.text[at : at + 1] != character:
            raise self.malformed(at, f"'{character}' is expected")
        return at + 1

    def _must_end(self, at: int) -> None:
        at = self._skip(at)
        if at < len(self.text):
            raise self.malformed(at, "something follows after the end")

    def _skip(self, at: int) -> int:
        space = _SPACE.match(self.text, at)
        return space.end() if space else at

    def _object(self, pairs: list[tuple[str, FieldValue]]) -> dict[str, FieldValue]:
        fields = dict(pairs)
        if len(fields) < len(pairs):
            twice = Counter(name for name, _ in pairs).most_common(1)[0][0]
            self._faults.append(Fault("duplicate_name", f"the name {twice!a} stands twice in one object"))
        return fields

    def _integer(self, digits: str) -> int:
        if len(digits) > _MAX_DIGITS:
            self._faults.append(Fault("number_too_large", f"a whole number has more than {_MAX_DIGITS} digits"))
            return 0
        return int(digits)

    def _float(self, digits: str) -> float:
        number = float(digits)
        if not math.isfinite(number):
            self._faults.append(Fault("number_too_large", f"the number {digits[:_MAX_DIGITS]} is too large"))
        return number

    def _constant(self, name: str) -> None:
        self._faults.append(Fault("not_a_number", f"{name} is no JSON value"))

    def _is_plain(self, start: int, end: int) -> bool:
        """Whether the value needs no look inside: it cannot nest too deep, and its strings are as in the text."""
        nesting = self.text.count("{", start, end) + self.text.count("[", start, end)
        return nesting <= MAX_DEPTH and self.text.find("\\u", start, end) < 0

    def _kept(self, value: FieldValue, depth: int) -> FieldValue:
        """``value`` in NFC, with a fault where a store could not hold it."""
        if depth > MAX_DEPTH:
            raise RecursionError
        if isinstance(value, str):
            if _UNSTORABLE.search(value):
                self._faults.append(Fault("text_unstorable", "a string holds a NUL or half a surrogate pair"))
            return unicodedata.normalize("NFC", value)
        if isinstance(value, list):
            return [self._kept(item, depth + 1) for item in value]
        if isinstance(value, dict):
            return {str(self._kept(name, depth + 1)): self._kept(item, depth + 1) for name, item in value.items()}
        return value
