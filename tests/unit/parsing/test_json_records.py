from __future__ import annotations

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from adapters.parsing.json_records import parse_json_lines, parse_json_records
from domain.errors import DocumentUnreadable
from domain.ingestion.parsed import ParsedDocument


def records_of(parsed: ParsedDocument) -> list[tuple[str, str, dict[str, object]]]:
    return [(record.pointer, record.literal, dict(record.fields)) for record in parsed.records]


def test_an_array_of_objects_keeps_each_objects_own_text() -> None:
    parsed = parse_json_records(b'[\n  {"a": 1,  "b": [true, null]},\n  {"a": 1.50}\n]\n')
    assert records_of(parsed) == [
        ("/0", '{"a": 1,  "b": [true, null]}', {"a": 1, "b": [True, None]}),
        ("/1", '{"a": 1.50}', {"a": 1.5}),
    ]


def test_wrapped_records_keep_their_pointer_and_title() -> None:
    parsed = parse_json_records(b'{"title": "Hosts", "count": 2, "records": [{"h": "a"}, {"h": "b"}], "next": null}')
    assert [pointer for pointer, _, _ in records_of(parsed)] == ["/records/0", "/records/1"]
    assert parsed.title == "Hosts"


def test_one_object_is_one_record() -> None:
    assert records_of(parse_json_records(b' {"h": {"x": 1}} ')) == [("", '{"h": {"x": 1}}', {"h": {"x": 1}})]


def test_lines_of_objects_are_found_without_being_declared() -> None:
    parsed = parse_json_records(b'{"a": 1}\n\n{"a": 2}\n')
    assert records_of(parsed) == [("line 1", '{"a": 1}', {"a": 1}), ("line 3", '{"a": 2}', {"a": 2})]
    assert parsed.blank_lines == 1


def test_a_bad_line_is_a_problem_and_the_others_land() -> None:
    parsed = parse_json_lines(b'{"a": 1}\n{"a": \n[1]\n{"a": NaN}\n{"a": 1e999}\n{}\n{"a": 1, "a": 2}\n{"a": 3}')
    assert [record.pointer for record in parsed.records] == ["line 1", "line 8"]
    assert [(problem.where, problem.code) for problem in parsed.problems] == [
        ("line 2", "line_malformed"),
        ("line 3", "not_an_object"),
        ("line 4", "not_a_number"),
        ("line 5", "number_too_large"),
        ("line 6", "record_empty"),
        ("line 7", "duplicate_name"),
    ]


@pytest.mark.parametrize("value", ['"\\u0000"', '"\\ud800"', '{"\\udfff": 1}', "1" * 5000])
def test_a_value_that_no_store_can_hold_is_a_problem(value: str) -> None:
    parsed = parse_json_records(f'[{{"a": {value}}}, {{"a": 1}}]'.encode())
    assert [record.pointer for record in parsed.records] == ["/1"]
    assert [problem.where for problem in parsed.problems] == ["/0"]


def test_a_whole_surrogate_pair_is_a_character() -> None:
    assert records_of(parse_json_records(b'[{"a": "\\ud83d\\ude00"}]'))[0][2] == {"a": "😀"}


def test_escaped_accents_become_normal_form() -> None:
    assert records_of(parse_json_records(b'[{"e\\u0301": "e\\u0301"}]'))[0][2] == {"é": "é"}


@pytest.mark.parametrize(
    ("text", "where"),
    [
        ('[{"a": 1},', "line 1, column 11"),
        ('[{"a": 1}\n {"a": 2}]', "line 2, column 2"),
        ('[{"a": 1}] x', "line 1, column 12"),
        ("42", "line 1, column 1"),
        ('{"a": 1,\n "b": }', "line 2, column 7"),
        ("[" * 100_000, "nest deeper than 64 levels"),
        ('[{"a": ' + "[" * 70 + "]" * 70 + "}]", "nest deeper than 64 levels"),
    ],
)
def test_what_is_no_json_is_refused_with_line_and_column(text: str, where: str) -> None:
    with pytest.raises(DocumentUnreadable, match=where):
        parse_json_records(text.encode())


VALUES = st.recursive(
    st.none()
    | st.booleans()
    | st.integers(-(10**20), 10**20)
    | st.floats(allow_nan=False, allow_infinity=False)
    | st.text(alphabet='aế北ع\n"\\ '),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(alphabet="abế", max_size=3), inner, max_size=3),
    max_leaves=8,
)
OBJECTS = st.lists(st.dictionaries(st.text(alphabet="abế", max_size=3), VALUES, min_size=1, max_size=3), max_size=4)


@given(OBJECTS, st.sampled_from([None, 2]), st.booleans())
def test_what_is_written_is_read_back(objects: list[dict[str, object]], indent: int | None, ascii_only: bool) -> None:
    parsed = parse_json_records(json.dumps(objects, indent=indent, ensure_ascii=ascii_only).encode())
    assert [record.fields for record in parsed.records] == objects
    assert [json.loads(record.literal) for record in parsed.records] == objects
    assert all(record.literal in parsed.text for record in parsed.records)
    assert parsed.problems == ()
