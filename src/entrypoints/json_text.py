"""JSON from outside, with a bound on how deep it nests: what reads it recurses, and would run out of stack."""

from __future__ import annotations

import re
from typing import Any, TypeVar, overload

import msgspec

DEEPEST = 100
"""Levels of arrays and objects in one text."""
TOO_DEEP = f"arrays and objects in it nest deeper than {DEEPEST} levels"
_STRING = re.compile(rb'"(?:[^"\\]++|\\.)*+"?', re.DOTALL)
_NO_BRACKETS = bytes(set(range(256)) - set(b"[]{}"))

Wanted = TypeVar("Wanted")


def nests_too_deep(text: bytes) -> bool:
    """Whether a text nests deeper than ``DEEPEST``, as far as it is JSON at all."""
    if text.count(b"[") + text.count(b"{") <= DEEPEST:
        return False
    depth = 0
    for bracket in _STRING.sub(b"", text).translate(None, _NO_BRACKETS):
        depth += 1 if bracket in b"[{" else -1
        if depth > DEEPEST:
            return True
    return False


@overload
def from_json(text: bytes | str) -> Any: ...
@overload
def from_json(text: bytes | str, wanted: type[Wanted]) -> Wanted: ...
def from_json(text: bytes | str, wanted: Any = Any) -> Any:
    """What the text says. Raises msgspec.DecodeError, also for what nests too deep; ValidationError is one of them."""
    data = text.encode("utf-8", "surrogatepass") if isinstance(text, str) else text
    if nests_too_deep(data):
        raise msgspec.DecodeError(TOO_DEEP)
    return msgspec.json.decode(data, type=wanted)
