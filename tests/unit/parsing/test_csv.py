from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from adapters.parsing.csv import parse_csv
from domain.errors import DocumentUnreadable


def rows_of(text: str) -> list[tuple[str, dict[str, object]]]:
    return [(record.pointer, dict(record.fields)) for record in parse_csv(text.encode()).records]


@pytest.mark.parametrize("delimiter", [",", ";", "\t", "|"])
def test_the_delimiter_is_found(delimiter: str) -> None:
    text = "name,city\nAn,Hà Nội\nBình,Huế\n".replace(",", delimiter)
    assert rows_of(text) == [("row 2", {"name": "An", "city": "Hà Nội"}), ("row 3", {"name": "Bình", "city": "Huế"})]


def test_decimal_commas_do_not_hide_a_semicolon() -> None:
    assert rows_of("a;b\n1,5;2,5\n3,5;4,5\n") == [
        ("row 2", {"a": "1,5", "b": "2,5"}),
        ("row 3", {"a": "3,5", "b": "4,5"}),
    ]


def test_one_column_needs_no_delimiter() -> None:
    assert rows_of("name\nAn\n") == [("row 2", {"name": "An"})]


def test_a_quoted_value_keeps_newlines_quotes_and_delimiters_and_its_literal_row() -> None:
    parsed = parse_csv(b'id,note\r\n1,"a ""b"",\r\nc"\r\n2,d\r\n')
    first, second = parsed.records
    assert first.fields == {"id": "1", "note": 'a "b",\nc'}
    assert first.literal == '1,"a ""b"",\nc"'
    assert first.literal in parsed.text
    assert (second.pointer, second.literal) == ("row 3", "2,d")


def test_values_are_stripped_and_empty_ones_are_none() -> None:
    assert rows_of("a, b ,c\n 1 ,,\n") == [("row 2", {"a": "1", "b": None, "c": None})]


def test_good_rows_land_and_each_ragged_one_is_named() -> None:
    parsed = parse_csv(b"a,b\n1,2\n3\n4,5,6\n\n,\n7,8\n")
    assert parsed.blank_lines == 1
    assert [record.pointer for record in parsed.records] == ["row 2", "row 7"]
    assert [(problem.where, problem.code, problem.message) for problem in parsed.problems] == [
        ("row 3", "field_count", "Row 3 has 1 fields; the header has 2: '3'."),
        ("row 4", "field_count", "Row 4 has 3 fields; the header has 2: '4,5,6'."),
        ("row 6", "record_empty", "Row 6 has no value in any field: ','."),
    ]


@given(st.lists(st.sampled_from(["1,2", "3", ",", " , ", "", "  ", '"",""']), max_size=12))
def test_every_line_is_a_record_a_problem_or_blank(lines: list[str]) -> None:
    parsed = parse_csv(("\n\na,b\n" + "".join(f"{line}\n" for line in lines)).encode())
    assert len(parsed.records) + len(parsed.problems) + parsed.blank_lines == len(lines) + 2


@pytest.mark.parametrize("bad", ['1,"open', '1,"shut" late'])
def test_a_row_with_broken_quotes_costs_no_other_row(bad: str) -> None:
    parsed = parse_csv(f"a,b\n0,0\n{bad}\n2,2\n3,3\n".encode())
    assert [record.literal for record in parsed.records] == ["0,0", "2,2", "3,3"]
    assert [(problem.where, problem.code) for problem in parsed.problems] == [("row 3", "quotes_unbalanced")]


def test_many_open_quotes_cost_only_their_rows() -> None:
    lines = [f'{n},"open' if n % 3 == 0 else f"{n},x" for n in range(6000)]
    parsed = parse_csv(("a,b\n" + "\n".join(lines)).encode())
    assert len(parsed.records) + len(parsed.problems) >= 2000
    assert all(record.literal in parsed.text for record in parsed.records)


def test_a_value_too_long_for_the_reader_is_a_problem() -> None:
    parsed = parse_csv(b"a,b\n1," + b"x" * 200_000 + b"\n2,3\n")
    assert [record.pointer for record in parsed.records] == ["row 3"]
    assert [problem.where for problem in parsed.problems] == ["row 2"]


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("\n\n", "CSV is empty"),
        ("a,b,a\n1,2,3\n", "names 'a' more than once"),
        ("a,,c\n1,2,3\n", "Column 2 of the CSV has no name"),
        ('a,"b\n1,2\n', "quotes of the CSV's header do not match"),
    ],
)
def test_without_a_usable_header_it_is_refused(text: str, message: str) -> None:
    with pytest.raises(DocumentUnreadable, match=message):
        parse_csv(text.encode())


VALUE = st.text(alphabet=st.sampled_from('ab, ;"\n\u2028\x0cế北ع'), max_size=8)


@given(st.lists(st.tuples(VALUE, VALUE), max_size=8))
def test_what_is_written_by_the_rules_is_read_back(rows: list[tuple[str, str]]) -> None:
    quoted = [",".join('"' + value.replace('"', '""') + '"' for value in row) for row in rows]
    parsed = parse_csv(("first,second\n" + "\n".join(quoted)).encode())
    expected = [(a.strip() or None, b.strip() or None) for a, b in rows if a.strip() or b.strip()]
    assert [(record.fields["first"], record.fields["second"]) for record in parsed.records] == expected
    assert [problem.code for problem in parsed.problems] == ["record_empty"] * (len(rows) - len(expected))
    assert all(record.literal in parsed.text for record in parsed.records)
