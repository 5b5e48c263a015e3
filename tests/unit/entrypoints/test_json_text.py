"""JSON from outside is read as deep as it may nest, and no deeper."""

from __future__ import annotations

import msgspec
import pytest

from entrypoints.json_text import DEEPEST, from_json, nests_too_deep


def nested(levels: int) -> str:
    return "[" * levels + "]" * levels


def test_a_text_may_nest_as_deep_as_the_bound() -> None:
    assert msgspec.json.encode(from_json(nested(DEEPEST))).decode() == nested(DEEPEST)
    with pytest.raises(msgspec.DecodeError, match="nest deeper than 100 levels"):
        from_json(nested(DEEPEST + 1))


def test_brackets_side_by_side_and_in_strings_do_not_nest() -> None:
    assert not nests_too_deep(b"[" + b"[],{}," * 500 + b"[]]")
    assert from_json('{"a": "' + "[{" * 500 + '\\"' + "[" * 500 + '", "b\\\\": []}') == {
        "a": "[{" * 500 + '"' + "[" * 500,
        "b\\": [],
    }


def test_what_is_cut_in_a_string_or_never_closed_is_measured_too() -> None:
    assert not nests_too_deep(b'["' + b"[" * 100_000)
    assert nests_too_deep(b"[" * 100_000)
    assert nests_too_deep(b'{"a":' * 5_000)
    assert nests_too_deep(b'{"a\\"":' * 5_000 + b'"' + b"\\" * 100_001)


def test_a_text_of_another_shape_is_refused() -> None:
    with pytest.raises(msgspec.ValidationError):
        from_json("[]", dict)
