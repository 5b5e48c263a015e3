from __future__ import annotations

from datetime import UTC, datetime, timedelta, timezone
from decimal import Decimal
from uuid import UUID

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from domain.errors import InvalidInput
from domain.identity.ids import EntityId
from domain.knowledge.objects import (
    BooleanValue,
    DateValue,
    EntityRef,
    Literal,
    NumberValue,
    Relation,
    TextValue,
    TypedObject,
    normal_form,
    relation,
)
from domain.knowledge.time import Precision
from domain.knowledge.units import unit_name
from domain.knowledge.wording import describe

ID = EntityId(UUID("018f0000-0000-7000-8000-000000000001"))


def date(year: int, month: int = 1, day: int = 1, precision: Precision = Precision.DAY) -> DateValue:
    return DateValue(datetime(year, month, day, tzinfo=UTC), precision)


def number(value: str, unit: str | None = None) -> NumberValue:
    return NumberValue(Decimal(value), unit)


@pytest.mark.parametrize(
    ("obj", "form"),
    [
        (EntityRef(ID), "entity:018f0000-0000-7000-8000-000000000001"),
        (date(1990, precision=Precision.YEAR), "date:1990"),
        (date(33, 5, precision=Precision.YEAR), "date:0033"),
        (date(1990, 5, precision=Precision.QUARTER), "date:1990-Q2"),
        (date(1990, 4, precision=Precision.MONTH), "date:1990-04"),
        (date(1990, 4, 1), "date:1990-04-01"),
        (DateValue(datetime(1990, 4, 1, 12, 30, tzinfo=UTC), Precision.SECOND), "date:1990-04-01T12:30:00Z"),
        (
            DateValue(datetime(1990, 4, 1, 7, tzinfo=timezone(timedelta(hours=7))), Precision.SECOND),
            "date:1990-04-01T00:00:00Z",
        ),
        (number("12500.00", "usd"), "number:12500|USD"),
        (number("1.25E+4", "$"), "number:12500|USD"),
        (number("-0.0"), "number:0|"),
        (number("0.10", "percent"), "number:0.1|%"),
        (number("1E+60"), "number:1E+60|"),
        (number("5", "Mb"), "number:5|Mb"),
        (TextValue("  Phở\n\tBò ", "vi"), "text:phở bò"),
        (TextValue("STRASSE"), "text:strasse"),
        (TextValue("Straße"), "text:strasse"),
        (BooleanValue(True), "boolean:true"),
        (BooleanValue(False), "boolean:false"),
    ],
)
def test_normal_forms(obj: TypedObject, form: str) -> None:
    assert normal_form(obj) == form


def test_a_text_composed_or_not_has_one_normal_form() -> None:
    assert normal_form(TextValue("cafe\u0301")) == normal_form(TextValue("caf\u00e9")) == "text:caf\u00e9"


@pytest.mark.parametrize("value", ["NaN", "Infinity", "-Infinity", "sNaN"])
def test_a_number_that_is_not_finite_is_refused(value: str) -> None:
    with pytest.raises(InvalidInput, match="must be finite"):
        normal_form(number(value))


def test_a_number_with_too_many_digits_is_refused() -> None:
    with pytest.raises(InvalidInput, match="at most 1000 digits"):
        normal_form(NumberValue(Decimal("1" * 1001)))


@pytest.mark.parametrize(
    ("a", "b", "forth", "back"),
    [
        (date(1990, 4, 1), date(1990, precision=Precision.YEAR), Relation.REFINES, Relation.COMPATIBLE),
        (date(1990, 4, precision=Precision.MONTH), date(1990, 5, precision=Precision.QUARTER),
         Relation.REFINES, Relation.COMPATIBLE),
        (date(1990, 4, 1), date(1991, precision=Precision.YEAR), Relation.DIFFERENT, Relation.DIFFERENT),
        (date(1990, 4, 1), date(1990, 4, 2), Relation.DIFFERENT, Relation.DIFFERENT),
        (date(1990, 4, 1), date(1990, 4, 1), Relation.SAME, Relation.SAME),
        (number("5"), number("5.0", "USD"), Relation.COMPATIBLE, Relation.COMPATIBLE),
        (number("5", "$"), number("5.0", "USD"), Relation.SAME, Relation.SAME),
        (number("5", "EUR"), number("5", "USD"), Relation.DIFFERENT, Relation.DIFFERENT),
        (number("5"), number("6"), Relation.DIFFERENT, Relation.DIFFERENT),
        (TextValue("Open"), TextValue(" open "), Relation.SAME, Relation.SAME),
        (TextValue("open"), TextValue("closed"), Relation.DIFFERENT, Relation.DIFFERENT),
        (TextValue("5"), number("5"), Relation.DIFFERENT, Relation.DIFFERENT),
        (BooleanValue(True), BooleanValue(False), Relation.DIFFERENT, Relation.DIFFERENT),
        (EntityRef(ID), EntityRef(ID), Relation.SAME, Relation.SAME),
        (EntityRef(ID), TextValue("Acme"), Relation.DIFFERENT, Relation.DIFFERENT),
    ],
)  # fmt: skip
def test_relations(a: TypedObject, b: TypedObject, forth: Relation, back: Relation) -> None:
    assert (relation(a, b), relation(b, a)) == (forth, back)


OBJECTS: st.SearchStrategy[TypedObject] = st.one_of(
    st.builds(DateValue, st.datetimes(datetime(1989, 1, 1), datetime(1991, 1, 1), timezones=st.just(UTC)),
              st.sampled_from(list(Precision))),
    st.builds(NumberValue, st.decimals(-3, 3, places=1), st.sampled_from([None, "USD", "$", "EUR", " "])),
    st.builds(TextValue, st.sampled_from(["a", "A", "b", " a"])),
    st.builds(BooleanValue, st.booleans()),
)  # fmt: skip


@settings(deadline=None, max_examples=200)
@given(OBJECTS, OBJECTS)
def test_same_is_equality_of_normal_forms_and_refinement_goes_one_way(a: TypedObject, b: TypedObject) -> None:
    forth, back = relation(a, b), relation(b, a)
    assert (forth is Relation.SAME) == (normal_form(a) == normal_form(b))
    assert (forth is Relation.DIFFERENT) == (back is Relation.DIFFERENT)
    if forth is Relation.REFINES:
        assert back is Relation.COMPATIBLE


@settings(deadline=None, max_examples=200)
@given(st.decimals(allow_nan=False, allow_infinity=False), st.integers(0, 5))
def test_numbers_of_one_value_have_one_normal_form(value: Decimal, zeros: int) -> None:
    sign, digits, exponent = value.as_tuple()
    assert isinstance(exponent, int)
    padded = Decimal((sign, (*digits, *[0] * zeros), exponent - zeros))
    assert normal_form(NumberValue(padded)) == normal_form(NumberValue(value))


@pytest.mark.parametrize(
    ("literal", "shown"),
    [
        (date(1990, precision=Precision.YEAR), "1990"),
        (date(1990, 5, precision=Precision.QUARTER), "Q2 1990"),
        (date(1990, 4, precision=Precision.MONTH), "April 1990"),
        (date(1990, 4, 1), "1 April 1990"),
        (DateValue(datetime(1990, 4, 1, 9, 5, tzinfo=UTC), Precision.SECOND), "1 April 1990, 09:05 UTC"),
        (DateValue(datetime(1990, 4, 1, 9, 5, 7, tzinfo=UTC), Precision.SECOND), "1 April 1990, 09:05:07 UTC"),
        (number("12500", "usd"), "12,500 USD"),
        (number("-1234567.50"), "-1,234,567.5"),
        (number("-0.5"), "-0.5"),
        (number("12.5", "percent"), "12.5%"),
        (number("1E+60", "kg"), "1E+60 kg"),
        (TextValue("As it is"), "As it is"),
        (BooleanValue(False), "false"),
    ],
)
def test_literals_are_shown_as_a_reader_expects(literal: Literal, shown: str) -> None:
    assert describe(literal) == shown


@pytest.mark.parametrize(
    ("stated", "name"),
    [
        (None, None),
        ("  ", None),
        ("€", "EUR"),
        ("US Dollars", "USD"),
        ("MB", "MB"),
        ("Mb", "Mb"),
        ("hrs", "h"),
        ("₫", "VND"),
    ],
)
def test_units_have_one_name(stated: str | None, name: str | None) -> None:
    assert unit_name(stated) == name
