from __future__ import annotations

import unicodedata
from typing import Literal

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from adapters.parsing.registry import BY_CONTENT_TYPE, BY_EXTENSION, CONVERSATION, ContentParsers
from domain.errors import AssayError, DocumentUnreadable, InvalidInput, LimitExceeded
from domain.ingestion.parsed import ParsedDocument
from tests.unit.parsing.pdf_files import pdf_with_pages

parsers = ContentParsers(max_bytes=1_000_000)
WORDS = "Nguyễn Ánh làm việc ở Hà Nội. 北京分公司。 مكتب القاهرة"


def kind_of(parsed: ParsedDocument) -> str:
    return "messages" if parsed.messages else "records" if parsed.records else "text"


@pytest.mark.parametrize(
    ("content_type", "filename", "data", "kind"),
    [
        ("text/plain; charset=utf-8", "a.csv", b"a,b\n1,2\n", "text"),
        ("TEXT/CSV", None, b"a,b\n1,2\n", "records"),
        ("application/octet-stream", "Hosts.CSV", b"a,b\n1,2\n", "records"),
        ("", "hosts.tsv", b"a\tb\n1\t2\n", "records"),
        ("application/json", None, b'[{"a": 1}]', "records"),
        ("application/json", None, b'[{"speaker": "An", "text": "Hi"}]', "messages"),
        ("application/json", None, b'{"messages": [{"speaker": "An", "text": "Hi"}]}', "messages"),
        (CONVERSATION, None, b'[{"speaker": "An", "text": "Hi"}]', "messages"),
        ("application/x-ndjson", None, b'{"a": 1}\nbad\n', "records"),
        ("application/vnd.acme+json", None, b'[{"a": 1}]', "records"),
        ("text/x-log", None, b"a line", "text"),
        ("image/png", "notes.md", b"# Notes", "text"),
        ("", None, b"\xef\xbb\xbf {\"a\": 1}", "records"),
        ("", None, b"[draft] words, not JSON", "text"),
        ("", "no extension", b"<!DOCTYPE html><p>words</p>", "text"),
        ("", None, pdf_with_pages("words"), "text"),
    ],
)  # fmt: skip
def test_the_declared_type_decides_then_the_name_then_the_bytes(
    content_type: str, filename: str | None, data: bytes, kind: str
) -> None:
    assert kind_of(parsers.parse(data, content_type, filename)) == kind


@pytest.mark.parametrize(
    ("content_type", "filename", "data"),
    [
        ("image/png", "cat.png", b"plain words"),
        ("application/octet-stream", "program.exe", b"MZ\x90\x00\x03\xff"),
        ("", None, b"\x01\x02\x03 words"),
    ],
)
def test_an_unknown_type_is_refused_with_the_accepted_ones(
    content_type: str, filename: str | None, data: bytes
) -> None:
    with pytest.raises(InvalidInput, match=r"Accepted are .*text/csv.*\.pdf") as refusal:
        parsers.parse(data, content_type, filename)
    assert refusal.value.field == "content_type"


@pytest.mark.parametrize("content_type", sorted(BY_CONTENT_TYPE))
@pytest.mark.parametrize("data", [b"", b" \r\n\t"])
def test_an_empty_document_is_unreadable_whatever_its_type(content_type: str, data: bytes) -> None:
    with pytest.raises(DocumentUnreadable, match="The document is empty"):
        parsers.parse(data, content_type, None)


@pytest.mark.parametrize("data", [b"<p></p>", b"<script>x</script>"])
def test_a_document_without_words_is_unreadable(data: bytes) -> None:
    with pytest.raises(DocumentUnreadable, match="no text"):
        parsers.parse(data, "text/html", None)


def test_a_document_over_the_limit_is_refused_with_both_numbers() -> None:
    with pytest.raises(LimitExceeded, match="has 1000001 bytes; at most 1000000"):
        parsers.parse(bytes(1_000_001), "text/plain", None)


@pytest.mark.parametrize(
    ("filename", "wrapped"),
    [
        ("a.txt", "{}"), ("a.md", "# {}"), ("a.html", "<p>{}</p>"), ("a.csv", "id,words\n1,{}\n"),
        ("a.json", '[{{"words": "{}"}}]'), ("a.jsonl", '{{"words": "{}"}}'),
        ("chat.json", '[{{"speaker": "An", "text": "{}"}}]'),
    ],
)  # fmt: skip
@pytest.mark.parametrize("form", ["NFC", "NFD"])
def test_vietnamese_chinese_and_arabic_survive_every_format(
    filename: str, wrapped: str, form: Literal["NFC", "NFD"]
) -> None:
    data = unicodedata.normalize(form, wrapped.format(WORDS)).encode()
    parsed = parsers.parse(data, "", filename)
    assert WORDS in parsed.text
    assert all(WORDS in record.fields.values() for record in parsed.records)
    assert all(message.text == WORDS for message in parsed.messages)


SYNTAX = st.lists(
    st.sampled_from(
        ["<p>", "</", "<!--", "<![", "<!", "&#x", '"', "'", ",", "\n", "{", "}", "[", "]", ":", "---\n", "# ", "null",
         "1e9", '"speaker"',
         '"messages"', "%PDF-1.4\n", "1 0 obj", "<<", ">>", "stream", "endobj", "trailer", "/Root 1 0 R",
         "xref", "startxref\n0\n%%EOF", "\0", "\ud7ff", "ế", "\\u", "<meta charset=gbk>"]
    ),
    max_size=30,
).map(lambda parts: "".join(parts).encode())  # fmt: skip
MUTATED_PDF = st.tuples(st.integers(0, 900), st.binary(max_size=20)).map(
    lambda cut: (whole := pdf_with_pages("a", "b", title="t"))[: cut[0]] + cut[1] + whole[cut[0] + len(cut[1]) :]
)


@settings(max_examples=400, deadline=None)
@given(st.binary(max_size=200) | SYNTAX | MUTATED_PDF, st.sampled_from(["", *BY_EXTENSION]))
def test_any_bytes_give_a_document_or_an_error_of_ours(data: bytes, extension: str) -> None:
    try:
        parsed = parsers.parse(data, "", f"file{extension}")
    except AssayError:
        return
    assert parsed.text.encode()
    assert "\0" not in parsed.text
    assert parsed.text == unicodedata.normalize("NFC", parsed.text)
