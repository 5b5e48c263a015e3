"""Names, titles and addresses that pretend to be something else are refused, or cut where a document has them."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest

from application.ingestion.sources import SourceSpec
from application.ingestion.submission import DocumentSubmission, require_possible
from domain.errors import InvalidInput
from domain.ingestion.copies import checked_origin
from domain.ingestion.naming import MAX_TITLE
from domain.ingestion.parsed import ParsedDocument
from domain.ingestion.screening import Screen
from domain.ingestion.sensitive import DEFAULT_POLICY

NOW = datetime(2026, 1, 1, tzinfo=UTC)
SOURCE = SourceSpec("files", "upload")


def submitted(record_key: str = "a.txt", title: str | None = None, source_uri: str | None = None) -> None:
    require_possible(DocumentSubmission(b"x", SOURCE, record_key, title=title, source_uri=source_uri), NOW)


@pytest.mark.parametrize("char", ["\u202e", "\u2066", "\u0007", "\n", "\u2028"])
def test_what_turns_or_hides_a_name_is_refused(char: str) -> None:
    name = f"a{char}b"
    with pytest.raises(InvalidInput, match="source holds characters that are not seen"):
        SourceSpec(name, "upload")
    for given, field in (
        ({"record_key": name}, "record_key"),
        ({"title": name}, "title"),
        ({"source_uri": name}, "source_uri"),
    ):
        with pytest.raises(InvalidInput, match="turn the order of writing") as refused:
            submitted(**given)
        assert refused.value.field == field


def test_spaces_of_all_kinds_and_accents_stay() -> None:
    submitted("Screenshot 3.15\u202fPM.png", "Chợ Lớn – ghi\u00a0chú", "file:///a b")


@pytest.mark.parametrize("address", ["javascript:alert(1)", " JavaScript:alert(1)", "data:text/html,x", "vbscript:x"])
def test_an_address_that_a_browser_would_run_is_refused(address: str) -> None:
    with pytest.raises(InvalidInput, match="source_uri is an address of http, https"):
        submitted(source_uri=address)
    with pytest.raises(InvalidInput, match="origin is an address of"):
        checked_origin(address.replace(" ", ""))


@pytest.mark.parametrize(
    "address",
    [
        "https://a.vn/b",
        "HTTP://a.vn",
        "file:///a",
        "s3://b/k",
        "mailto:a@b.vn",
        "urn:isbn:1",
        "INC-12",
        "C:\\a.txt",
        "a/b:c",
    ],
)
def test_known_schemes_and_ids_without_one_are_taken(address: str) -> None:
    submitted(source_uri=address)


def test_a_title_is_refused_where_it_is_given_and_cut_where_it_is_found() -> None:
    submitted(title="t" * MAX_TITLE)
    with pytest.raises(InvalidInput, match="at most 1000 characters, not 1001"):
        submitted(title="t" * (MAX_TITLE + 1))
    screen = Screen(lambda text: [], DEFAULT_POLICY)
    assert screen.document(ParsedDocument("x", title="t" * 100_000)).title == "t" * MAX_TITLE
    assert screen.document(ParsedDocument("x", title="a\u202eb\n")).title == "a b"
