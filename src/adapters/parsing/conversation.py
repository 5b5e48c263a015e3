"""Conversations: {"session"?, "title"?, "messages": [{"speaker", "text", "at"?, "session"?}]}, or the array alone."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime

from adapters.parsing.json_values import JsonText
from adapters.parsing.text import decoded, normalized
from domain.errors import DocumentUnreadable, InvalidInput, shown
from domain.ingestion.parsed import FieldValue, Message, ParsedDocument, ParseProblem

_MEMBER = "messages"
_BETWEEN = "\n\n"


def parse_conversation(data: bytes) -> ParsedDocument:
    """The transcript as "speaker: words", a blank line between turns; a message's offsets cover its words only.

    Raises InvalidInput naming the message for a missing speaker or text and for a time without zone, since a
    conversation with holes misleads; DocumentUnreadable when it is no JSON. A message without words is a problem.
    """
    return conversation_in(JsonText(normalized(decoded(data))))


def looks_like_conversation(json: JsonText) -> bool:
    """Whether the JSON has the shape above; False for what is no JSON at all."""
    try:
        if json.first() == "{":
            found = json.members().get(_MEMBER)
            return found is not None and isinstance(found.value, list)
        first = next(json.elements(), None)
    except DocumentUnreadable:
        return False
    return first is not None and isinstance(first.value, dict) and {"speaker", "text"} <= first.value.keys()


def conversation_in(json: JsonText) -> ParsedDocument:
    """The conversation of a decoded text; see ``parse_conversation``."""
    found = json.whole()
    if found.faults:
        raise DocumentUnreadable(f"The conversation cannot be kept: {found.faults[0].message}. Correct it.")
    whole: FieldValue = {_MEMBER: found.value} if isinstance(found.value, list) else found.value
    items = whole.get(_MEMBER) if isinstance(whole, dict) else None
    if not isinstance(whole, dict) or not isinstance(items, list):
        raise InvalidInput('A conversation is {"messages": [...]} or an array of messages.', field=_MEMBER)
    session, title = _optional(whole, "session", ""), _optional(whole, "title", "")
    transcript = _Transcript()
    for index, item in enumerate(items):
        transcript.add(f"/{_MEMBER}/{index}", item, session)
    return transcript.document(title)


class _Transcript:
    def __init__(self) -> None:
        self._parts: list[str] = []
        self._length = 0
        self._messages: list[Message] = []
        self._problems: list[ParseProblem] = []

    def add(self, where: str, item: FieldValue, session: str | None) -> None:
        if not isinstance(item, dict):
            raise InvalidInput(f"{where} is no object with speaker and text: {shown(item)}.", field=where)
        speaker = " ".join(_required(item, "speaker", where).split())
        words = _required(item, "text", where, blank=True)
        at = _time(item.get("at"), f"{where}/at")
        if not words.strip():
            message = f"{where}, by {shown(speaker)}, has no words."
            self._problems.append(ParseProblem(where=where, code="message_empty", message=message))
            return
        lead = f"{_BETWEEN if self._parts else ''}{speaker}: "
        start = self._length + len(lead)
        self._parts += (lead, words)
        self._length = start + len(words)
        self._messages.append(
            Message(
                speaker=speaker,
                at=at,
                session=_optional(item, "session", where) or session,
                text=words,
                start=start,
                end=self._length,
            )
        )

    def document(self, title: str | None) -> ParsedDocument:
        return ParsedDocument(
            text="".join(self._parts),
            title=title,
            messages=tuple(self._messages),
            problems=tuple(self._problems),
        )


def _required(item: Mapping[str, FieldValue], name: str, where: str, *, blank: bool = False) -> str:
    value = item.get(name)
    if not isinstance(value, str) or not (blank or value.strip()):
        raise InvalidInput(f"{where} needs {name!r} as text; got {shown(value)}.", field=f"{where}/{name}")
    return normalized(value)


def _optional(item: Mapping[str, FieldValue], name: str, where: str) -> str | None:
    value = item.get(name)
    if value is not None and not isinstance(value, str):
        raise InvalidInput(f"{name!r} is text where it is given; got {shown(value)}.", field=f"{where}/{name}")
    return value.strip() or None if value else None


def _time(value: FieldValue, where: str) -> datetime | None:
    if value is None:
        return None
    try:
        at = datetime.fromisoformat(value) if isinstance(value, str) else None
    except ValueError:
        at = None
    if at is None:
        raise InvalidInput(
            f"{where} is no time: {shown(value)}. Write it as 2025-03-01T14:30:00+07:00 (ISO 8601).", field=where
        )
    if at.tzinfo is None:
        raise InvalidInput(
            f"{where} has no time zone: {shown(value)}. Add its offset, as in 2025-03-01T14:30:00+07:00, or Z.",
            field=where,
        )
    return at
