"""CSV (RFC 4180 and its cousins): one record a row, the header gives the names."""

from __future__ import annotations

import csv
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from adapters.parsing.text import decoded, normalized
from domain.errors import DocumentUnreadable, shown
from domain.ingestion.parsed import FieldValue, ParsedDocument, ParseProblem, Record

DELIMITERS = (",", ";", "\t", "|")
_SAMPLE_ROWS = 50
_ROW_LINES = 1000
"""A quote that is not closed within so many lines is taken for a mistake in its row alone."""


@dataclass(frozen=True, slots=True)
class _Row:
    """``number`` counts from 1, the header included. ``values`` is None where the quoting is broken."""

    number: int
    literal: str
    values: tuple[str, ...] | None


def parse_csv(data: bytes, delimiter: str | None = None) -> ParsedDocument:
    """Rows with as many fields as the header become records; each other row is a problem with its number.

    A row of empty fields is a problem, too; a blank line is counted. Values are stripped; an empty one is None.
    Raises DocumentUnreadable without a usable header.
    """
    text = normalized(decoded(data))
    lines = _lines(text)
    rows = _rows(lines, delimiter or _sniffed(lines))
    header = next((row for row in rows if row.values is None or any(row.values)), None)
    names = _names(header)
    records: list[Record] = []
    problems: list[ParseProblem] = []
    blank = header.number - 1 if header else 0
    for row in rows:
        if not row.literal.strip():
            blank += 1
        elif row.values is not None and not any(row.values):
            message = f"Row {row.number} has no value in any field: {shown(row.literal)}."
            problems.append(ParseProblem(where=f"row {row.number}", code="record_empty", message=message))
        elif row.values is not None and len(row.values) == len(names):
            records.append(_record(row, names, row.values))
        else:
            problems.append(_problem(row, len(names)))
    return ParsedDocument(text=text, records=tuple(records), problems=tuple(problems), blank_lines=blank)


def _lines(text: str) -> list[str]:
    """Lines that end at ``\\n`` only: a value may hold U+2028 or a form feed."""
    lines = [f"{line}\n" for line in text.split("\n")]
    lines[-1] = lines[-1][:-1]
    return lines if lines[-1] else lines[:-1]


def _sniffed(lines: Sequence[str]) -> str:
    """The delimiter that splits the header and agrees best with the first rows; a comma for one column."""
    scores: dict[str, tuple[float, int]] = {}
    for delimiter in DELIMITERS:
        sample = [
            row.values for _, row in zip(range(_SAMPLE_ROWS), _rows(lines, delimiter), strict=False) if row.values
        ]
        width = len(sample[0]) if sample else 0
        if width > 1:
            scores[delimiter] = (sum(len(values) == width for values in sample) / len(sample), width)
    return max(scores, key=lambda delimiter: scores[delimiter], default=",")


def _names(header: _Row | None) -> tuple[str, ...]:
    if header is None:
        raise DocumentUnreadable("The CSV is empty: it needs a header row and one row a record.")
    if header.values is None:
        raise DocumentUnreadable(f"The quotes of the CSV's header do not match: {shown(header.literal)}. Correct them.")
    for column, name in enumerate(header.values, start=1):
        if not name:
            raise DocumentUnreadable(
                f"Column {column} of the CSV has no name in the header. Name it, or remove the column."
            )
    twice = [name for name, times in Counter(header.values).items() if times > 1]
    if twice:
        raise DocumentUnreadable(
            f"The CSV's header names {shown(twice[0])} more than once. Give each column a name of its own."
        )
    return header.values


def _record(row: _Row, names: Sequence[str], values: Sequence[str]) -> Record:
    fields: dict[str, FieldValue] = {name: value or None for name, value in zip(names, values, strict=True)}
    return Record(pointer=f"row {row.number}", literal=row.literal, fields=fields)


def _problem(row: _Row, expected: int) -> ParseProblem:
    where = f"row {row.number}"
    if row.values is None:
        message = f"Row {row.number} has quotes that do not match, or a field that is too long: {shown(row.literal)}."
        return ParseProblem(where=where, code="quotes_unbalanced", message=message)
    message = f"Row {row.number} has {len(row.values)} fields; the header has {expected}: {shown(row.literal)}."
    return ParseProblem(where=where, code="field_count", message=message)


class _Cursor:
    """Hands lines to one reader, at most ``_ROW_LINES`` a row."""

    def __init__(self, lines: Sequence[str], start: int) -> None:
        self._lines = lines
        self.at = start
        self.row_start = start

    def __iter__(self) -> _Cursor:
        return self

    def __next__(self) -> str:
        if self.at >= len(self._lines) or self.at - self.row_start >= _ROW_LINES:
            raise StopIteration
        self.at += 1
        return self._lines[self.at - 1]


def _rows(lines: Sequence[str], delimiter: str) -> Iterator[_Row]:
    """All rows in order. After one with broken quotes, reading goes on at the next line, so that no other is lost."""
    number = 0
    cursor = _Cursor(lines, 0)
    reader = _reader(cursor, delimiter)
    while cursor.at < len(lines):
        number += 1
        first = cursor.row_start = cursor.at
        try:
            values = tuple(value.strip() for value in next(reader))
        except csv.Error:
            cursor = _Cursor(lines, first + 1)
            reader = _reader(cursor, delimiter)
            yield _Row(number, lines[first].rstrip("\n"), None)
        else:
            yield _Row(number, "".join(lines[first : cursor.at]).rstrip("\n"), values)


def _reader(cursor: _Cursor, delimiter: str) -> Iterator[list[str]]:
    return csv.reader(cursor, delimiter=delimiter, strict=True, skipinitialspace=True)
