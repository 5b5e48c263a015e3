"""Texts that no database keeps."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from domain.errors import InvalidInput, shown


def require_storable(value: object, place: str = "") -> None:
    """Raise InvalidInput for the first text in the value, as JSON is decoded, that has a NUL or half a surrogate pair.

    The message names the text's place, such as ``statements[2].object.text``, the character's, and the remedy.
    """
    for where, text in _texts(value, place):
        if "\0" not in text and text.isascii():
            continue
        for number, character in enumerate(text, 1):
            if character == "\0" or "\ud800" <= character <= "\udfff":
                what = "a NUL (U+0000)" if character == "\0" else f"half a surrogate pair (U+{ord(character):04X})"
                place = f"{where or 'the text'}: character {number} of {shown(text)}"
                raise InvalidInput(f"{place} is {what}, which is no text; remove it", field=where or None)


def _texts(value: object, place: str) -> Iterator[tuple[str, str]]:
    """Every text in the value, names of fields included, with its place; in order."""
    waiting: list[tuple[str, Any]] = [(place, value)]
    while waiting:
        where, one = waiting.pop()
        if isinstance(one, str):
            yield where, one
        elif isinstance(one, Mapping):
            for name in one:
                if isinstance(name, str):
                    yield f"the name of a field in {where}" if where else "the name of a field", name
            waiting += [(f"{where}.{name}" if where else str(name), one[name]) for name in reversed(one)]
        elif isinstance(one, list | tuple):
            waiting += [(f"{where}[{number}]", one[number]) for number in reversed(range(len(one)))]
