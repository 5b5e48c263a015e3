"""The fields of a declaration in JSON, read strictly: every refusal names its field."""

from __future__ import annotations

from collections.abc import Mapping
from enum import StrEnum
from typing import Any, TypeVar

from domain.errors import InvalidInput, shown

_Choice = TypeVar("_Choice", bound=StrEnum)


def object_of(stated: object, where: str, allowed: set[str], example: str) -> Mapping[str, Any]:
    """An object with no other than the allowed fields. Raises InvalidInput."""
    if not isinstance(stated, dict):
        raise InvalidInput(f"{where} is a JSON object, not {shown(stated)}; for example {example}", field=where)
    if unknown := sorted(str(name) for name in stated.keys() - allowed):
        field = unknown[0] if where == "mapping" else f"{where}.{unknown[0]}"
        raise InvalidInput(f"{field} is not a known field; use one of {', '.join(sorted(allowed))}", field=field)
    return stated


def required(fields: Mapping[str, Any], name: str, where: str, example: str) -> str:
    """A text that must be there. Raises InvalidInput."""
    value = optional(fields, name, where)
    if value is None:
        raise InvalidInput(f"{where} is missing; for example {example}", field=where)
    return value


def optional(fields: Mapping[str, Any], name: str, where: str) -> str | None:
    """A text that is not empty, where it is given. Raises InvalidInput."""
    value = fields.get(name)
    if value is not None and (not isinstance(value, str) or not value.strip()):
        raise InvalidInput(f"{where} is a text that is not empty, not {shown(value)}", field=where)
    return value


def member(stated: object, choices: type[_Choice], where: str) -> _Choice:
    """One of the choices. Raises InvalidInput."""
    try:
        return choices(str(stated))
    except ValueError:
        names = ", ".join(choice.value for choice in choices)
        raise InvalidInput(f"{where} is one of {names}, not {shown(stated)}", field=where) from None
