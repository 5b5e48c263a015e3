"""Sentences of a window are literal spans, short enough to be an excerpt, and cover what is said."""

from __future__ import annotations

from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from adapters.extraction.sentences import sentences_of
from domain.knowledge.assertion import MAX_EXCERPT


@pytest.mark.parametrize(
    ("window", "shown"),
    [
        ("Acme was founded in 1990. It makes anvils.", ["Acme was founded in 1990.", "It makes anvils."]),
        ("Dr. Smith met J. Doe of Acme Inc. in May.", ["Dr. Smith met J. Doe of Acme Inc. in May."]),
        ("It runs v1.2. Why? It works!", ["It runs v1.2.", "Why?", "It works!"]),
        ("A soft\nline break stays.\n\nA paragraph ends", ["A soft line break stays.", "A paragraph ends"]),
        ("# Title\nText here\n- one item\n- two items", ["# Title Text here", "- one item", "- two items"]),
        ("Ann: we ship Friday\nBob: no", ["Ann: we ship Friday", "Bob: no"]),
        ("会社は東京にある。社長は田中だ。", ["会社は東京にある。", "社長は田中だ。"]),
        ("Trụ sở ở Hà Nội. Giám đốc là bà Lan.", ["Trụ sở ở Hà Nội.", "Giám đốc là bà Lan."]),
        ("Same words. Same words.", ["Same words."]),
        ("  \n ", []),
        ("", []),
    ],
)
def test_a_window_splits_into_its_sentences(window: str, shown: list[str]) -> None:
    assert [sentence.shown for sentence in sentences_of(window)] == shown


def test_a_long_sentence_is_cut_after_a_comma() -> None:
    window = "word " * 45 + "end, " + "more " * 40
    first, second = sentences_of(window)
    assert first.shown.endswith("end,")
    assert second.shown.startswith("more")


@given(st.text(alphabet="aB .,;\n-|#?!é。", max_size=900))
def test_sentences_are_literal_ordered_and_never_too_long(window: str) -> None:
    sentences = sentences_of(window)
    for sentence in sentences:
        assert " ".join(window[sentence.start : sentence.end].split()) == sentence.shown
        assert 0 < sentence.end - sentence.start <= MAX_EXCERPT
    for earlier, later in pairwise(sentences):
        assert earlier.end <= later.start
