"""Typed objects: what a fact can say of its subject, with a versioned normal form and a relation between two."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from decimal import Decimal

from domain.identity.ids import EntityId
from domain.knowledge.time import Precision, require_aware

MAX_TEXT = 4_000
"""Characters of a text object."""


@dataclass(frozen=True, slots=True)
class EntityRef:
    """An object that is a thing with an identity of its own."""

    entity_id: EntityId


@dataclass(frozen=True, slots=True)
class DateValue:
    """A point in time and how exactly it is known. ``value`` is aware; it is the start of the stated period."""

    value: datetime
    precision: Precision = Precision.DAY

    def __post_init__(self) -> None:
        require_aware(self.value, "object")


@dataclass(frozen=True, slots=True)
class NumberValue:
    """An exact decimal number with its unit (``USD``, ``%``, ``ms``), or none."""

    value: Decimal
    unit: str | None = None


@dataclass(frozen=True, slots=True)
class TextValue:
    """A text and its language (BCP 47) where known."""

    value: str
    language: str | None = None


@dataclass(frozen=True, slots=True)
class BooleanValue:
    """True or false."""

    value: bool


Literal = DateValue | NumberValue | TextValue | BooleanValue
TypedObject = EntityRef | Literal
