"""A record mapping as JSON states it, read strictly."""

from __future__ import annotations

from collections.abc import Mapping
from enum import StrEnum
from typing import Any, TypeVar

from domain.errors import InvalidInput, shown
from domain.ingestion.mapping import EXAMPLE, ObjectForm, PropertyMapping, RecordMapping, Role
from domain.ingestion.stated_values import zone_named
from domain.knowledge.predicate import predicate_name

_Fields = Mapping[str, Any]
_Choice = TypeVar("_Choice", bound=StrEnum)
_MAPPING_FIELDS = {"subject", "subject_kind", "key", "observed_at", "title", "properties", "zone"}
_PROPERTY_FIELDS = {
    "column", "predicate", "object", "object_kind", "unit", "split", "qualifiers", "role", "applies_to",
}  # fmt: skip


def parse_mapping(stated: object) -> RecordMapping:
    """The mapping that decoded JSON states. Raises InvalidInput naming the field, like ``properties[2].object``."""
    fields = _object(stated, "mapping", _MAPPING_FIELDS)
    properties = fields.get("properties")
    if not isinstance(properties, list) or not properties:
        raise InvalidInput(f"properties is a list of at least one column, for example {EXAMPLE}", field="properties")
    zone = _optional(fields, "zone", "zone")
    mapping = RecordMapping(
        subject=_required(fields, "subject", "subject"),
        subject_kind=_optional(fields, "subject_kind", "subject_kind"),
        key=_required(fields, "key", "key"),
        observed_at=_optional(fields, "observed_at", "observed_at"),
        title=_optional(fields, "title", "title"),
        zone=zone_named(zone) if zone else None,
        properties=tuple(_property(item, f"properties[{at}]") for at, item in enumerate(properties)),
    )
    dated = {prop.column for prop in mapping.properties if prop.role is None}
    if not dated:
        raise InvalidInput("properties has only columns with a role; add one with a predicate", field="properties")
    for at, prop in enumerate(mapping.properties):
        if unknown := sorted(set(prop.applies_to) - dated):
            raise InvalidInput(
                f"properties[{at}].applies_to names {shown(unknown[0])}, which no property maps",
                field=f"properties[{at}].applies_to",
            )
    return mapping


def _property(stated: object, where: str) -> PropertyMapping:
    fields = _object(stated, where, _PROPERTY_FIELDS)
    column = _required(fields, "column", f"{where}.column")
    role, applies_to = fields.get("role"), fields.get("applies_to", [])
    if not isinstance(applies_to, list) or not all(isinstance(name, str) for name in applies_to):
        raise InvalidInput(f"{where}.applies_to is a list of columns", field=f"{where}.applies_to")
    if role is not None:
        chosen = _member(role, Role, f"{where}.role")
        if extra := sorted(fields.keys() - {"column", "role", "applies_to"}):
            raise InvalidInput(f"{where}.{extra[0]} means nothing beside a role; drop it", field=f"{where}.{extra[0]}")
        return PropertyMapping(column, role=chosen, applies_to=tuple(applies_to))
    if applies_to:
        raise InvalidInput(f"{where}.applies_to needs a role", field=f"{where}.applies_to")
    form = _member(fields.get("object"), ObjectForm, f"{where}.object")
    for name, owner in (("object_kind", ObjectForm.ENTITY), ("unit", ObjectForm.NUMBER)):
        if fields.get(name) is not None and form is not owner:
            raise InvalidInput(f"{where}.{name} belongs to an object of form {owner.value}", field=f"{where}.{name}")
    split = fields.get("split")
    if split is not None and (not isinstance(split, str) or not split):
        raise InvalidInput(f"{where}.split is a separator like ';', not {shown(split)}", field=f"{where}.split")
    return PropertyMapping(
        column=column,
        predicate=_predicate(fields, where),
        object=form,
        object_kind=_optional(fields, "object_kind", f"{where}.object_kind"),
        unit=_optional(fields, "unit", f"{where}.unit"),
        split=split,
        qualifiers=_qualifiers(fields.get("qualifiers", {}), f"{where}.qualifiers"),
    )


def _predicate(fields: _Fields, where: str) -> str:
    try:
        return predicate_name(_required(fields, "predicate", f"{where}.predicate"))
    except InvalidInput as error:
        raise InvalidInput(error.message, field=f"{where}.predicate") from error


def _qualifiers(stated: object, where: str) -> dict[str, str]:
    if not isinstance(stated, dict) or not all(isinstance(v, str) and v and k for k, v in stated.items()):
        raise InvalidInput(f'{where} maps a name to a column, like {{"environment": "env"}}', field=where)
    return dict(stated)


def _member(stated: object, choices: type[_Choice], where: str) -> _Choice:
    try:
        return choices(str(stated))
    except ValueError:
        names = ", ".join(choice.value for choice in choices)
        raise InvalidInput(f"{where} is one of {names}, not {shown(stated)}", field=where) from None


def _object(stated: object, where: str, allowed: set[str]) -> Mapping[str, Any]:
    if not isinstance(stated, dict):
        raise InvalidInput(f"{where} is a JSON object, not {shown(stated)}; for example {EXAMPLE}", field=where)
    if unknown := sorted(str(name) for name in stated.keys() - allowed):
        field = unknown[0] if where == "mapping" else f"{where}.{unknown[0]}"
        raise InvalidInput(f"{field} is not a known field; use one of {', '.join(sorted(allowed))}", field=field)
    return stated


def _required(fields: _Fields, name: str, where: str) -> str:
    value = _optional(fields, name, where)
    if value is None:
        raise InvalidInput(f"{where} is missing; for example {EXAMPLE}", field=where)
    return value


def _optional(fields: _Fields, name: str, where: str) -> str | None:
    value = fields.get(name)
    if value is not None and (not isinstance(value, str) or not value.strip()):
        raise InvalidInput(f"{where} is a text that is not empty, not {shown(value)}", field=where)
    return value
