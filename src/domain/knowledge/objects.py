"""Typed objects: what a fact can say of its subject, with a versioned normal form and a relation between two."""

from __future__ import annotations

import unicodedata
from dataclasses import dataclass
from datetime import UTC, datetime
from decimal import Context, Decimal, Inexact
from enum import StrEnum

from domain.errors import InvalidInput, shown
from domain.identity.ids import EntityId
from domain.knowledge.time import Precision, require_aware
from domain.knowledge.units import unit_name

MAX_TEXT = 4_000
"""Characters of a text object."""
MAX_DIGITS = 1_000
"""Significant digits of a number object."""
NORMAL_FORM_VERSION = 1
"""Grows when ``normal_form`` gives another text for any object; keys carry it."""

_EXACT = Context(prec=MAX_DIGITS, traps=[Inexact])
_PLAIN_DIGITS = 40
_FINENESS = {p: rank for rank, p in enumerate(Precision)}


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


class Relation(StrEnum):
    """How one object stands to another of the same slot. Only ``different`` makes rivals."""

    SAME = "same"
    REFINES = "refines"
    COMPATIBLE = "compatible"
    DIFFERENT = "different"


def normal_form(obj: TypedObject) -> str:
    """The text by which two ways of writing one object are equal; keys are made of it.

    ``entity:<uuid>``, ``date:1990-04`` as exact as it was stated, ``number:12500|USD``, ``text:`` in NFC, folded and
    with single spaces, ``boolean:true``. Raises InvalidInput for a number that is not finite or has more than
    ``MAX_DIGITS`` digits.
    """
    match obj:
        case EntityRef():
            return f"entity:{obj.entity_id}"
        case TextValue():
            return f"text:{folded(obj.value)}"
        case DateValue():
            return f"date:{date_text(obj)}"
        case NumberValue():
            return f"number:{decimal_text(obj.value)}|{unit_name(obj.unit) or ''}"
        case BooleanValue():
            return f"boolean:{'true' if obj.value else 'false'}"


def folded(text: str) -> str:
    """NFC, case-folded, with single spaces: what texts are compared by."""
    if text.isascii():
        return " ".join(text.lower().split())
    return " ".join(unicodedata.normalize("NFC", unicodedata.normalize("NFC", text).casefold()).split())


def decimal_text(value: Decimal) -> str:
    """A number without needless zeros: ``12500``, ``-0.5``; with an exponent past 40 places. Raises InvalidInput."""
    if not value.is_finite():
        raise InvalidInput(f"a number must be finite, not {value}", field="object")
    if not value:
        return "0"
    try:
        exact = value.normalize(_EXACT)
    except Inexact:
        raise InvalidInput(f"a number has at most {MAX_DIGITS} digits: {shown(value)}", field="object") from None
    exponent = exact.as_tuple().exponent
    plain = abs(exact.adjusted()) <= _PLAIN_DIGITS and isinstance(exponent, int) and abs(exponent) <= _PLAIN_DIGITS
    return f"{exact:f}" if plain else f"{exact:E}"


def date_text(date: DateValue) -> str:
    """The date in UTC, cut to its precision: ``1990``, ``1990-Q2``, ``1990-04``, ``1990-04-01``, ``…T12:00:00Z``."""
    at = date.value.astimezone(UTC)
    match date.precision:
        case Precision.YEAR:
            return f"{at.year:04}"
        case Precision.QUARTER:
            return f"{at.year:04}-Q{(at.month + 2) // 3}"
        case Precision.MONTH:
            return f"{at.year:04}-{at.month:02}"
        case Precision.DAY:
            return f"{at.year:04}-{at.month:02}-{at.day:02}"
        case Precision.SECOND:
            return at.isoformat().replace("+00:00", "Z")


def relation(a: TypedObject, b: TypedObject) -> Relation:
    """How ``a`` stands to ``b``.

    - same: equal normal forms.
    - refines: both are dates, ``a`` is more exact and lies in the period that ``b`` names ("1990-04-01" refines
      "1990"). Transitive, never in both directions.
    - compatible: both may be so, and ``a`` does not say more: the other side of *refines*, and one number with and
      without a unit. Symmetric but for dates, not transitive ("5 USD" and "5 EUR" differ, both agree with "5").
    - different: everything else, so also objects of two types and numbers of two units.
    """
    if type(a) is not type(b):
        return Relation.DIFFERENT
    if isinstance(a, DateValue) and isinstance(b, DateValue):
        return _relation_of_dates(a, b)
    if normal_form(a) == normal_form(b):
        return Relation.SAME
    if isinstance(a, NumberValue) and isinstance(b, NumberValue) and a.value == b.value:
        return Relation.COMPATIBLE if unit_name(a.unit) is None or unit_name(b.unit) is None else Relation.DIFFERENT
    return Relation.DIFFERENT


def _relation_of_dates(a: DateValue, b: DateValue) -> Relation:
    finer = _FINENESS[a.precision] - _FINENESS[b.precision]
    coarse = min(a.precision, b.precision, key=_FINENESS.__getitem__)
    if date_text(DateValue(a.value, coarse)) != date_text(DateValue(b.value, coarse)):
        return Relation.DIFFERENT
    if finer == 0:
        return Relation.SAME
    return Relation.REFINES if finer > 0 else Relation.COMPATIBLE
