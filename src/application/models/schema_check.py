"""Does a value obey a JSON Schema? The subset that model requests use.

Read: type (one or a list), properties, required, additionalProperties as a boolean, items, minItems, maxItems, enum,
const, minLength, maxLength, minimum, maximum, anyOf. Annotations (title, description) are ignored.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from domain.errors import shown

TYPES: Mapping[str, type | tuple[type, ...]] = {
    "object": dict,
    "array": list,
    "string": str,
    "boolean": bool,
    "number": (int, float),
    "integer": int,
    "null": type(None),
}


def first_problem(value: object, schema: Mapping[str, Any], path: str = "reply") -> str | None:
    """What is wrong first, as "path: problem"; None when the value obeys the schema."""
    return next(_problems(value, schema, path), None)


def _problems(value: object, schema: Mapping[str, Any], path: str) -> Iterator[str]:
    if "anyOf" in schema:
        failed = [first_problem(value, option, path) for option in schema["anyOf"]]
        if all(failed):
            yield f"{failed[0]} (and no other of {len(failed)} allowed forms)"
    if "const" in schema and not _same(value, schema["const"]):
        yield f"{path}: {shown(value)} is not {shown(schema['const'])}"
    if "enum" in schema and not any(_same(value, allowed) for allowed in schema["enum"]):
        yield f"{path}: {shown(value)} is not one of the {len(schema['enum'])} allowed values"
    if "type" in schema and not _is_of_type(value, schema["type"]):
        yield f"{path}: {shown(value)} is not of type {schema['type']}"
        return
    if isinstance(value, dict):
        yield from _object_problems(value, schema, path)
    elif isinstance(value, list):
        yield from _array_problems(value, schema, path)
    elif isinstance(value, str):
        yield from _bound_problems(len(value), schema, path, "minLength", "maxLength", " characters")
    elif isinstance(value, int | float) and not isinstance(value, bool):
        yield from _bound_problems(value, schema, path, "minimum", "maximum", "")


def _object_problems(value: Mapping[str, object], schema: Mapping[str, Any], path: str) -> Iterator[str]:
    properties: Mapping[str, Any] = schema.get("properties", {})
    for name in schema.get("required", ()):
        if name not in value:
            yield f"{path}: {name!r} is missing"
    for name, item in value.items():
        if name in properties:
            yield from _problems(item, properties[name], f"{path}.{name}")
        elif schema.get("additionalProperties", True) is False:
            yield f"{path}: {shown(name)} is not a known property"


def _array_problems(value: list[object], schema: Mapping[str, Any], path: str) -> Iterator[str]:
    yield from _bound_problems(len(value), schema, path, "minItems", "maxItems", " items")
    for number, item in enumerate(value):
        yield from _problems(item, schema.get("items", {}), f"{path}[{number}]")


def _bound_problems(
    size: float, schema: Mapping[str, Any], path: str, least: str, most: str, unit: str
) -> Iterator[str]:
    if least in schema and not size >= schema[least]:
        yield f"{path}: {size}{unit}, the least is {schema[least]}"
    if most in schema and not size <= schema[most]:
        yield f"{path}: {size}{unit}, the most is {schema[most]}"


def _is_of_type(value: object, names: str | list[str]) -> bool:
    return any(_is_one(value, name) for name in ([names] if isinstance(names, str) else names))


def _is_one(value: object, name: str) -> bool:
    # In Python a boolean is an integer, and in JSON 2.0 is one.
    if isinstance(value, bool):
        return name == "boolean"
    if name == "integer" and isinstance(value, float):
        return value.is_integer()
    return isinstance(value, TYPES[name])


def _same(left: object, right: object) -> bool:
    return left == right and isinstance(left, bool) == isinstance(right, bool)
