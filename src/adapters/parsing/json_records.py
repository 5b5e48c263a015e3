"""JSON records: an array of objects, {"records": [...]}, one object, or one object a line (NDJSON)."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from adapters.parsing.json_values import JsonText, JsonValue
from adapters.parsing.text import decoded, normalized
from domain.errors import DocumentUnreadable, shown
from domain.ingestion.parsed import ParsedDocument, ParseProblem, Record

_MEMBER = "records"
_Item = Record | ParseProblem


def parse_json_records(data: bytes) -> ParsedDocument:
    """Each object is a record; an item that is none, or has a fault, is a problem.

    Raises DocumentUnreadable when the whole is neither JSON nor NDJSON.
    """
    return records_in(JsonText(normalized(decoded(data))))


def parse_json_lines(data: bytes) -> ParsedDocument:
    """One object a line; a bad line is a problem, and the others land. Raises DocumentUnreadable for bad encoding."""
    text = normalized(decoded(data))
    return _by_line(text)


def records_in(json: JsonText) -> ParsedDocument:
    """The records of a decoded text; see ``parse_json_records``."""
    if json.first() != "{":
        items = (_item(json.text, f"/{index}", found) for index, found in enumerate(json.elements()))
        return _document(json.text, items)
    try:
        members = json.members()
    except DocumentUnreadable:
        by_line = _by_line(json.text)
        if by_line.records:
            return by_line
        raise
    return _from_object(json, members)


def _from_object(json: JsonText, members: dict[str, JsonValue]) -> ParsedDocument:
    wrapped = members.get(_MEMBER)
    if wrapped is None or not isinstance(wrapped.value, list):
        return _document(json.text, iter([_item(json.text, "", json.whole())]))
    found = enumerate(json.elements(wrapped.start))
    title = members["title"].value if "title" in members and not members["title"].faults else None
    items = (_item(json.text, f"/{_MEMBER}/{index}", value) for index, value in found)
    return _document(json.text, items, title if isinstance(title, str) else None)


def _by_line(text: str) -> ParsedDocument:
    lines = text.removesuffix("\n").split("\n")
    return replace(_document(text, _lines(text)), blank_lines=sum(not line.strip() for line in lines))


def _lines(text: str) -> Iterator[_Item]:
    for number, line in enumerate(text.split("\n"), start=1):
        if not line.strip():
            continue
        where = f"line {number}"
        try:
            yield _item(line, where, JsonText(line).whole())
        except DocumentUnreadable:
            message = f"Line {number} is not valid JSON: {shown(line)}."
            yield ParseProblem(where=where, code="line_malformed", message=message)


def _item(text: str, where: str, found: JsonValue) -> _Item:
    literal = text[found.start : found.end]
    place = where or "the document"
    if found.faults:
        fault = found.faults[0]
        return ParseProblem(where=where, code=fault.code, message=f"{place}: {fault.message}: {shown(literal)}.")
    if not isinstance(found.value, dict):
        return ParseProblem(where=where, code="not_an_object", message=f"{place} is no object: {shown(literal)}.")
    if not found.value:
        return ParseProblem(where=where, code="record_empty", message=f"{place} is an object without fields.")
    return Record(pointer=where, literal=literal, fields=found.value)


def _document(text: str, items: Iterator[_Item], title: str | None = None) -> ParsedDocument:
    records: list[Record] = []
    problems: list[ParseProblem] = []
    for item in items:
        if isinstance(item, Record):
            records.append(item)
        else:
            problems.append(item)
    return ParsedDocument(text=text, title=title, records=tuple(records), problems=tuple(problems))
