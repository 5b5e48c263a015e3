"""What "yesterday" is relative to in each window of a text."""

from __future__ import annotations

import json
from datetime import UTC, datetime, timedelta, timezone
from uuid import uuid4

import pytest

from adapters.parsing.conversation import parse_conversation
from adapters.parsing.markdown import parse_markdown
from application.ingestion.text_windows import sent_at, text_windows
from domain.identity.ids import DocumentId, GroupId, PrincipalId, Revision, SourceId, VersionId
from domain.ingestion.parsed import ParsedDocument
from domain.ports.documents import VersionRow

READ = datetime(2026, 11, 30, 12, tzinfo=UTC)
EAST = timezone(timedelta(hours=9))


def version(published_at: datetime | None = None) -> VersionRow:
    return VersionRow(
        VersionId(uuid4()), DocumentId(uuid4()), GroupId("o_" + "0" * 32), SourceId(uuid4()), None, "key", "hash",
        "Title", "text/markdown", None, None, published_at, READ, None, "live", PrincipalId(uuid4()), "human",
        "processing", None, None, Revision(1), "object", "key",
    )  # fmt: skip


def times(parsed: ParsedDocument, published_at: datetime | None = None) -> list[tuple[str, datetime | None, bool]]:
    return [(w.text, w.reference_time, w.dated) for w in text_windows(parsed, version(published_at), None)]


def chat(*messages: tuple[str | None, str]) -> ParsedDocument:
    made = [{"speaker": "Mai", "text": text} | ({"at": at} if at else {}) for at, text in messages]
    return parse_conversation(json.dumps(made).encode())


@pytest.mark.parametrize(
    ("stated", "expected"),
    [
        ("2019-05-16", datetime(2019, 5, 16, tzinfo=UTC)),
        ('"2019-05-16"', datetime(2019, 5, 16, tzinfo=UTC)),
        ("2019-05-16T08:00:00+09:00 # as sent", datetime(2019, 5, 15, 23, tzinfo=UTC)),
        ("2024-02-29", datetime(2024, 2, 29, tzinfo=UTC)),
        ("2023-02-29", None),
        ("2019-05-16T08:00:00", None),
        ("2019", None),
        ("last Tuesday", None),
        ("", None),
    ],
)
def test_front_matter_dates_a_document_by_a_day_or_a_moment_with_a_zone(stated: str, expected: datetime | None) -> None:
    assert parse_markdown(f"---\ndate: {stated}\n---\nIt began yesterday.\n".encode()).dated == expected
    assert parse_markdown(f"It began yesterday.\ndate: {stated}\n".encode()).dated is None


def test_a_document_is_read_as_of_its_publication_else_its_own_date_else_when_it_came() -> None:
    dated = parse_markdown(b"---\ndate: 2019-05-16\n---\nIt began yesterday.\n")
    own, published = datetime(2019, 5, 16, tzinfo=UTC), datetime(2020, 1, 1, tzinfo=UTC)
    assert times(dated)[0][1:] == (own, True)
    assert times(dated, published)[0][1:] == (published, True)
    assert times(ParsedDocument("It began yesterday.")) == [("It began yesterday.", READ, False)]


def test_a_date_that_lies_ahead_is_no_date_of_a_document() -> None:
    assert times(parse_markdown(b"---\ndate: 2999-01-01\n---\nIt began yesterday.\n"))[0][1:] == (READ, False)


def test_messages_of_one_day_are_read_together_as_of_that_day_in_its_own_zone() -> None:
    parsed = chat(
        (None, "Hello."), ("2026-03-01T08:00:00+09:00", "It broke yesterday."), (None, "Again?"),
        ("2026-03-01T23:59:00+09:00", "Yes."), ("2026-03-02T00:01:00+09:00", "Fixed today."),
    )  # fmt: skip
    first, second = (datetime(2026, 3, day, hour, minute, tzinfo=EAST) for day, hour, minute in ((1, 8, 0), (2, 0, 1)))
    assert times(parsed) == [
        ("Mai: Hello.", READ, False),
        ("Mai: It broke yesterday.\n\nMai: Again?\n\nMai: Yes.", first, True),
        ("Mai: Fixed today.", second, True),
    ]
    for window in text_windows(parsed, version(), None):
        assert parsed.text[window.start : window.start + len(window.text)] == window.text


def test_a_message_was_observed_when_it_was_sent_and_never_later_than_it_was_read() -> None:
    parsed = chat(("2026-03-01T08:00:00Z", "One."), (None, "Two."), ("2999-01-01T00:00:00Z", "Three."))
    places = [parsed.text.index(word) for word in ("One", "Two", "Three")]
    assert [sent_at(parsed, version(), at) for at in places] == [datetime(2026, 3, 1, 8, tzinfo=UTC), None, READ]
    assert sent_at(parsed, version(), 0) is None
    assert times(parsed)[-1][1] == READ
