"""Which passages are copies, and the keys that make them count once: one test a rule."""

from __future__ import annotations

from dataclasses import replace
from uuid import UUID

import pytest
from hypothesis import given
from hypothesis import strategies as st

from domain.errors import InvalidInput
from domain.identity.ids import DocumentId, SketchId, VersionId
from domain.ingestion.copies import (
    BANDS,
    MIN_WORDS,
    SKETCH_SIZE,
    Sketch,
    address_key,
    bands,
    checked_origin,
    content_key,
    holds_no_longer,
    likeness,
    most_alike,
    passages_around,
    runs,
    words,
)

KEY, OTHER_KEY = b"k" * 32, b"o" * 32
LONG = " ".join(f"word{n}" for n in range(60))


def sketch(number: int, content: bytes, key: str = "content:a") -> Sketch:
    own = UUID(int=number)
    return Sketch(SketchId(own), VersionId(own), DocumentId(own), 0, 100, content, key)


def content(*numbers: int) -> bytes:
    """A sketch whose places are these numbers, the last one repeated."""
    padded = (*numbers, *[numbers[-1]] * (SKETCH_SIZE - len(numbers)))
    return b"".join(number.to_bytes(4, "little") for number in padded)


def agreeing(places: int) -> bytes:
    """A sketch that agrees with ``content(1)`` at so many places."""
    return content(*[1] * places, *range(100, 100 + SKETCH_SIZE - places))


def test_k2_an_address_is_one_however_it_is_written() -> None:
    first = address_key("https://Example.org/a/", KEY)
    assert first is not None
    assert first.startswith("address:")
    assert {address_key(uri, KEY) for uri in ("http://example.org/a", " https://example.org/a#top ")} == {first}
    assert first not in {address_key("https://example.org/b", KEY), address_key("https://example.org/a", OTHER_KEY)}
    assert address_key("https://example.org/a?page=2", KEY) != first
    assert address_key("urn:newsml:reuters.com:20240501:1", KEY) is not None


@pytest.mark.parametrize("uri", [None, "", "a title", "file:///README.md", "data:,x", "https://[::1", "with space: x"])
def test_k4_what_names_something_to_one_machine_only_is_no_address(uri: str | None) -> None:
    assert address_key(uri, KEY) is None


@pytest.mark.parametrize("uri", ["", " ", "a title", "https://a b", "x" * 3000, "https://example.org/" + "x" * 2000])
def test_an_origin_that_is_no_address_is_refused(uri: str) -> None:
    with pytest.raises(InvalidInput):
        checked_origin(uri)


def test_an_origin_is_kept_as_it_was_given() -> None:
    assert checked_origin(" https://Example.org/a ") == "https://Example.org/a"


def test_k3_the_most_alike_passage_is_found_and_of_equals_the_first() -> None:
    known = [sketch(3, agreeing(110)), sketch(2, agreeing(114)), sketch(1, agreeing(114)), sketch(4, agreeing(90))]
    found = most_alike(content(1), known, 0.8)
    assert found is not None
    assert (found[0].id.int, found[1]) == (1, 0.95)
    assert most_alike(content(1), [sketch(4, agreeing(95))], 0.8) is None
    assert most_alike(content(1), [], 0.8) is None


def test_k3_of_the_versions_of_a_document_the_newest_is_asked() -> None:
    former, present = sketch(1, agreeing(120), "content:old"), sketch(2, agreeing(114), "content:new")
    present = replace(present, document_id=former.document_id)
    found = most_alike(content(1), [former, present, sketch(3, agreeing(110))], 0.8)
    assert found is not None
    assert found[0].independence_key == "content:new"


def test_k3_what_a_former_version_declared_holds_no_longer() -> None:
    declared = sketch(1, content(1), "address:u")
    assert holds_no_longer(declared, "content:a")
    assert not holds_no_longer(declared, "address:u")
    assert not holds_no_longer(replace(declared, copy_of=DocumentId(UUID(int=9))), "content:a")
    assert not holds_no_longer(sketch(1, content(1), "content:b"), "content:a")


def test_k4_the_key_of_a_content_depends_on_source_and_content_and_tells_neither() -> None:
    own = content_key("source", "hash", KEY)
    assert own == content_key("source", "hash", KEY)
    assert (
        len(
            {
                own,
                content_key("source", "h", KEY),
                content_key("s", "hash", KEY),
                content_key("source", "hash", OTHER_KEY),
            }
        )
        == 4
    )
    assert "hash" not in own


def test_k5_a_long_paragraph_is_its_own_passage_and_all_its_places_share_it() -> None:
    text = f"Title\n\n{LONG}\n\nEnd."
    start = text.index("word0")
    found = passages_around(text, [start, start + 20, start])
    assert {span.of(text) for span in found.values()} == {LONG}
    assert set(found) == {start, start + 20}


def test_k5_a_short_paragraph_goes_on_until_it_has_fifty_words() -> None:
    text = f"By our reporter\n\nAcme is based in Rome.\n\n{LONG}"
    start = text.index("Acme")
    passage = passages_around(text, [start])[start].of(text)
    assert passage.startswith("Acme is based in Rome.")
    assert passage.endswith("word44")
    assert len(words(passage)) == MIN_WORDS


def test_k5_at_the_end_of_a_text_it_begins_so_much_earlier() -> None:
    text = f"{LONG}\n\nAcme is based in Rome."
    start = text.index("Acme")
    passage = passages_around(text, [start])[start].of(text)
    assert passage.startswith("word15 ")
    assert passage.endswith("in Rome.")
    assert len(words(passage)) == MIN_WORDS


def test_k5_a_place_between_paragraphs_has_no_passage() -> None:
    assert passages_around("One.\n\nTwo.", [5]) == {}
    assert passages_around("", [0]) == {}


def test_k6_fewer_than_fifty_words_are_compared_with_nothing() -> None:
    assert runs(" ".join(["word"] * (MIN_WORDS - 1))) == set()
    assert runs(" ".join(["word"] * MIN_WORDS)) == {"word word word"}
    text = "Acme is based in Rome."
    assert runs(passages_around(text, [0])[0].of(text)) == set()


def test_k7_case_punctuation_and_composition_make_no_difference() -> None:
    assert runs("Đường, NGUYỄN Huệ! " * 20) == runs("đường nguye\u0302\u0303n huệ " * 20)
    assert words("Hà Nội là thủ đô") == ["hà", "nội", "là", "thủ", "đô"]


def test_k7_scripts_without_spaces_are_compared_by_letters() -> None:
    assert words("東京は日本 2024") == ["東", "京", "は", "日", "本", "2024"]
    assert len(runs("東京都は日本の首都であり人口は約千四百万人である" * 3)) > 20


def test_passages_that_share_a_band_find_each_other_and_scopes_and_keys_are_apart() -> None:
    own = bands(content(1), "scheme", "w_1", KEY)
    assert len(own) == BANDS
    assert own[1:] == bands(content(2, 1), "scheme", "w_1", KEY)[1:]
    for other in (
        bands(content(1), "other", "w_1", KEY),
        bands(content(1), "scheme", "w_2", KEY),
        bands(content(1), "scheme", "w_1", OTHER_KEY),
    ):
        assert not set(own) & set(other)
    assert all(-(2**63) <= band < 2**63 for band in own)


@given(st.integers(0, SKETCH_SIZE))
def test_likeness_is_the_share_of_equal_places_both_ways(places: int) -> None:
    assert likeness(content(1), agreeing(places)) == likeness(agreeing(places), content(1)) == places / SKETCH_SIZE


def test_sketches_of_different_sizes_are_not_alike() -> None:
    assert likeness(content(1), content(1)[:-4]) == 0.0
    assert likeness(b"", b"") == 0.0
