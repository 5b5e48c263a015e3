from __future__ import annotations

from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from domain.errors import InvalidInput
from domain.ingestion.chunking import chunks

TEXTS = st.lists(
    st.sampled_from(
        [
            "word",
            "Hà Nội ",
            "北京大学在北京。",
            "القاهرة ",
            ". ",
            "? ",
            " ",
            "\n",
            "\n\n",
            " \n \n",
            "x" * 30,
            "e\u0301",
        ]
    ),
    max_size=60,
).map("".join)
SIZES = st.integers(8, 80).flatmap(lambda size: st.tuples(st.just(size), st.integers(0, size // 4)))


def texts_of(text: str, size: int, overlap: int) -> list[str]:
    return [span.of(text) for span in chunks(text, size, overlap)]


def test_short_paragraphs_share_a_chunk() -> None:
    text = "One.\n\nTwo.\n\n\n  Three.  \n"
    assert texts_of(text, 500, 50) == ["One.\n\nTwo.\n\n\n  Three."]


def test_a_chunk_ends_where_a_paragraph_does() -> None:
    assert texts_of("First para.\n\nSecond para.\n\nThird.", 28, 0) == ["First para.\n\nSecond para.", "Third."]


def test_a_chunk_begins_with_the_last_words_of_the_one_before() -> None:
    assert texts_of("First para.\n\nSecond para.\n\nThird.", 28, 7) == [
        "First para.\n\nSecond para.",
        "para.\n\nThird.",
    ]


def test_a_long_paragraph_is_split_at_sentence_ends() -> None:
    assert texts_of("It rained. We stayed in. Then it was dry.", 30, 0) == [
        "It rained. We stayed in.",
        "Then it was dry.",
    ]


def test_a_sentence_that_is_too_long_is_split_at_spaces() -> None:
    assert texts_of("one two three four five", 12, 0) == ["one two", "three four", "five"]


def test_a_word_that_is_too_long_is_split_anywhere_but_before_its_accents() -> None:
    assert texts_of("abcdefgh", 3, 0) == ["abc", "def", "gh"]
    assert texts_of("abe\u0301cd", 3, 0) == ["ab", "e\u0301c", "d"]


def test_chinese_is_split_after_its_full_stop() -> None:
    assert texts_of("北京是首都。上海是大城市。", 8, 0) == ["北京是首都。", "上海是大城市。"]


def test_the_default_sizes_are_500_and_50() -> None:
    text = "\n\n".join(f"Paragraph {number:03d} " + "lorem ipsum " * 16 for number in range(20))
    spans = chunks(text)
    assert max(span.end - span.start for span in spans) <= 500
    assert all(0 < before.end - after.start <= 50 for before, after in pairwise(spans))


def test_a_blank_text_has_no_chunks() -> None:
    assert chunks(" \n\n\t ") == ()


@pytest.mark.parametrize(("size", "overlap"), [(0, 0), (-1, 0), (100, -1), (100, 26)])
def test_sizes_that_cannot_work_are_refused(size: int, overlap: int) -> None:
    with pytest.raises(InvalidInput):
        chunks("text", size, overlap)


@given(TEXTS, SIZES)
def test_chunks_cover_the_text_in_order_and_in_size(text: str, sizes: tuple[int, int]) -> None:
    size, overlap = sizes
    spans = chunks(text, size, overlap)
    covered = {place for span in spans for place in range(span.start, span.end)}
    assert covered >= {place for place, character in enumerate(text) if not character.isspace()}
    for span in spans:
        assert span.end - span.start <= size
        assert span.of(text) == span.of(text).strip() != ""
    for before, after in pairwise(spans):
        assert before.start < after.start
        assert before.end < after.end
        assert before.end - after.start <= overlap
