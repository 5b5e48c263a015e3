"""Between database rows and domain values: JSON columns, bounds and evidence."""

from __future__ import annotations

from typing import Any

import msgspec
from asyncpg import Record as Row

from domain.identity.ids import EntityId
from domain.knowledge.assertion import Evidence, RecordEvidence, SpanEvidence, StatementEvidence
from domain.knowledge.object_wire import from_wire, to_wire
from domain.knowledge.objects import EntityRef, Literal, TypedObject
from domain.knowledge.time import BoundState, Precision, TimeBound

_encode = msgspec.json.Encoder(order="deterministic").encode
_decode = msgspec.json.Decoder().decode


def to_json(value: object) -> str:
    """A value as the text of a jsonb parameter."""
    return _encode(value).decode()


def from_json(text: str | None) -> Any:
    """The value of a jsonb column that was selected as text; None stays None."""
    return None if text is None else _decode(text)


def literal_json(value: TypedObject | None) -> str | None:
    """A literal as jsonb text; None for an entity."""
    return None if value is None or isinstance(value, EntityRef) else to_json(to_wire(value))


def typed_object(entity_id: EntityId | None, literal: str | None) -> TypedObject:
    """The object of a fact from its two columns."""
    return EntityRef(entity_id) if entity_id is not None else literal_of(literal)


def literal_of(text: str | None) -> Literal:
    """A literal from its column; an erased one reads as an empty text."""
    return from_wire(from_json(text) or {"type": "text", "value": ""})


def bound(row: Row, name: str) -> TimeBound:
    """One end of a stated valid time from its three columns."""
    precision = row[f"{name}_precision"]
    return TimeBound(row[name], Precision(precision) if precision else None, BoundState(row[f"{name}_state"]))


def bound_columns(value: TimeBound) -> tuple[object, str | None, str]:
    """The three columns of a bound."""
    return value.value, value.precision.value if value.precision else None, value.state.value


def evidence_columns(evidence: Evidence, version_id: object) -> tuple[object, ...]:
    """kind, version, chunk, start, end, pointer, excerpt."""
    match evidence:
        case SpanEvidence(version, start, end, excerpt, chunk):
            return "span", version, chunk, start, end, None, excerpt
        case RecordEvidence(version, pointer, excerpt):
            return "record", version, None, None, None, pointer, excerpt
        case StatementEvidence(version, excerpt):
            return "statement", version or version_id, None, None, None, None, excerpt
