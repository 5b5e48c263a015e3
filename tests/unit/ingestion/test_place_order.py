"""Places of a file in the order in which people count them."""

from __future__ import annotations

from domain.ingestion.claims import place_order


def test_places_are_sorted_by_their_numbers() -> None:
    places = ["row 10", "row 9", "/items/2/name", "line 5", "/items/10", "row 9, column 2", "12", ""]
    assert sorted(places, key=place_order) == [
        "", "12", "/items/2/name", "/items/10", "line 5", "row 9", "row 9, column 2", "row 10",
    ]  # fmt: skip
