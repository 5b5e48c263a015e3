from __future__ import annotations

from datetime import UTC, datetime
from decimal import Decimal
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from domain.errors import InvalidInput
from domain.ingestion.claims import Rejection
from domain.ingestion.mapping import claims_of
from domain.ingestion.mapping_form import parse_mapping
from domain.ingestion.stated_values import end_of, parse_boolean, parse_date, parse_number, zone_named
from domain.knowledge.assertion import Claim, ClaimKind, Mention
from domain.knowledge.objects import BooleanValue, DateValue, NumberValue, TextValue
from domain.knowledge.time import Precision, TimeBound

FORM: dict[str, Any] = {
    "subject": "name",
    "subject_kind": "service",
    "key": "id",
    "observed_at": "exported",
    "zone": "Europe/Berlin",
    "properties": [
        {"column": "owner", "predicate": "owned by", "object": "entity", "object_kind": "team"},
        {"column": "needs", "predicate": "DEPENDS_ON", "object": "entity", "split": ";"}
        | {"qualifiers": {"environment": "env"}},
        {"column": "cost", "predicate": "COSTS", "object": "number", "unit": "EUR"},
        {"column": "born", "predicate": "CREATED_ON", "object": "date"},
        {"column": "public", "predicate": "IS_PUBLIC", "object": "boolean"},
        {"column": "note", "predicate": "HAS_NOTE", "object": "text"},
        {"column": "from", "role": "valid_from", "applies_to": ["owner"]},
        {"column": "to", "role": "valid_to"},
    ],
}  # fmt: skip
MAPPING = parse_mapping(FORM)
SUBJECT = Mention("billing", "service")


def only(claims: list[Claim], predicate: str) -> Claim:
    (claim,) = [claim for claim in claims if claim.predicate == predicate]
    return claim


def test_a_record_gives_one_certain_fact_a_value() -> None:
    claims, rejections = claims_of(
        {
            "id": "7", "name": "billing", "owner": "Team Falcon", "needs": "ledger; auth;", "env": "prod",
            "cost": "1,200.50", "born": "2021-04", "public": "Yes", "note": "", "from": "2022", "to": "2023-05-01",
            "exported": "2024-01-02T03:04:05",
        },
        MAPPING,
    )  # fmt: skip
    observed = datetime(2024, 1, 2, 2, 4, 5, tzinfo=UTC)
    end = TimeBound.stated(datetime(2023, 5, 1, tzinfo=UTC), Precision.DAY)
    assert rejections == []
    assert only(claims, "OWNED_BY") == Claim(
        SUBJECT,
        "OWNED_BY",
        Mention("Team Falcon", "team"),
        1.0,
        kind=ClaimKind.FACT,
        valid_from=TimeBound.stated(datetime(2022, 1, 1, tzinfo=UTC), Precision.YEAR),
        valid_to=end,
        observed_at=observed,
    )
    assert [(c.object, c.qualifiers) for c in claims if c.predicate == "DEPENDS_ON"] == [
        (Mention("ledger"), {"environment": "prod"}),
        (Mention("auth"), {"environment": "prod"}),
    ]
    assert only(claims, "COSTS").object == NumberValue(Decimal("1200.50"), "EUR")
    assert only(claims, "CREATED_ON").object == DateValue(datetime(2021, 4, 1, tzinfo=UTC), Precision.MONTH)
    assert only(claims, "IS_PUBLIC").object == BooleanValue(True)
    assert len(claims) == 6


def test_an_unreadable_cell_is_rejected_and_the_others_land() -> None:
    claims, rejections = claims_of({"id": "7", "name": "billing", "cost": "cheap", "note": "ok", "to": "soon"}, MAPPING)
    assert [claim.object for claim in claims] == [TextValue("ok")]
    assert [rejection.code for rejection in rejections] == ["value_unreadable", "value_unreadable"]
    assert rejections[1].detail == "cost 'cheap' is not a number; write it like 1200.50, 1,200.50 or 12 %"


def test_a_record_without_a_subject_gives_nothing() -> None:
    assert claims_of({"id": "7", "name": " "}, MAPPING) == (
        [],
        [Rejection("subject_missing", "column 'name' is empty")],
    )


def test_json_lists_are_several_values_and_objects_are_refused() -> None:
    claims, rejections = claims_of({"name": "billing", "needs": ["ledger", "auth"], "note": {"a": 1}}, MAPPING)
    assert [claim.object for claim in claims] == [Mention("ledger"), Mention("auth")]
    assert rejections == [Rejection("value_unreadable", "note holds an object; map its own fields")]


@pytest.mark.parametrize(
    ("change", "field"),
    [
        ({"subject": None}, "subject"),
        ({"key": 5}, "key"),
        ({"zone": "Mars/Base"}, "zone"),
        ({"properties": []}, "properties"),
        ({"group_id": "p_1"}, "group_id"),
        ({"properties": [{"column": "a", "predicate": "P", "object": "colour"}]}, "properties[0].object"),
        ({"properties": [{"column": "a", "object": "text"}]}, "properties[0].predicate"),
        ({"properties": [{"column": "a", "predicate": "P" * 300, "object": "text"}]}, "properties[0].predicate"),
        ({"properties": [{"column": "a", "predicate": "P", "object": "text", "unit": "ms"}]}, "properties[0].unit"),
        ({"properties": [{"column": "a", "role": "valid_from"}]}, "properties"),
        (
            {"properties": [*FORM["properties"], {"column": "a", "role": "valid_to", "applies_to": ["ghost"]}]},
            "properties[8].applies_to",
        ),
        ({"properties": [{"column": "a", "predicate": "P", "object": "text", "typo": 1}]}, "properties[0].typo"),
    ],
)
def test_a_wrong_mapping_is_refused_by_the_name_of_its_field(change: dict[str, Any], field: str) -> None:
    with pytest.raises(InvalidInput) as refusal:
        parse_mapping({key: value for key, value in (FORM | change).items() if value is not None})
    assert refusal.value.field == field


def test_a_header_without_a_mapped_column_is_refused() -> None:
    with pytest.raises(InvalidInput, match="column 'born' is mapped but not in the data, which has id, name"):
        MAPPING.check_header(["id", "name"])


@pytest.mark.parametrize(
    ("stated", "value", "unit"),
    [
        ("1,200.50", "1200.50", None),
        ("12 %", "12", "%"),
        ("-3.5e2", "-350", None),
        ("$7", "7", "USD"),
        ("35ms", "35", "ms"),
        ("4 €", "4", "EUR"),
    ],
)
def test_numbers_are_exact(stated: str, value: str, unit: str | None) -> None:
    assert parse_number(stated) == NumberValue(Decimal(value), unit)


@pytest.mark.parametrize("stated", ["", "1,20", "1.2.3", "twelve", "12 ms more", "$5 EUR", "٣" * 3 + "x" * 40])
def test_what_is_not_a_number_is_refused(stated: str) -> None:
    with pytest.raises(InvalidInput):
        parse_number(stated)


def test_a_number_in_another_unit_than_declared_is_refused() -> None:
    with pytest.raises(InvalidInput, match="is in USD, not in EUR as declared"):
        parse_number("$5", "cost", "EUR")


@pytest.mark.parametrize(
    "stated", ["2021-13", "2021-02-30", "0000", "21", "3 May", "2021-04-03T25:00Z", "2021-04-03T10:00"]
)
def test_what_is_not_a_date_is_refused(stated: str) -> None:
    with pytest.raises(InvalidInput):
        parse_date(stated)


def test_a_naive_time_is_read_in_the_declared_zone() -> None:
    assert parse_date("2021-07-03 10:00", zone=zone_named("Europe/Berlin")) == DateValue(
        datetime(2021, 7, 3, 8, tzinfo=UTC), Precision.SECOND
    )


@pytest.mark.parametrize(
    ("stated", "words"),
    [("2026-03-29T02:30", "does not exist in Europe/Berlin"), ("2026-10-25 02:30", "comes twice in Europe/Berlin")],
)
def test_an_hour_that_the_clocks_skip_or_show_twice_is_refused_without_an_offset(stated: str, words: str) -> None:
    with pytest.raises(InvalidInput, match=words):
        parse_date(stated, zone=zone_named("Europe/Berlin"))
    assert parse_date(f"{stated}+02:00", zone=zone_named("Europe/Berlin")).value.hour == 0
    assert parse_date("2026-10-25T03:00", zone=zone_named("Europe/Berlin")).value.hour == 2


def test_truth_values_in_any_case() -> None:
    assert [parse_boolean(value) for value in ("YES", "no", "True", "false")] == [True, False, True, False]


@given(st.datetimes(datetime(1, 1, 1), datetime(9998, 12, 31), timezones=st.just(UTC)), st.sampled_from(Precision))
def test_a_period_ends_after_it_starts(moment: datetime, precision: Precision) -> None:
    start = moment.replace(day=1)
    assert (end_of(start, precision) or datetime.max.replace(tzinfo=UTC)) > start


COLUMNS = ["id", "name", "owner", "needs", "env", "cost", "born", "public", "note", "from", "to", "exported"]


@given(st.dictionaries(st.sampled_from(COLUMNS), st.text(max_size=12)))
def test_any_record_gives_claims_or_rejections_but_no_error(record: dict[str, str]) -> None:
    claims, rejections = claims_of(record, MAPPING)
    assert all(claim.kind is ClaimKind.FACT for claim in claims)
    assert all(rejection.detail for rejection in rejections)
