"""A record mapping as JSON states it, read strictly."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from domain.errors import InvalidInput, shown
from domain.ingestion.concept_mapping import parse_concepts
from domain.ingestion.mapping import EXAMPLE, ObjectForm, PropertyMapping, RecordMapping, Role
from domain.ingestion.stated_fields import member, object_of, optional, required
from domain.ingestion.stated_values import zone_named
from domain.knowledge.predicate import predicate_name

_Fields = Mapping[str, Any]
_MAPPING_FIELDS = {"subject", "subject_kind", "key", "observed_at", "title", "properties", "zone", "concepts"}
_PROPERTY_FIELDS = {
    "column", "predicate", "object", "object_kind", "unit", "split", "qualifiers", "role", "applies_to",
}  # fmt: skip


def parse_mapping(stated: object) -> RecordMapping:
    """The mapping that decoded JSON states. Raises InvalidInput naming the field, like ``properties[2].object``."""
    fields = object_of(stated, "mapping", _MAPPING_FIELDS, EXAMPLE)
    concepts = parse_concepts(fields.get("concepts", []))
    properties = fields.get("properties", [] if concepts else None)
    if not isinstance(properties, list) or not (properties or concepts):
        raise InvalidInput(f"properties is a list of at least one column, for example {EXAMPLE}", field="properties")
    zone = optional(fields, "zone", "zone")
    mapping = RecordMapping(
        subject=required(fields, "subject", "subject", EXAMPLE),
        subject_kind=optional(fields, "subject_kind", "subject_kind"),
        key=required(fields, "key", "key", EXAMPLE),
        observed_at=optional(fields, "observed_at", "observed_at"),
        title=optional(fields, "title", "title"),
        zone=zone_named(zone) if zone else None,
        properties=tuple(_property(item, f"properties[{at}]") for at, item in enumerate(properties)),
        concepts=concepts,
    )
    dated = {prop.column for prop in mapping.properties if prop.role is None}
    if not dated and not concepts:
        raise InvalidInput("properties has only columns with a role; add one with a predicate", field="properties")
    for at, prop in enumerate(mapping.properties):
        if unknown := sorted(set(prop.applies_to) - dated):
            raise InvalidInput(
                f"properties[{at}].applies_to names {shown(unknown[0])}, which no property maps",
                field=f"properties[{at}].applies_to",
            )
    return mapping


def _property(stated: object, where: str) -> PropertyMapping:
    fields = object_of(stated, where, _PROPERTY_FIELDS, EXAMPLE)
    column = required(fields, "column", f"{where}.column", EXAMPLE)
    role, applies_to = fields.get("role"), fields.get("applies_to", [])
    if not isinstance(applies_to, list) or not all(isinstance(name, str) for name in applies_to):
        raise InvalidInput(f"{where}.applies_to is a list of columns", field=f"{where}.applies_to")
    if role is not None:
        chosen = member(role, Role, f"{where}.role")
        if extra := sorted(fields.keys() - {"column", "role", "applies_to"}):
            raise InvalidInput(f"{where}.{extra[0]} means nothing beside a role; drop it", field=f"{where}.{extra[0]}")
        return PropertyMapping(column, role=chosen, applies_to=tuple(applies_to))
    if applies_to:
        raise InvalidInput(f"{where}.applies_to needs a role", field=f"{where}.applies_to")
    form = member(fields.get("object"), ObjectForm, f"{where}.object")
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
        object_kind=optional(fields, "object_kind", f"{where}.object_kind"),
        unit=optional(fields, "unit", f"{where}.unit"),
        split=split,
        qualifiers=_qualifiers(fields.get("qualifiers", {}), f"{where}.qualifiers"),
    )


def _predicate(fields: _Fields, where: str) -> str:
    try:
        return predicate_name(required(fields, "predicate", f"{where}.predicate", EXAMPLE))
    except InvalidInput as error:
        raise InvalidInput(error.message, field=f"{where}.predicate") from error


def _qualifiers(stated: object, where: str) -> dict[str, str]:
    if not isinstance(stated, dict) or not all(isinstance(v, str) and v and k for k, v in stated.items()):
        raise InvalidInput(f'{where} maps a name to a column, like {{"environment": "env"}}', field=where)
    return dict(stated)
