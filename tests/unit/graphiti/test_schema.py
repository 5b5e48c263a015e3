"""What the graph stores of an id."""

from __future__ import annotations

import pytest

from adapters.graphiti.schema import created_at


@pytest.mark.parametrize(
    ("element_id", "moment"),
    [
        ("01941f29-7c00-7000-8000-000000000000", "2025-01-01T00:00:00+00:00"),
        ("e677d21f-dbff-7000-8000-000000000000", "9999-12-31T23:59:59.999000+00:00"),
        ("e677d21f-dc00-7000-8000-000000000000", "1970-01-01T00:00:00+00:00"),
        ("ffffffff-ffff-7fff-bfff-ffffffffffff", "1970-01-01T00:00:00+00:00"),
        ("01941f29-7c00-4000-8000-000000000000", "1970-01-01T00:00:00+00:00"),
    ],
)
def test_an_id_says_when_it_was_made_unless_that_is_no_date(element_id: str, moment: str) -> None:
    assert created_at(element_id) == moment
