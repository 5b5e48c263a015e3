"""What is wrong with a value, in plain words: the shape checker's messages name types and operators."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence

import msgspec
import msgspec.inspect as shapes

STEP = re.compile(r"\.?([^.\[\]]+)|\[(\d+|\.\.\.)\]")
"""One step of a place such as ``policies[0].name``: the name, or the number."""
MOST_VALUES = 40
"""Allowed values that a message lists."""
_LENGTH = re.compile(r"expected `(?P<type>\w+)` of length (?P<sign>[<>]?=?) ?(?P<bound>\d+)", re.IGNORECASE)
_BOUND = re.compile(r"expected `(?:int|float|decimal)` (?P<sign>[<>]=?) (?P<bound>-?[\d.]+)", re.IGNORECASE)
_TYPE = re.compile(r"expected `(?P<wanted>[^`]+)`, got `(?P<given>[^`]+)`", re.IGNORECASE)
_SIGNS = {">=": "at least", "<=": "at most", ">": "more than", "<": "less than", "": "exactly", "==": "exactly"}
_OF_LENGTH = {"str": "characters", "array": "items", "object": "fields", "bytes": "bytes"}
_TYPES = {
    "str": "a text", "int": "a whole number", "float": "a number", "bool": "true or false", "array": "a list",
    "object": "an object", "null": "null", "uuid": "an id", "datetime": "a time",
}  # fmt: skip


def in_plain_words(words: str) -> str | None:
    """A message about a length, a bound, a pattern, an id or a type, in plain words; None for any other."""
    if found := _LENGTH.search(words):
        unit, bound = _OF_LENGTH.get(found["type"], "items"), found["bound"]
        return f"it needs {_SIGNS[found['sign']]} {bound} {unit.removesuffix('s') if bound == '1' else unit}"
    if found := _BOUND.search(words):
        bound = found["bound"].removesuffix(".0")
        return f"it must be {_SIGNS[found['sign']]} {bound}"
    if found := _TYPE.search(words):
        wanted = _alternatives(_TYPES.get(each, each) for each in found["wanted"].split(" | "))
        return f"it must be {wanted}, not {_TYPES.get(found['given'], found['given'])}"
    if "invalid uuid" in words.lower():
        return "it must be an id, which looks like 0190a5d4-7c1e-7b3a-9f00-5a1b2c3d4e5f"
    return None


def allowed_values(annotation: object, steps: Sequence[str]) -> list[str]:
    """The values that what lies at a place of such a thing may have, at most 40; none where they are not listed."""
    return _values_at([shapes.type_info(annotation)], steps)[:MOST_VALUES]


def fault_in(error: msgspec.ValidationError, annotation: object) -> str:
    """What a checked thing of the type got wrong: the field, in plain words, and the values that it can have."""
    words, _, place = str(error).partition(" - at `$")
    steps = [name or index for name, index in STEP.findall(place.rstrip("`"))]
    told = in_plain_words(words)
    if told is None and "nvalid enum value" in words:
        told = f"it is one of: {', '.join(allowed_values(annotation, steps))}"
    return f"{'.'.join(steps)}: {told}" if told and steps else f"{words[:1].lower()}{words[1:]}"


def _values_at(found: list[shapes.Type], steps: Sequence[str]) -> list[str]:
    for step in steps:
        found = [inner for each in _alone(found) for inner in _inside(each, step)]
    # A parameter that may be repeated is told by its items.
    items = [inner for each in _alone(found) for inner in (_inside(each, "...") or [each])]
    values: list[str] = []
    for each in _alone(items):
        if isinstance(each, shapes.EnumType):
            values += [str(member.value) for member in each.cls]
        elif isinstance(each, shapes.LiteralType):
            values += [str(value) for value in each.values]
    return values


def _alone(found: Iterable[shapes.Type]) -> list[shapes.Type]:
    """The types, with unions and what is only annotated taken apart."""
    taken: list[shapes.Type] = []
    for each in found:
        if isinstance(each, shapes.Metadata):
            taken += _alone([each.type])
        elif isinstance(each, shapes.UnionType):
            taken += _alone(each.types)
        else:
            taken.append(each)
    return taken


def _inside(found: shapes.Type, step: str) -> list[shapes.Type]:
    if isinstance(found, shapes.StructType | shapes.DataclassType | shapes.TypedDictType):
        return [each.type for each in found.fields if each.encode_name == step]
    if isinstance(found, shapes.ListType | shapes.SetType | shapes.FrozenSetType | shapes.VarTupleType):
        return [found.item_type] if step.isdigit() or step == "..." else []
    return [found.value_type] if isinstance(found, shapes.DictType) else []


def _alternatives(names: Iterable[str]) -> str:
    *first, last = names
    return f"{', '.join(first)} or {last}" if first else last
