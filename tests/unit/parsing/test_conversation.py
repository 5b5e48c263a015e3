from __future__ import annotations

import json
from datetime import UTC, datetime, timedelta, timezone

import pytest

from adapters.parsing.conversation import parse_conversation
from domain.errors import DocumentUnreadable, InvalidInput


def parse(value: object) -> object:
    return parse_conversation(json.dumps(value).encode())


def test_messages_keep_speaker_time_session_and_place() -> None:
    parsed = parse_conversation(
        json.dumps(
            {
                "session": "standup",
                "title": "Họp sáng",
                "messages": [
                    {"speaker": "An", "at": "2025-03-01T09:00:00+07:00", "text": "Máy chủ ở Hà Nội."},
                    {"speaker": "Binh\nTran", "at": "2025-03-01T02:01:00Z", "text": "Noted.\r\nThanks", "session": "2"},
                    {"speaker": "An", "text": "👍"},
                ],
            }
        ).encode()
    )
    assert parsed.text == "An: Máy chủ ở Hà Nội.\n\nBinh Tran: Noted.\nThanks\n\nAn: 👍"
    assert parsed.title == "Họp sáng"
    assert [(m.speaker, m.at, m.session) for m in parsed.messages] == [
        ("An", datetime(2025, 3, 1, 9, tzinfo=timezone(timedelta(hours=7))), "standup"),
        ("Binh Tran", datetime(2025, 3, 1, 2, 1, tzinfo=UTC), "2"),
        ("An", None, "standup"),
    ]
    assert [parsed.text[m.start : m.end] for m in parsed.messages] == [m.text for m in parsed.messages]


def test_an_array_alone_will_do() -> None:
    parsed = parse_conversation(b'[{"speaker": "An", "text": "Hi"}]')
    assert (parsed.text, parsed.messages[0].start, parsed.messages[0].session) == ("An: Hi", 4, None)


@pytest.mark.parametrize(
    ("message", "field", "says"),
    [
        ({"speaker": "An", "text": "x", "at": "2025-03-01T09:00:00"}, "/messages/1/at", "has no time zone"),
        ({"speaker": "An", "text": "x", "at": "2025-03-01"}, "/messages/1/at", "has no time zone"),
        ({"speaker": "An", "text": "x", "at": "2025-02-30T09:00:00Z"}, "/messages/1/at", "is no time"),
        ({"speaker": "An", "text": "x", "at": 1700000000}, "/messages/1/at", "is no time"),
        ({"speaker": " ", "text": "x"}, "/messages/1/speaker", "needs 'speaker'"),
        ({"text": "x"}, "/messages/1/speaker", "needs 'speaker'"),
        ({"speaker": "An"}, "/messages/1/text", "needs 'text'"),
        ({"speaker": "An", "text": "x", "session": 3}, "/messages/1/session", "'session' is text"),
        ("An: x", "/messages/1", "is no object"),
    ],
)
def test_a_bad_message_refuses_the_conversation_by_its_index(message: object, field: str, says: str) -> None:
    with pytest.raises(InvalidInput, match=says) as refusal:
        parse({"messages": [{"speaker": "An", "text": "first"}, message]})
    assert refusal.value.field == field


def test_a_message_without_words_is_a_problem() -> None:
    parsed = parse_conversation(b'[{"speaker": "An", "text": " "}, {"speaker": "An", "text": "Hi"}]')
    assert [(problem.where, problem.code) for problem in parsed.problems] == [("/messages/0", "message_empty")]
    assert parsed.text == "An: Hi"


@pytest.mark.parametrize("value", [{}, {"messages": 1}, 3, "text"])
def test_another_shape_is_refused(value: object) -> None:
    with pytest.raises(InvalidInput, match="A conversation is"):
        parse(value)


@pytest.mark.parametrize("data", [b"[", b'[{"speaker": "An", "text": "\\u0000"}]', b'[{"text": "a", "text": "b"}]'])
def test_broken_json_is_refused(data: bytes) -> None:
    with pytest.raises(DocumentUnreadable):
        parse_conversation(data)
