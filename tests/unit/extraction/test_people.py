"""People: Vietnamese names are taken whole, and what somebody does tells that the name is a person's."""

from __future__ import annotations

import pytest

from adapters.extraction.offline.extractor import DEFAULT_PIPELINE
from adapters.extraction.offline.language import is_english
from adapters.extraction.offline.pipeline import read_windows
from adapters.extraction.offline.vietnamese_names import vietnamese_names
from domain.ingestion.claims import ExtractionWindow
from domain.knowledge.assertion import Mention

pytest.importorskip(DEFAULT_PIPELINE, reason="the offline pipeline is not installed: pip install 'assay[offline]'")

Told = tuple[str, str | None, str, str, str | None]


def told(text: str) -> list[Told]:
    """Subject with its kind, predicate, object with its kind."""
    claims = [found.claim for found in read_windows(DEFAULT_PIPELINE, [ExtractionWindow(text, 0)])[0].claims]
    return [
        (c.subject.surface, c.subject.kind, c.predicate, c.object.surface, c.object.kind)
        for c in claims
        if isinstance(c.object, Mention)
    ]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Nguyễn Thị Hoa works for Kelvara.", ["Nguyễn Thị Hoa"]),
        ("Nguyen Van An works for Acme Corp.", ["Nguyen Van An"]),
        ("It was built by Lê Minh, Trần Văn Nam and Đỗ Quang Huy.", ["Lê Minh", "Trần Văn Nam", "Đỗ Quang Huy"]),
        ("Phạm Thùy Linh's plan", ["Phạm Thùy Linh"]),
        ("Hà Nội and Đà Nẵng are cities; Ho Chi Minh City is another.", []),
        ("Le Monde wrote of Van Gogh, Kim Jong and a To Do List.", []),
        ("@Lê Minh, lê minh, LÊ MINH, Lê  Minh", []),
    ],
)
def test_a_family_name_with_given_names_is_a_vietnamese_name(text: str, expected: list[str]) -> None:
    assert [text[start:end] for start, end in vietnamese_names(text)] == expected


def test_a_short_sentence_full_of_vietnamese_names_is_english() -> None:
    assert is_english("Phạm Thị Ngọc Ánh works for Đỗ Quang Huy.")
    assert not is_english("Văn phòng của Đỗ Quang Huy ở Đà Nẵng.")


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        (
            "Nguyễn Thị Hoa works for Kelvara Cold Chain.",
            [("Nguyễn Thị Hoa", "person", "WORKS_FOR", "Kelvara Cold Chain", "organization")],
        ),
        (
            "Nguyen Van An works for Acme Corp.",
            [("Nguyen Van An", "person", "WORKS_FOR", "Acme Corp.", "organization")],
        ),
        (
            "Lê Minh works for the Da Nang office.",
            [("Lê Minh", "person", "WORKS_FOR", "Da Nang office", "office")],
        ),
        (
            "The order service was built by Lê Minh and Nguyễn Thị Hoa.",
            [
                ("order service", "service", "DEVELOPED_BY", "Lê Minh", "person"),
                ("order service", "service", "DEVELOPED_BY", "Nguyễn Thị Hoa", "person"),
            ],
        ),
        (
            "Eva Strand joined Kelvara Cold Chain in 2019.",
            [("Eva Strand", "person", "JOINED", "Kelvara Cold Chain", "organization")],
        ),
        ("Hoàng Anh reports to Eva Strand.", [("Hoàng Anh", "person", "REPORTS_TO", "Eva Strand", "person")]),
        ("Eva Strand leads the Da Nang office.", [("Eva Strand", None, "LEADS", "Da Nang office", "office")]),
        (
            "Eva Strand leads the Da Nang office. Eva Strand works for Kelvara.",
            [
                ("Eva Strand", "person", "LEADS", "Da Nang office", "office"),
                ("Eva Strand", "person", "WORKS_FOR", "Kelvara", "organization"),
            ],
        ),
        (
            "Hungary joined the European Union in 2004.",
            [("Hungary", None, "JOINED", "European Union", "organization")],
        ),
    ],
)
def test_the_role_that_a_predicate_gives_tells_the_kind(text: str, expected: list[Told]) -> None:
    assert told(text) == expected


def test_an_office_is_named_by_a_proper_noun_only() -> None:
    assert told("Lê Minh works for the head office.") == []
