from __future__ import annotations

from datetime import UTC, datetime
from decimal import Decimal
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from domain.errors import InvalidInput
from domain.ingestion.typed_triples import typed_triple
from domain.knowledge.assertion import Claim, ClaimKind, Mention, Polarity
from domain.knowledge.objects import BooleanValue, DateValue, NumberValue, TextValue
from domain.knowledge.time import Precision, TimeBound

LINE: dict[str, Any] = {"subject": "Acme", "predicate": "founded by", "object": "Elena Marsh"}


def line(**changes: Any) -> dict[str, Any]:
    return LINE | changes


def test_a_plain_string_object_is_an_entity_and_the_confidence_is_one() -> None:
    triple = typed_triple(LINE)
    assert triple.claim == Claim(Mention("Acme"), "FOUNDED_BY", Mention("Elena Marsh"), 1.0)
    assert (triple.key, triple.excerpt) == (None, None)


def test_every_field_lands_in_the_claim() -> None:
    triple = typed_triple(
        line(
            key="row 1",
            subject={"name": "order service", "kind": "service"},
            polarity="refute",
            kind="opinion",
            confidence=0.25,
            valid_from="2021-Q2",
            valid_to="2023-04-03",
            observed_at="2024-01-02T03:04:05+02:00",
            asserter="Ann",
            qualifiers={"environment": "prod"},
            excerpt="as written",
        )
    )
    assert triple.claim == Claim(
        Mention("order service", "service"),
        "FOUNDED_BY",
        Mention("Elena Marsh"),
        0.25,
        Polarity.REFUTE,
        ClaimKind.OPINION,
        "Ann",
        TimeBound.stated(datetime(2021, 4, 1, tzinfo=UTC), Precision.QUARTER),
        TimeBound.stated(datetime(2023, 4, 3, tzinfo=UTC), Precision.DAY),
        datetime(2024, 1, 2, 1, 4, 5, tzinfo=UTC),
        {"environment": "prod"},
    )
    assert (triple.key, triple.excerpt) == ("row 1", "as written")


@pytest.mark.parametrize(
    ("stated", "value"),
    [
        ({"entity": "Oslo", "kind": "place"}, Mention("Oslo", "place")),
        ({"date": "2021-04"}, DateValue(datetime(2021, 4, 1, tzinfo=UTC), Precision.MONTH)),
        ({"number": 0.1, "unit": "ms"}, NumberValue(Decimal("0.1"), "ms")),
        ({"number": "12345678901234567890.5"}, NumberValue(Decimal("12345678901234567890.5"))),
        ({"text": "bảo trì", "language": "vi"}, TextValue("bảo trì", "vi")),
        ({"boolean": False}, BooleanValue(False)),
    ],
)
def test_an_object_is_read_by_its_form(stated: dict[str, Any], value: object) -> None:
    assert typed_triple(line(object=stated)).claim.object == value


@pytest.mark.parametrize(
    ("bad", "field"),
    [
        (line(group_id="p_0"), "group_id"),
        (line(organization_id="x"), "organization_id"),
        (line(colour="red"), "colour"),
        (line(subject={"name": "A", "group_id": "p_0"}), "subject.group_id"),
        (line(subject=""), "subject"),
        (line(subject=5), "subject"),
        (line(subject={"kind": "x"}), "subject.name"),
        (line(predicate="x" * 300), "predicate"),
        (line(predicate="…"), "predicate"),
        ({"subject": "a", "object": "b"}, "predicate"),
        ({"subject": "a", "predicate": "b"}, "object"),
        (line(object={"text": "a", "date": "2021"}), "object.text"),
        (line(object={"date": "2021-02-30"}), "object.date"),
        (line(object={"date": "2021-02-03T04:05:06"}), "object.date"),
        (line(object={"number": float("nan")}), "object.number"),
        (line(object={"number": "1e9999"}), "object.number"),
        (line(object={"number": True}), "object.number"),
        (line(object={"number": "12 apples"}), "object.number"),
        (line(object={"boolean": "yes"}), "object.boolean"),
        (line(object={"text": "x" * 4001}), "object.text"),
        (line(object=[]), "object"),
        (line(confidence=float("nan")), "confidence"),
        (line(confidence=1.01), "confidence"),
        (line(confidence=True), "confidence"),
        (line(confidence=None), "confidence"),
        (line(polarity="maybe"), "polarity"),
        (line(kind=[]), "kind"),
        (line(observed_at="2024-01-02T03:04:05"), "observed_at"),
        (line(observed_at="2024"), "observed_at"),
        (line(valid_from="2024", valid_to="2023"), "valid_from"),
        (line(valid_to="soon"), "valid_to"),
        (line(qualifiers={"environment": 1}), "qualifiers.environment"),
        (line(excerpt="x" * 301), "excerpt"),
        (line(object={"text": "a\x00"}), "object.text"),
        (line(subject="half \ud800"), "subject"),
        ([], "line"),
    ],
)
def test_a_bad_line_is_refused_by_the_name_of_its_field(bad: Any, field: str) -> None:
    with pytest.raises(InvalidInput) as refusal:
        typed_triple(bad)
    assert refusal.value.field in (field, "name" if field == "subject" else field)


json_values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=20),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=8), inner, max_size=3),
    max_leaves=8,
)
NAMES = [*LINE, "key", "polarity", "kind", "confidence", "valid_from", "valid_to", "observed_at", "qualifiers"]


@given(st.dictionaries(st.sampled_from(NAMES) | st.text(max_size=8), json_values, max_size=6))
def test_any_line_gives_a_claim_or_a_refusal_with_a_field(changes: dict[str, Any]) -> None:
    refused: str | None = "none"
    try:
        typed_triple(LINE | changes)
    except InvalidInput as refusal:
        refused = refusal.field
    assert refused


@given(st.decimals(allow_nan=False, allow_infinity=False, places=4, min_value=-(10**12), max_value=10**12))
def test_a_number_stays_exact(number: Decimal) -> None:
    assert typed_triple(line(object={"number": str(number)})).claim.object == NumberValue(number)
