"""The value of a field as typed objects."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

from adapters.extraction.offline.amounts import parse_amount
from adapters.extraction.offline.dates import parse_period
from adapters.extraction.offline.declared import DeclaredNames
from adapters.extraction.offline.lexicon import LEXICON
from domain.ingestion.claims import ExtractionWindow
from domain.knowledge.assertion import Mention
from domain.knowledge.objects import DateValue, Literal, TextValue

_LINK = re.compile(r"\[([^\]\n]+)\]\([^)\n]*\)")
_SEPARATOR = re.compile(r"\s*[,;]\s*(?:and\s+)?|\s+and\s+|\s+&\s+")
_NOTHING = frozenset({"", "-", "–", "—", "n/a", "none", "tbd", "null", "unknown", "~", "?"})
_DOCUMENT = re.compile(r"[A-Z]{2,10}-\d+")
_MAX_NAME, _MAX_VALUE, _MAX_WORDS = 80, 200, 6


@dataclass(frozen=True, slots=True)
class Value:
    """A text without marks and quotes; it starts at ``start`` of the window."""

    text: str
    start: int


def stripped(raw: str, offset: int) -> Value:
    """The text inside quotes, brackets, emphasis and a lone link."""
    start, end = 0, len(raw)
    while start < end and (raw[start].isspace() or raw[start] in "*_`\"'[~@"):
        start += 1
    while end > start and (raw[end - 1].isspace() or raw[end - 1] in "*_`\"']~"):
        end -= 1
    if (link := _LINK.match(raw[max(start - 1, 0) :])) and raw[max(start - 1, 0)] == "[":
        return Value(link[1], offset + max(start - 1, 0) + 1)
    return Value(raw[start:end], offset + start)


def objects_of(
    value: Value, form: str, window: ExtractionWindow, declared: DeclaredNames, language: str | None
) -> Iterator[Mention | Literal]:
    """The objects that the form reads in the value; none where it is empty, too long or unreadable."""
    if value.text.casefold() in _NOTHING or len(value.text) > _MAX_VALUE:
        return
    if form == "text":
        yield TextValue(value.text, language)
    elif form == "date":
        if period := parse_period(value.text, window.reference_time):
            yield DateValue(period.start, period.precision)
    elif form == "number":
        if amount := parse_amount(value.text):
            yield amount
    else:
        yield from _names(value, form == "entities", window, declared)


def _names(value: Value, several: bool, window: ExtractionWindow, declared: DeclaredNames) -> Iterator[Mention]:
    for part in _parts(value, declared) if several else [value]:
        name = _identified(_without_honorific(stripped(part.text, part.start)))
        if len(name.text.split()) > _MAX_WORDS and declared.kind_of(name.text) is None:
            continue
        if not name.text or len(name.text) > _MAX_NAME or name.text.isdigit() or name.text.casefold() in _NOTHING:
            continue
        kind = "document" if _DOCUMENT.fullmatch(name.text) else declared.kind_of(name.text)
        start = window.start + name.start
        yield Mention(name.text, kind, start, start + len(name.text))


def _identified(name: Value) -> Value:
    """Without the stop after a list's last identifier, which no identifier has."""
    return Value(name.text[:-1], name.start) if _DOCUMENT.fullmatch(name.text[:-1]) and name.text[-1] == "." else name


def _without_honorific(name: Value) -> Value:
    first, _, rest = name.text.partition(" ")
    if rest and (first in LEXICON.words["honorifics"] or first.casefold() in LEXICON.words["honorifics"]):
        return stripped(rest, name.start + len(first) + 1)
    return name


def _parts(value: Value, declared: DeclaredNames) -> Iterator[Value]:
    """The names of a list; a declared name is never split ("Harrow & Vale")."""
    at = 0
    whole = declared.spans(value.text)
    for match in _SEPARATOR.finditer(value.text):
        if not any(start < match.end() and match.start() < end for start, end in whole):
            yield Value(value.text[at : match.start()], value.start + at)
            at = match.end()
    yield Value(value.text[at:], value.start + at)
