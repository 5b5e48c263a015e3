"""A sentence shows a date with the preposition that it asks for."""

from __future__ import annotations

from datetime import UTC, datetime
from decimal import Decimal

import pytest

from domain.knowledge.objects import DateValue, NumberValue
from domain.knowledge.time import Precision
from domain.knowledge.wording import describe, fitted

AT = datetime(2018, 3, 12, 9, 30, tzinfo=UTC)


@pytest.mark.parametrize(
    ("phrase", "precision", "expected"),
    [
        ("opened on", Precision.YEAR, "opened in 2018"),
        ("opened on", Precision.QUARTER, "opened in Q1 2018"),
        ("opened on", Precision.MONTH, "opened in March 2018"),
        ("opened on", Precision.DAY, "opened on 12 March 2018"),
        ("was founded in", Precision.DAY, "was founded on 12 March 2018"),
        ("was founded in", Precision.YEAR, "was founded in 2018"),
        ("was detected at", Precision.DAY, "was detected on 12 March 2018"),
        ("was detected at", Precision.SECOND, "was detected at 12 March 2018, 09:30 UTC"),
        ("is dated", Precision.YEAR, "is dated 2018"),
    ],
)
def test_on_a_day_in_a_year_at_a_time(phrase: str, precision: Precision, expected: str) -> None:
    date = DateValue(AT, precision)
    assert f"{fitted(phrase, date)} {describe(date)}" == expected


def test_only_dates_change_a_phrase() -> None:
    assert fitted("depends on", NumberValue(Decimal(3))) == "depends on"
