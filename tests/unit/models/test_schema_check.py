"""The schema check names the first problem and where it is."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import pytest

from application.models.schema_check import first_problem


@pytest.mark.parametrize(
    ("value", "schema", "problem"),
    [
        ({}, {"type": "object"}, None),
        ([], {"type": "object"}, "reply: [] is not of type object"),
        ({}, {"type": "object", "required": ["a"]}, "reply: 'a' is missing"),
        (
            {"b": 1},
            {"type": "object", "properties": {"a": {}}, "additionalProperties": False},
            "reply: 'b' is not a known property",
        ),
        ({"b": 1}, {"type": "object", "properties": {"a": {}}}, None),
        (
            {"a": [{"b": "x"}]},
            {
                "type": "object",
                "properties": {"a": {"type": "array", "items": {"properties": {"b": {"type": "integer"}}}}},
            },
            "reply.a[0].b: 'x' is not of type integer",
        ),
        (["a"], {"type": "array", "minItems": 2}, "reply: 1 items, the least is 2"),
        ("abcd", {"type": "string", "maxLength": 3}, "reply: 4 characters, the most is 3"),
        (1.4, {"type": "number", "maximum": 1}, "reply: 1.4, the most is 1"),
        (-1, {"type": "integer", "minimum": 0}, "reply: -1, the least is 0"),
        (2.0, {"type": "integer"}, None),
        (2.5, {"type": "integer"}, "reply: 2.5 is not of type integer"),
        (True, {"type": "integer"}, "reply: True is not of type integer"),
        (True, {"enum": [1]}, "reply: True is not one of the 1 allowed values"),
        (1, {"type": "boolean"}, "reply: 1 is not of type boolean"),
        (None, {"type": ["string", "null"]}, None),
        (3, {"type": ["string", "null"]}, "reply: 3 is not of type ['string', 'null']"),
        ("b", {"enum": ["a", "c"]}, "reply: 'b' is not one of the 2 allowed values"),
        ("b", {"const": "a"}, "reply: 'b' is not 'a'"),
        (3, {"anyOf": [{"type": "string"}, {"type": "integer"}]}, None),
        (
            None,
            {"anyOf": [{"type": "string"}, {"type": "integer"}]},
            "reply: None is not of type string (and no other of 2 allowed forms)",
        ),
    ],
)
def test_the_first_problem_is_named(value: object, schema: Mapping[str, Any], problem: str | None) -> None:
    assert first_problem(value, schema) == problem
