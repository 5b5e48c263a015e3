"""English date expressions as half-open periods with their precision."""

from __future__ import annotations

import re
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta

from domain.ingestion.stated_values import end_of
from domain.knowledge.time import Precision

_MONTHS = [
    "january", "february", "march", "april", "may", "june",
    "july", "august", "september", "october", "november", "december",
]  # fmt: skip
_DAYS = ["monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday"]
_MONTH = (
    r"(?:jan(?:uary)?|feb(?:ruary)?|mar(?:ch)?|apr(?:il)?|may|june?|july?|aug(?:ust)?|sept?(?:ember)?|oct(?:ober)?"
    r"|nov(?:ember)?|dec(?:ember)?)\.?"
)
_YEAR = r"(?:1[0-9]|20)\d{2}"
_COUNTS = {"a": 1, "an": 1, "one": 1, "two": 2, "three": 3, "four": 4, "five": 5, "six": 6, "seven": 7, "ten": 10}
_QUARTERS = {"first": 1, "second": 2, "third": 3, "fourth": 4}

DATE = (
    r"(?:\d{4}-\d{2}-\d{2}(?:[T ]\d{2}:\d{2}(?::\d{2})?\s?(?:Z|UTC|[+-]\d{2}:\d{2}))?|\d{4}-\d{2}(?![-\d])"
    rf"|\d{{1,2}}(?:st|nd|rd|th)?(?:\sof)?\s{_MONTH},?\s{_YEAR}|{_MONTH}\s\d{{1,2}}(?:st|nd|rd|th)?,?\s{_YEAR}"
    rf"|{_MONTH},?\s{_YEAR}|Q[1-4]\s?(?:of\s)?{_YEAR}|(?:the\s)?(?:first|second|third|fourth)\squarter\sof\s{_YEAR}"
    rf"|(?:fiscal\s(?:year\s)?|FY\s?){_YEAR}|(?:the\syear\s)?{_YEAR}(?![\d.,]*\d|s\b|-|%|\s?(?:people|users|employees|%))"
    rf"|yesterday|today|tomorrow|(?:last|this|next)\s(?:year|quarter|month|week|{'|'.join(_DAYS)})"
    rf"|(?:\d{{1,3}}|{'|'.join(_COUNTS)})\s(?:year|month|week|day)s?\sago)"
)
"""A regular expression, to be used without case, that finds what ``parse_period`` reads."""

_EXPRESSION = re.compile(DATE, re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Period:
    """[start, end) in UTC; ``end`` is None past the year 9999."""

    start: datetime
    end: datetime | None
    precision: Precision


def period_name(period: Period) -> str:
    """The period's short name: ``2023``, ``2023-Q2``, ``2023-04`` or the day."""
    start = period.start
    if period.precision is Precision.YEAR:
        return f"{start.year}"
    if period.precision is Precision.QUARTER:
        return f"{start.year}-Q{(start.month + 2) // 3}"
    return f"{start:%Y-%m}" if period.precision is Precision.MONTH else start.date().isoformat()


def _period(year: int, month: int = 1, day: int = 1, precision: Precision = Precision.YEAR) -> Period:
    start = datetime(year, month, day, tzinfo=UTC)
    return Period(start, end_of(start, precision), precision)


def _month(name: str) -> int:
    return next(at for at, month in enumerate(_MONTHS, 1) if month.startswith(name.rstrip(".").casefold()[:3]))


def parse_period(text: str, reference: datetime | None) -> Period | None:
    """The period that an expression found by ``DATE`` names, or None: impossible, or relative without a reference.

    "Yesterday" is the day before that of the reference in the reference's own zone.
    """
    if not _EXPRESSION.fullmatch(text.strip()):
        return None
    stated = re.sub(r"\s+", " ", text.strip().casefold()).removeprefix("the ").removeprefix("year ")
    try:
        return _absolute(stated) or (_relative(stated, reference) if reference else None)
    except (ValueError, OverflowError, StopIteration):
        return None


def _absolute(stated: str) -> Period | None:
    if match := re.fullmatch(r"(\d{4})-(\d{2})(?:-(\d{2}))?([t ].+)?", stated):
        year, month, day = int(match[1]), int(match[2]), match[3]
        if match[4]:
            moment = datetime.fromisoformat(
                stated.replace("utc", "+00:00").replace(" ", "t", 1).replace(" ", "").upper()
            )
            return Period(moment.astimezone(UTC), end_of(moment.astimezone(UTC), Precision.SECOND), Precision.SECOND)
        return _period(year, month, int(day), Precision.DAY) if day else _period(year, month, 1, Precision.MONTH)
    if match := re.fullmatch(r"(?:fiscal (?:year )?|fy ?)?(\d{4})", stated):
        return _period(int(match[1]))
    if match := re.fullmatch(r"q([1-4]) ?(?:of )?(\d{4})", stated):
        return _period(int(match[2]), 3 * int(match[1]) - 2, 1, Precision.QUARTER)
    if match := re.fullmatch(r"(first|second|third|fourth) quarter of (\d{4})", stated):
        return _period(int(match[2]), 3 * _QUARTERS[match[1]] - 2, 1, Precision.QUARTER)
    if match := re.fullmatch(r"(\d{1,2})(?:st|nd|rd|th)?(?: of)? ([a-z.]+),? (\d{4})", stated):
        return _period(int(match[3]), _month(match[2]), int(match[1]), Precision.DAY)
    if match := re.fullmatch(r"([a-z.]+) (\d{1,2})(?:st|nd|rd|th)?,? (\d{4})", stated):
        return _period(int(match[3]), _month(match[1]), int(match[2]), Precision.DAY)
    if match := re.fullmatch(r"([a-z.]+),? (\d{4})", stated):
        return _period(int(match[2]), _month(match[1]), 1, Precision.MONTH)
    return None


def _relative(stated: str, now: datetime) -> Period | None:
    if (days := {"yesterday": -1, "today": 0, "tomorrow": 1}.get(stated)) is not None:
        return _day(now + timedelta(days=days))
    words = stated.split()
    if words[-1] == "ago":
        count = int(words[0]) if words[0].isdigit() else _COUNTS[words[0]]
        return _shifted(words[1].rstrip("s"), -count, now)
    step = {"last": -1, "this": 0, "next": 1}[words[0]]
    if words[1] in _DAYS:
        ahead = (_DAYS.index(words[1]) - now.weekday()) % 7
        return _day(now + timedelta(days=ahead - 7 if step < 0 else (ahead or 7) if step > 0 else ahead))
    return _shifted(words[1], step, now)


def _day(moment: datetime) -> Period:
    return _period(moment.year, moment.month, moment.day, Precision.DAY)


def _shifted(unit: str, count: int, now: datetime) -> Period:
    """The calendar unit that lies ``count`` away. A week starts on Monday and is known to the day."""
    if unit == "year":
        return _period(now.year + count)
    if unit == "day":
        return _day(now + timedelta(days=count))
    if unit == "week":
        monday = _day(now - timedelta(days=now.weekday()) + timedelta(weeks=count)).start
        return Period(monday, monday + timedelta(weeks=1), Precision.DAY)
    size = 3 if unit == "quarter" else 1
    months = (now.year * 12 + now.month - 1) // size * size + count * size
    return _period(months // 12, months % 12 + 1, 1, Precision.QUARTER if size == 3 else Precision.MONTH)
