"""Values as records write them: dates by precision, exact numbers, truth values."""

from __future__ import annotations

import re
from datetime import UTC, datetime, timedelta, tzinfo
from decimal import Decimal
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

from domain.errors import InvalidInput, shown
from domain.knowledge.objects import DateValue, NumberValue
from domain.knowledge.time import Precision, require_aware

_YEAR = re.compile(r"\d{4}")
_QUARTER = re.compile(r"(\d{4})-?Q([1-4])", re.IGNORECASE)
_MONTH = re.compile(r"(\d{4})-(\d{2})")
_DAY = re.compile(r"(\d{4})-(\d{2})-(\d{2})")
_DATE_TIME = re.compile(r"\d{4}-\d{2}-\d{2}[T ]\d{2}:\d{2}(:\d{2}(\.\d{1,6})?)?\s?(Z|[+-]\d{2}:?\d{2})?", re.IGNORECASE)
_NUMBER = re.compile(
    r"(?P<sign>[-+]?)\s?(?P<before>[$€£¥]?)\s?(?P<digits>\d{1,3}(?:,\d{3})+|\d+)(?P<fraction>\.\d+)?"
    r"(?P<exponent>[eE][+-]?\d{1,2})?\s?(?P<after>%|[^\W\d][\w/%°]{0,19}|[€£¥$])?"
)
_CURRENCIES = {"$": "USD", "€": "EUR", "£": "GBP", "¥": "JPY"}
_TRUTH = {"yes": True, "true": True, "no": False, "false": False}
_EXAMPLES = "2021, 2021-Q2, 2021-04, 2021-04-03 or 2021-04-03T09:00:00Z"


def zone_named(name: str, field: str = "zone") -> tzinfo:
    """The IANA time zone. Raises InvalidInput for an unknown name."""
    try:
        return ZoneInfo(name)
    except (ZoneInfoNotFoundError, ValueError, OSError) as error:
        raise InvalidInput(
            f"{field} {shown(name)} is not a time zone; write an IANA name, for example Europe/Berlin", field=field
        ) from error


def parse_date(stated: str, field: str = "date", zone: tzinfo | None = None) -> DateValue:
    """A year, quarter, month, day or ISO 8601 date-time, as exact as it is written.

    A period starts at midnight UTC. A date-time without an offset is read in ``zone``. Raises InvalidInput when it is
    none of these, impossible, naive without a zone, or in the hour that a zone's clocks skip or show twice.
    """
    text = stated.strip()
    try:
        if _DATE_TIME.fullmatch(text):
            return _date_time(text, field, zone)
        if _YEAR.fullmatch(text):
            return DateValue(datetime(int(text), 1, 1, tzinfo=UTC), Precision.YEAR)
        if match := _QUARTER.fullmatch(text):
            return DateValue(datetime(int(match[1]), 3 * int(match[2]) - 2, 1, tzinfo=UTC), Precision.QUARTER)
        if match := _MONTH.fullmatch(text):
            return DateValue(datetime(int(match[1]), int(match[2]), 1, tzinfo=UTC), Precision.MONTH)
        if match := _DAY.fullmatch(text):
            return DateValue(datetime(int(match[1]), int(match[2]), int(match[3]), tzinfo=UTC), Precision.DAY)
    except (ValueError, OverflowError) as error:
        raise InvalidInput(f"{field} {shown(stated)} is no date that exists; write {_EXAMPLES}", field=field) from error
    raise InvalidInput(f"{field} {shown(stated)} is not a date; write {_EXAMPLES}", field=field)


def _date_time(text: str, field: str, zone: tzinfo | None) -> DateValue:
    value = datetime.fromisoformat(text.replace(" ", "T", 1).replace(" ", ""))
    if value.tzinfo is None:
        if zone is None:
            raise InvalidInput(
                f"{field} {shown(text)} has no time zone; add one, for example {text}Z, or declare the zone",
                field=field,
            )
        value = _placed(value, text, field, zone)
    return DateValue(require_aware(value, field), Precision.SECOND)


def _placed(value: datetime, text: str, field: str, zone: tzinfo) -> datetime:
    """The local time in its zone. Raises InvalidInput for one that the clocks skip, or show twice."""
    first, second = value.replace(tzinfo=zone, fold=0), value.replace(tzinfo=zone, fold=1)
    if first.utcoffset() != second.utcoffset():
        there = first.astimezone(UTC).astimezone(zone).replace(tzinfo=None) == value
        raise InvalidInput(
            f"{field} {shown(text)} {'comes twice' if there else 'does not exist'} in {zone}, where the clocks change "
            f"then; add the offset, for example {first.isoformat()}",
            field=field,
        )
    return first


def end_of(value: datetime, precision: Precision) -> datetime | None:
    """The moment after the stated period, or None past the year 9999."""
    try:
        if precision is Precision.YEAR:
            return value.replace(year=value.year + 1)
        if precision in (Precision.QUARTER, Precision.MONTH):
            months = value.year * 12 + value.month - 1 + (3 if precision is Precision.QUARTER else 1)
            return value.replace(year=months // 12, month=months % 12 + 1)
        return value + (timedelta(days=1) if precision is Precision.DAY else timedelta(seconds=1))
    except (ValueError, OverflowError):
        return None


def parse_number(stated: str, field: str = "number", unit: str | None = None) -> NumberValue:
    """An exact decimal with its unit: ``1,200.50``, ``12 %``, ``$3``, ``35 ms``. ``unit`` is the declared one.

    Raises InvalidInput for anything else, and when the written unit is another than the declared.
    """
    match = _NUMBER.fullmatch(stated.strip())
    if match is None or (match["before"] and match["after"]):
        raise InvalidInput(
            f"{field} {shown(stated)} is not a number; write it like 1200.50, 1,200.50 or 12 %", field=field
        )
    symbol = match["before"] or match["after"] or ""
    written = _CURRENCIES.get(symbol, symbol) or None
    if unit and written and written.casefold() != unit.casefold():
        raise InvalidInput(f"{field} {shown(stated)} is in {written}, not in {unit} as declared", field=field)
    digits = match["digits"].replace(",", "") + (match["fraction"] or "") + (match["exponent"] or "")
    value = Decimal(digits)
    return NumberValue(-value if match["sign"] == "-" else value, unit or written)


def parse_boolean(stated: str, field: str = "boolean") -> bool:
    """Yes, no, true or false, in any case. Raises InvalidInput for anything else."""
    try:
        return _TRUTH[stated.strip().casefold()]
    except KeyError:
        raise InvalidInput(f"{field} {shown(stated)} is not yes, no, true or false", field=field) from None
