"""What a parser makes of a document's bytes. All text is in NFC, with ``\\n`` line ends and without NUL."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import TypeAlias

from domain.errors import InvalidInput, shown

FieldValue: TypeAlias = "str | int | float | bool | list[FieldValue] | dict[str, FieldValue] | None"
"""A value in a record: what JSON can say, with finite numbers."""


@dataclass(frozen=True, slots=True)
class Record:
    """One row or JSON object.

    ``pointer`` finds it again: "row 7" (the header is row 1), "line 4" or a JSON pointer as "/3" (RFC 6901, from 0).
    ``literal`` is the row as it stands in the document: the evidence.
    """

    pointer: str
    literal: str
    fields: Mapping[str, FieldValue]


@dataclass(frozen=True, slots=True)
class Message:
    """One turn of a conversation; its words are ``[start, end)`` of the document's text, in code points."""

    speaker: str
    at: datetime | None
    session: str | None
    text: str
    start: int
    end: int

    def __post_init__(self) -> None:
        if self.at is not None and self.at.tzinfo is None:
            raise InvalidInput(f"A message's time needs a zone; got {shown(self.at.isoformat())}.", field="at")
        if self.end - self.start != len(self.text):
            raise InvalidInput(f"A message of {len(self.text)} characters cannot lie at [{self.start}, {self.end}).")


@dataclass(frozen=True, slots=True)
class ParseProblem:
    """A part that could not be read; the rest was. ``where`` is a pointer as in ``Record``, or "page 3"."""

    where: str
    code: str
    message: str


@dataclass(frozen=True, slots=True)
class ParsedDocument:
    """A document's text, and its records or messages where it has them.

    Every part of the document is in the text, in a record or in a problem; nothing is dropped in silence.
    ``blank_lines`` counts those between records that say nothing. ``dated`` is the date that the document bears,
    ``origin`` the address of the original that it says it is a copy of.
    """

    text: str
    title: str | None = None
    records: tuple[Record, ...] = ()
    messages: tuple[Message, ...] = ()
    problems: tuple[ParseProblem, ...] = ()
    blank_lines: int = 0
    dated: datetime | None = None
    origin: str | None = None

    def __post_init__(self) -> None:
        if self.dated is not None and self.dated.tzinfo is None:
            raise InvalidInput(f"A document's date needs a zone; got {shown(self.dated.isoformat())}.", field="date")
