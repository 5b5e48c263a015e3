"""Typed literals as plain JSON values, for storage and for the wire. An entity travels as its id, not through here."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime
from decimal import Decimal, InvalidOperation

from domain.errors import InvalidInput, shown
from domain.knowledge.objects import BooleanValue, DateValue, Literal, NumberValue, TextValue
from domain.knowledge.time import Precision


def to_wire(literal: Literal) -> Mapping[str, object]:
    """``{"type": …, "value": …}`` with the type's own particulars; numbers as text, so that they stay exact."""
    match literal:
        case DateValue(value, precision):
            return {"type": "date", "value": value.isoformat(), "precision": precision.value}
        case NumberValue(value, unit):
            return {"type": "number", "value": str(value)} | ({"unit": unit} if unit else {})
        case TextValue(value, language):
            return {"type": "text", "value": value} | ({"language": language} if language else {})
        case BooleanValue(value):
            return {"type": "boolean", "value": value}


def from_wire(data: Mapping[str, object]) -> Literal:
    """The literal that ``to_wire`` wrote. Raises InvalidInput for anything else."""
    kind, value = data.get("type"), data.get("value")
    try:
        if kind == "date":
            return DateValue(datetime.fromisoformat(str(value)), Precision(str(data.get("precision", "day"))))
        if kind == "number":
            unit = data.get("unit")
            return NumberValue(Decimal(str(value)), str(unit) if unit else None)
        if kind == "text":
            language = data.get("language")
            return TextValue(str(value), str(language) if language else None)
        if kind == "boolean" and isinstance(value, bool):
            return BooleanValue(value)
    except (ValueError, InvalidOperation) as error:
        raise InvalidInput(f"object value {shown(value)} is no {kind}", field="object") from error
    raise InvalidInput(f"object type {shown(kind)} is none of date, number, text, boolean", field="object")
