from __future__ import annotations

from itertools import pairwise

import pytest
from hypothesis import given

from domain.errors import InvalidInput
from domain.ingestion.windows import windows
from tests.unit.ingestion.test_chunking import SIZES, TEXTS


def texts_of(text: str, size: int, overlap: int) -> list[str]:
    return [span.of(text) for span in windows(text, size, overlap)]


def test_a_text_that_fits_is_one_window() -> None:
    assert texts_of(" One.\n\nTwo.\n", 2000, 100) == ["One.\n\nTwo."]


def test_a_window_prefers_a_paragraphs_end_to_a_sentences() -> None:
    assert texts_of("One two.\n\nThree four. Five six seven.", 24, 0) == ["One two.\n\nThree four.", "Five six seven."]
    assert texts_of("One two three.\n\nFour. Five six seven.", 24, 0) == ["One two three.", "Four. Five six seven."]


def test_a_line_end_within_a_sentence_does_not_part_it() -> None:
    assert texts_of("It was down. It came\nback at noon, and\nstayed up.", 22, 0)[0] == "It was down."
    assert texts_of("- alpha one\n- beta two\n- gamma three", 24, 0) == ["- alpha one\n- beta two", "- gamma three"]


def test_a_window_begins_with_the_last_sentence_of_the_one_before() -> None:
    text = "The server failed at noon. It was db-7. It came back later that same day."
    assert texts_of(text, 56, 14) == [
        "The server failed at noon. It was db-7.",
        "It was db-7. It came back later that same day.",
    ]


def test_without_sentences_a_window_begins_with_the_last_words() -> None:
    assert texts_of("aa bb cc dd ee ff gg", 12, 3) == ["aa bb cc dd", "dd ee ff gg"]


def test_a_text_without_spaces_is_cut_anyway() -> None:
    assert texts_of("abcdefghij", 4, 1) == ["abcd", "defg", "ghij"]


def test_a_blank_text_has_no_windows() -> None:
    assert windows("\n \t") == ()


@pytest.mark.parametrize(("size", "overlap"), [(0, 0), (100, 26), (100, -1)])
def test_sizes_that_cannot_work_are_refused(size: int, overlap: int) -> None:
    with pytest.raises(InvalidInput):
        windows("text", size, overlap)


@given(TEXTS, SIZES)
def test_windows_cover_the_text_in_order_and_in_size(text: str, sizes: tuple[int, int]) -> None:
    size, overlap = sizes
    spans = windows(text, size, overlap)
    covered = {place for span in spans for place in range(span.start, span.end)}
    assert covered >= {place for place, character in enumerate(text) if not character.isspace()}
    for span in spans:
        assert span.end - span.start <= size
        assert span.of(text) == span.of(text).strip() != ""
    for before, after in pairwise(spans):
        assert before.start < after.start
        assert before.end <= after.end
        assert before.end - after.start <= overlap
