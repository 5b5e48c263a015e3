"""The windows of a text, each with the time that its words are relative to."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterator
from datetime import datetime
from itertools import groupby

from application.ingestion.sources import CollectionSettings
from domain.ingestion.claims import ExtractionWindow
from domain.ingestion.parsed import Message, ParsedDocument
from domain.ingestion.windows import windows
from domain.ports.documents import CollectionRow, VersionRow


def text_windows(
    parsed: ParsedDocument, version: VersionRow, collection: CollectionRow | None
) -> list[ExtractionWindow]:
    """The windows in order. Those of a conversation hold the messages of one day, as its speakers count days."""
    sizes = CollectionSettings.of(collection)
    return [
        ExtractionWindow(
            text=span.of(text),
            start=start + span.start,
            title=version.title,
            reference_time=at,
            dated=dated,
            entities=dict(collection.entities) if collection else {},
        )
        for start, text, at, dated in _stretches(parsed, version)
        for span in windows(text, sizes.window_size, sizes.window_overlap)
    ]


def sent_at(parsed: ParsedDocument, version: VersionRow, place: int) -> datetime | None:
    """When the message around a place was sent, at the latest when it was read; None outside of dated messages."""
    at = bisect_right(parsed.messages, place, key=lambda message: message.start) - 1
    if at < 0 or place >= parsed.messages[at].end:
        return None
    sent = parsed.messages[at].at
    return None if sent is None else min(sent, version.retrieved_at)


def _stretches(parsed: ParsedDocument, version: VersionRow) -> Iterator[tuple[int, str, datetime, bool]]:
    """Start, text, reference time, and whether that is the text's own."""
    bears = parsed.dated if parsed.dated is not None and parsed.dated <= version.retrieved_at else None
    own = version.published_at or bears
    start = 0
    for at, end in _days(parsed.messages):
        sent = None if at is None else min(at, version.retrieved_at)
        yield start, parsed.text[start:end], sent or own or version.retrieved_at, (sent or own) is not None
        start = end
    if start < len(parsed.text):
        yield start, parsed.text[start:], own or version.retrieved_at, own is not None


def _days(messages: tuple[Message, ...]) -> Iterator[tuple[datetime | None, int]]:
    """The first moment of each run of messages of one day, with the run's end; a message without a time goes along."""
    times: list[datetime | None] = []
    for message in messages:
        times.append(message.at or (times[-1] if times else None))
    for _, run in groupby(zip(times, messages, strict=True), key=lambda pair: pair[0] and pair[0].date()):
        members = list(run)
        yield members[0][0], members[-1][1].end
