"""How a sentence shows a literal."""

from __future__ import annotations

from datetime import UTC

from domain.knowledge.objects import BooleanValue, DateValue, Literal, NumberValue, TextValue, decimal_text
from domain.knowledge.time import Precision
from domain.knowledge.units import unit_name

_MONTHS = (
    "January", "February", "March", "April", "May", "June",
    "July", "August", "September", "October", "November", "December",
)  # fmt: skip


def describe(literal: Literal) -> str:
    """The literal for a reader: "April 1990", "12,500 USD", "12.5%", "true"; a text is shown as it is."""
    match literal:
        case DateValue():
            return _date(literal)
        case NumberValue():
            return _number(literal)
        case TextValue():
            return literal.value
        case BooleanValue():
            return "true" if literal.value else "false"


def fitted(phrase: str, literal: Literal) -> str:
    """A predicate's phrase with the preposition that a date asks for: "opened on 5 May 2018" but "opened in 2018"."""
    words, _, last = phrase.rpartition(" ")
    if not isinstance(literal, DateValue) or last not in ("on", "in", "at") or not words:
        return phrase
    if literal.precision is Precision.SECOND:
        return f"{words} at"
    return f"{words} {'on' if literal.precision is Precision.DAY else 'in'}"


def _date(date: DateValue) -> str:
    at = date.value.astimezone(UTC)
    month = _MONTHS[at.month - 1]
    match date.precision:
        case Precision.YEAR:
            return str(at.year)
        case Precision.QUARTER:
            return f"Q{(at.month + 2) // 3} {at.year}"
        case Precision.MONTH:
            return f"{month} {at.year}"
        case Precision.DAY:
            return f"{at.day} {month} {at.year}"
        case Precision.SECOND:
            clock = f"{at.hour:02}:{at.minute:02}" + (f":{at.second:02}" if at.second or at.microsecond else "")
            return f"{at.day} {month} {at.year}, {clock} UTC"


def _number(number: NumberValue) -> str:
    text = decimal_text(number.value)
    if "E" not in text:
        whole, point, fraction = text.partition(".")
        text = f"{int(whole):,}{point}{fraction}" if whole != "-0" else text
    unit = unit_name(number.unit)
    if unit is None:
        return text
    return f"{text}%" if unit == "%" else f"{text} {unit}"
