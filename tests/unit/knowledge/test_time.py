"""Times have a zone and stand for a moment."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta, timezone

import pytest

from domain.errors import InvalidInput
from domain.knowledge.time import Interval, TimeBound, require_aware


def test_a_time_without_a_zone_is_refused_with_the_remedy() -> None:
    with pytest.raises(InvalidInput, match="no time zone"):
        require_aware(datetime(2026, 3, 1), "valid_from")


@pytest.mark.parametrize(
    "value",
    [
        datetime.max.replace(tzinfo=UTC),
        datetime.min.replace(tzinfo=UTC),
        datetime.min.replace(tzinfo=timezone(timedelta(hours=7))),
        datetime.max.replace(tzinfo=timezone(timedelta(hours=-7))),
    ],
)
def test_the_ends_of_time_are_no_moments(value: datetime) -> None:
    with pytest.raises(InvalidInput, match="stands for no moment"):
        TimeBound.stated(value)


def test_an_interval_is_half_open() -> None:
    start, end = datetime(2026, 1, 1, tzinfo=UTC), datetime(2026, 2, 1, tzinfo=UTC)
    interval = Interval(start, end)
    assert interval.contains(start)
    assert not interval.contains(end)
    assert not interval.overlaps(Interval(end, None))
    assert interval.overlaps(Interval(None, None))
