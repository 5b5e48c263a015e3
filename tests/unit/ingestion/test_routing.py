from __future__ import annotations

import pytest

from domain.errors import InvalidInput
from domain.ingestion.routing import Route, Routing, route_by_length, routing_sample


@pytest.mark.parametrize(
    ("text", "route", "reason"),
    [
        ("", Route.DISCARD, "the text is blank"),
        (" \n ", Route.DISCARD, "the text is blank"),
        (f"  {'x' * 499}  ", Route.FACTS, "499 characters, under 500"),
        ("x" * 500, Route.BOTH, "500 characters, 500 or more"),
    ],
)
def test_without_a_model_the_length_decides(text: str, route: Route, reason: str) -> None:
    assert route_by_length(text) == Routing(route, None, reason)


@pytest.mark.parametrize("confidence", [-0.1, 1.1, float("nan")])
def test_a_confidence_outside_0_to_1_is_refused(confidence: float) -> None:
    with pytest.raises(InvalidInput):
        Routing(Route.BOTH, confidence, "")


def test_the_sample_is_the_first_2000_characters() -> None:
    assert routing_sample("  " + "ế" * 3000) == "ế" * 2000
