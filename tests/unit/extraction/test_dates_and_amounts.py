from __future__ import annotations

import re
from datetime import UTC, datetime
from decimal import Decimal

import pytest
from hypothesis import given
from hypothesis import strategies as st

from adapters.extraction.offline.amounts import parse_amount
from adapters.extraction.offline.dates import DATE, parse_period, period_name
from domain.knowledge.objects import NumberValue

THURSDAY = datetime(2024, 5, 16, 15, tzinfo=UTC)


@pytest.mark.parametrize(
    ("stated", "start", "end", "name"),
    [
        ("1994", "1994-01-01", "1995-01-01", "1994"),
        ("March 2019", "2019-03-01", "2019-04-01", "2019-03"),
        ("3 May 2021", "2021-05-03", "2021-05-04", "2021-05-03"),
        ("Dec. 31st, 2021", "2021-12-31", "2022-01-01", "2021-12-31"),
        ("2021-02", "2021-02-01", "2021-03-01", "2021-02"),
        ("Q3 2021", "2021-07-01", "2021-10-01", "2021-Q3"),
        ("the fourth quarter of 2021", "2021-10-01", "2022-01-01", "2021-Q4"),
        ("fiscal 2023", "2023-01-01", "2024-01-01", "2023"),
        ("yesterday", "2024-05-15", "2024-05-16", "2024-05-15"),
        ("last Tuesday", "2024-05-14", "2024-05-15", "2024-05-14"),
        ("last Thursday", "2024-05-09", "2024-05-10", "2024-05-09"),
        ("next Thursday", "2024-05-23", "2024-05-24", "2024-05-23"),
        ("last week", "2024-05-06", "2024-05-13", "2024-05-06"),
        ("last quarter", "2024-01-01", "2024-04-01", "2024-Q1"),
        ("last month", "2024-04-01", "2024-05-01", "2024-04"),
        ("next year", "2025-01-01", "2026-01-01", "2025"),
        ("two years ago", "2022-01-01", "2023-01-01", "2022"),
        ("3 days ago", "2024-05-13", "2024-05-14", "2024-05-13"),
    ],
)
def test_an_expression_names_its_period(stated: str, start: str, end: str, name: str) -> None:
    assert re.fullmatch(DATE, stated, re.IGNORECASE)
    period = parse_period(stated, THURSDAY)
    assert period is not None
    assert period.end is not None
    assert (period.start.date().isoformat(), period.end.date().isoformat()) == (start, end)
    assert period_name(period) == name


@pytest.mark.parametrize("stated", ["30 February 2021", "2021-13-01", "May 32, 2021", "soon"])
def test_what_does_not_exist_is_no_period(stated: str) -> None:
    assert parse_period(stated, THURSDAY) is None


def test_a_relative_time_needs_a_reference() -> None:
    assert parse_period("last year", None) is None


@pytest.mark.parametrize(
    ("stated", "value", "unit"),
    [
        ("$4.2 billion", "4200000000", "USD"),
        ("350,000 euros", "350000", "EUR"),
        ("12 percent", "12", "%"),
        ("1,250 people", "1250", "people"),
        ("three", "3", None),
        ("35 ms", "35", "ms"),
        ("€3m", "3000000", "EUR"),
    ],
)
def test_an_amount_is_exact_and_has_its_unit(stated: str, value: str, unit: str | None) -> None:
    assert parse_amount(stated) == NumberValue(Decimal(value), unit)


@pytest.mark.parametrize("stated", ["about 40", "more than 3 million users", "v2.1.3", "a few", "10,00"])
def test_what_is_not_exact_is_no_amount(stated: str) -> None:
    assert parse_amount(stated) is None


@given(st.integers(0, 10**12))
def test_a_grouped_number_is_read_back(number: int) -> None:
    assert parse_amount(f"{number:,}") == NumberValue(Decimal(number))


@given(st.text(max_size=40))
def test_any_text_is_read_without_an_error(text: str) -> None:
    parse_amount(text)
    parse_period(text, THURSDAY)
