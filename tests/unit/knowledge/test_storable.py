"""A text that no database keeps is named with its place, the character and the remedy."""

from __future__ import annotations

import pytest

from domain.errors import InvalidInput
from domain.knowledge.storable import require_storable


@pytest.mark.parametrize(
    ("value", "field", "words"),
    [
        ({"a": ["x", {"b": "Ac\0me"}]}, "a[1].b", r"a[1].b: character 3 of 'Ac\x00me' is a NUL (U+0000)"),
        ({"a": "ok", "b": "\ud83d"}, "b", r"b: character 1 of '\ud83d' is half a surrogate pair (U+D83D)"),
        ({"a": {"k\0": 1}}, "the name of a field in a", r"the name of a field in a: character 2 of 'k\x00'"),
        ("\0", None, "the text: character 1"),
        ({"first": "\0", "second": "\0"}, "first", "first: character 1"),
    ],
)
def test_what_cannot_be_kept_is_named(value: object, field: str | None, words: str) -> None:
    with pytest.raises(InvalidInput) as refused:
        require_storable(value)
    assert refused.value.field == field
    assert refused.value.message.startswith(words)
    assert refused.value.message.endswith("which is no text; remove it")


def test_anything_else_passes() -> None:
    require_storable({"a": ["Hà Nội", "😀", 1, None, True, 2.5, {"b": ()}], "c": "\n\t\x01"})


def test_depth_is_no_limit() -> None:
    deep: object = "\0"
    for _ in range(5_000):
        deep = [deep]
    with pytest.raises(InvalidInput):
        require_storable(deep)
