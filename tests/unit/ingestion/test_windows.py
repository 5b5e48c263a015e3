from __future__ import annotations

from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

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


def test_a_window_begins_where_a_line_opens_something_new() -> None:
    text = "- alpha is one. It is\n- beta is two\n- gamma is three and more of it"
    assert texts_of(text, 44, 11)[1:] == ["- gamma is three and more of it"]
    text = "Aa bb.\nFf gg hh ii.\nJj kk ll mm nn oo pp qq."
    assert texts_of(text, 28, 7)[1:] == ["Jj kk ll mm nn oo pp qq."]


def test_a_row_of_a_table_stays_whole() -> None:
    text = "| Service | Owner |\n|---|---|\n| order service | Team Falcon. Really |\n| pay | Bo |"
    assert texts_of(text, 60, 8) == [
        "| Service | Owner |\n|---|---|",
        "| order service | Team Falcon. Really |\n| pay | Bo |",
    ]


def test_a_fenced_block_stays_whole() -> None:
    text = "It runs this job.\n\n```\nfirst line.\n\nsecond line.\n```\n\nThat is all."
    assert texts_of(text, 48, 8) == [
        "It runs this job.",
        "```\nfirst line.\n\nsecond line.\n```\n\nThat is all.",
    ]


def test_a_row_longer_than_a_window_is_cut_anyway() -> None:
    assert texts_of("| aaaa bbbb cccc dddd | eeee |", 12, 0) == ["| aaaa bbbb", "cccc dddd |", "eeee |"]


def test_a_text_without_spaces_is_cut_anyway() -> None:
    assert texts_of("abcdefghij", 4, 1) == ["abcd", "defg", "ghij"]


def test_a_blank_text_has_no_windows() -> None:
    assert windows("\n \t") == ()


@pytest.mark.parametrize(("size", "overlap"), [(0, 0), (100, 26), (100, -1)])
def test_sizes_that_cannot_work_are_refused(size: int, overlap: int) -> None:
    with pytest.raises(InvalidInput):
        windows("text", size, overlap)


STRUCTURED = st.lists(
    st.sampled_from(["```\n", "| a. b | c |\n", "x\ty. z\n", "Aa bb. ", "\n", "- dd ee\n", "~~~\n", "# Hh\n", "ffff "])
).map("".join)


@given(TEXTS | STRUCTURED, SIZES)
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
