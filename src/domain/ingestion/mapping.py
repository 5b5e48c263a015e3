"""Records to claims by a declared mapping: no model, no guess."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime, tzinfo
from enum import StrEnum
from typing import Any

from domain.errors import InvalidInput, SensitiveName, shown
from domain.ingestion.claims import Rejection
from domain.ingestion.concept_mapping import ConceptMapping
from domain.ingestion.sensitive import require_name
from domain.ingestion.stated_values import parse_boolean, parse_date, parse_number
from domain.knowledge.assertion import Claim, ClaimKind, Mention
from domain.knowledge.objects import MAX_TEXT, BooleanValue, Literal, TextValue
from domain.knowledge.time import UNKNOWN_BOUND, TimeBound

EXAMPLE = (
    '{"subject": "name", "subject_kind": "service", "key": "id", "properties": '
    '[{"column": "owner", "predicate": "OWNED_BY", "object": "entity", "object_kind": "team"}]}'
)


class ObjectForm(StrEnum):
    """What a column's cells are read as."""

    ENTITY = "entity"
    DATE = "date"
    NUMBER = "number"
    TEXT = "text"
    BOOLEAN = "boolean"


class Role(StrEnum):
    """A column that dates other columns. The end is exclusive."""

    VALID_FROM = "valid_from"
    VALID_TO = "valid_to"


@dataclass(frozen=True, slots=True)
class PropertyMapping:
    """One column: what it says of the record's subject, or (``role``) when other columns hold.

    ``applies_to`` is empty for all columns. ``qualifiers`` maps a qualifier's name to the column that holds it.
    """

    column: str
    predicate: str | None = None
    object: ObjectForm | None = None
    object_kind: str | None = None
    unit: str | None = None
    split: str | None = None
    qualifiers: Mapping[str, str] = field(default_factory=dict)
    role: Role | None = None
    applies_to: tuple[str, ...] = ()

    def columns(self) -> set[str]:
        """Every column that it names."""
        return {self.column, *self.qualifiers.values(), *self.applies_to}


@dataclass(frozen=True, slots=True)
class RecordMapping:
    """How one kind of record reads as claims. ``key`` is the column that identifies a record in its source."""

    subject: str
    key: str
    properties: tuple[PropertyMapping, ...]
    subject_kind: str | None = None
    observed_at: str | None = None
    title: str | None = None
    zone: tzinfo | None = None
    concepts: tuple[ConceptMapping, ...] = ()

    def check_header(self, header: Sequence[str]) -> None:
        """Raises InvalidInput for the first mapped column that the header does not have."""
        named = {self.subject, self.key} | ({self.observed_at, self.title} - {None})
        mapped = named.union(*(prop.columns() for prop in self.properties), *(each.columns() for each in self.concepts))
        if missing := sorted(str(column) for column in mapped - set(header)):
            has = ", ".join(header)[:300]
            raise InvalidInput(
                f"column {shown(missing[0])} is mapped but not in the data, which has {has}", field="mapping"
            )


_Fields = Mapping[str, Any]


def claims_of(record: _Fields, mapping: RecordMapping) -> tuple[list[Claim], list[Rejection]]:
    """The claims of one record, in the order of the mapping, and what could not be read, column by column.

    Empty cells give nothing. A record without a subject, or whose observation time cannot be read, gives one
    rejection and no claim.
    """
    subject = cell_of(record, mapping.subject)
    if subject is None:
        return [], [Rejection("subject_missing", f"column {shown(mapping.subject)} is empty")]
    rejections: list[Rejection] = []
    try:
        require_name(cell_of(record, mapping.key) or "", mapping.key)
        mention = Mention(require_name(subject, mapping.subject), mapping.subject_kind)
        observed = observed_at(record, mapping)
    except InvalidInput as error:
        return [], [unreadable(error)]
    bounds = _bounds(record, mapping, rejections)
    claims: list[Claim] = []
    for prop in mapping.properties:
        if prop.role is not None:
            continue
        if isinstance(record.get(prop.column), dict):
            rejections.append(Rejection("value_unreadable", f"{prop.column} holds an object; map its own fields"))
            continue
        start, end = (bounds.get((role, prop.column), bounds.get((role, ""))) for role in Role)
        for stated in values_of(record, prop.column, prop.split):
            try:
                claims.append(_claim(mention, prop, stated, record, mapping, (start, end), observed))
            except InvalidInput as error:
                rejections.append(unreadable(error))
    return claims, rejections


def unreadable(error: InvalidInput, code: str = "value_unreadable") -> Rejection:
    """As a cell is rejected: with its own code where it holds a mask in the place of a name."""
    return Rejection(error.code if isinstance(error, SensitiveName) else code, error.message)


def _claim(
    subject: Mention,
    prop: PropertyMapping,
    stated: str,
    record: _Fields,
    mapping: RecordMapping,
    bounds: tuple[TimeBound | None, TimeBound | None],
    observed: datetime | None,
) -> Claim:
    details = {name: cell_of(record, column) for name, column in prop.qualifiers.items()}
    return Claim(
        subject=subject,
        predicate=prop.predicate or "",
        object=_READERS[prop.object or ObjectForm.TEXT](stated, prop, mapping.zone),
        confidence=1.0,
        kind=ClaimKind.FACT,
        valid_from=bounds[0] or UNKNOWN_BOUND,
        valid_to=bounds[1] or UNKNOWN_BOUND,
        observed_at=observed,
        qualifiers={name: value for name, value in details.items() if value is not None},
    )


def _text(stated: str, prop: PropertyMapping, zone: tzinfo | None) -> TextValue:
    if len(stated) > MAX_TEXT:
        raise InvalidInput(f"{prop.column} has at most {MAX_TEXT} characters, not {len(stated)}", field=prop.column)
    return TextValue(stated)


_READERS: Mapping[ObjectForm, Callable[[str, PropertyMapping, tzinfo | None], Mention | Literal]] = {
    ObjectForm.ENTITY: lambda stated, prop, zone: Mention(require_name(stated, prop.column), prop.object_kind),
    ObjectForm.DATE: lambda stated, prop, zone: parse_date(stated, prop.column, zone),
    ObjectForm.NUMBER: lambda stated, prop, zone: parse_number(stated, prop.column, prop.unit),
    ObjectForm.TEXT: _text,
    ObjectForm.BOOLEAN: lambda stated, prop, zone: BooleanValue(parse_boolean(stated, prop.column)),
}


def _bounds(record: _Fields, mapping: RecordMapping, rejections: list[Rejection]) -> dict[tuple[Role, str], TimeBound]:
    """Stated ends by role and column; the column "" stands for all others."""
    found: dict[tuple[Role, str], TimeBound] = {}
    for prop in mapping.properties:
        if prop.role is None or (cell := cell_of(record, prop.column)) is None:
            continue
        try:
            date = parse_date(cell, prop.column, mapping.zone)
        except InvalidInput as error:
            rejections.append(Rejection("value_unreadable", error.message))
            continue
        for column in prop.applies_to or ("",):
            found[prop.role, column] = TimeBound.stated(date.value, date.precision)
    return found


def observed_at(record: _Fields, mapping: RecordMapping) -> datetime | None:
    """When the record was observed, where a column says so. Raises InvalidInput."""
    cell = cell_of(record, mapping.observed_at) if mapping.observed_at else None
    return parse_date(cell, mapping.observed_at or "", mapping.zone).value if cell is not None else None


def values_of(record: _Fields, column: str, split: str | None) -> list[str]:
    """The values of one column: a JSON list has several, a split cell too."""
    held = record.get(column)
    cells = [_text_of(item) for item in held] if isinstance(held, list) else [_text_of(held)]
    parts = [part for cell in cells for part in (cell.split(split) if split else [cell])]
    return [part.strip() for part in parts if part.strip()]


def cell_of(record: _Fields, column: str) -> str | None:
    """What a cell holds; None for nothing."""
    return _text_of(record.get(column)).strip() or None


def _text_of(value: object) -> str:
    if isinstance(value, bool):
        return "true" if value else "false"
    return "" if value is None else str(value)
