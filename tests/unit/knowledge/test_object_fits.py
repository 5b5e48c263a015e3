"""Whether an object is of the kinds that a policy names."""

from __future__ import annotations

import pytest

from domain.knowledge.assertion import Mention
from domain.knowledge.kinds import object_fits
from domain.knowledge.objects import Literal, TextValue
from domain.knowledge.predicate import PredicatePolicy


@pytest.mark.parametrize(
    ("target", "kinds", "fits"),
    [
        (TextValue("2020"), {"organization"}, False),
        (TextValue("2020"), {"text", "organization"}, True),
        (TextValue("2020"), set(), True),
        (Mention("Acme", "Organization"), {"organization"}, True),
        (Mention("Acme", "place"), {"organization"}, False),
        (Mention("Acme"), {"organization"}, True),
        (Mention("Acme"), {"date"}, False),
    ],
)
def test_a_literal_is_of_its_type_and_a_thing_of_its_kind(
    target: Mention | Literal, kinds: set[str], fits: bool
) -> None:
    assert object_fits(target, PredicatePolicy("WORKS_FOR", object_kinds=frozenset(kinds))) is fits
