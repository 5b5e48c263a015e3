from __future__ import annotations

import pytest

import adapters.parsing.pdf
from adapters.parsing.pdf import parse_pdf
from domain.errors import DocumentUnreadable
from tests.services.hearing import hear
from tests.unit.parsing.pdf_files import encrypted, pdf_with_pages

TWO_PAGES = pdf_with_pages("First page.", "Second page.", title="Runbook")


def test_pages_are_parted_by_a_blank_line() -> None:
    parsed = parse_pdf(TWO_PAGES)
    assert parsed.text == "First page.\n\nSecond page."
    assert parsed.title == "Runbook"
    assert parsed.problems == ()


def test_a_pdf_without_metadata_has_no_title() -> None:
    assert parse_pdf(pdf_with_pages("Only page.")).title is None


@pytest.mark.parametrize("share", [0.1, 0.3, 0.5])
def test_a_cut_pdf_is_unreadable_and_says_so(share: float) -> None:
    with pytest.raises(DocumentUnreadable, match=r"cut or corrupt|no pages|empty or scanned"):
        parse_pdf(TWO_PAGES[: int(len(TWO_PAGES) * share)])


def test_an_encrypted_pdf_says_to_remove_the_password() -> None:
    with pytest.raises(DocumentUnreadable, match="encrypted with a password"):
        parse_pdf(encrypted(TWO_PAGES, "secret"))


def test_a_pdf_that_only_restricts_printing_is_read() -> None:
    assert parse_pdf(encrypted(TWO_PAGES, "")).text == "First page.\n\nSecond page."


def test_a_pdf_without_text_says_that_it_may_be_scanned() -> None:
    with pytest.raises(DocumentUnreadable, match="no text on its 1 pages"):
        parse_pdf(pdf_with_pages(""))


def test_a_pdf_without_pages_is_unreadable() -> None:
    with pytest.raises(DocumentUnreadable, match="no pages"):
        parse_pdf(pdf_with_pages())


def test_what_is_no_pdf_is_unreadable() -> None:
    with pytest.raises(DocumentUnreadable, match="does not begin as a PDF"):
        parse_pdf(b"plain text")


def test_an_unreadable_page_is_a_problem_and_the_others_land() -> None:
    head, _, tail = TWO_PAGES.rpartition(b"<< /Length")
    broken = head + b"<< /Filter /Unknown /Length" + tail
    parsed = parse_pdf(broken)
    assert parsed.text == "First page."
    assert [(problem.where, problem.code) for problem in parsed.problems] == [("page 2", "page_unreadable")]


def test_what_pypdf_complains_about_is_logged_once(monkeypatch: pytest.MonkeyPatch) -> None:
    heard = hear(monkeypatch, adapters.parsing.pdf)
    assert parse_pdf(TWO_PAGES.replace(b"startxref\n", b"startxref\n1")).text == "First page.\n\nSecond page."
    assert [line["event"] for line in heard.entries] == ["pdf_repaired"]
