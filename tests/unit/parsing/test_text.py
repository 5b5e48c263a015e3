from __future__ import annotations

import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from adapters.parsing.text import parse_text
from domain.errors import DocumentUnreadable

WORDS = "Nguyễn Văn Ánh ở Hà Nội. 北京的分公司。 مكتب القاهرة."


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "utf-16"])
def test_unicode_encodings_give_the_same_text(encoding: str) -> None:
    assert parse_text(WORDS.encode(encoding)).text == WORDS


def test_big_endian_utf_16_is_known_by_its_mark() -> None:
    assert parse_text(b"\xfe\xff" + WORDS.encode("utf-16-be")).text == WORDS


def test_another_encoding_is_refused_with_offset_and_remedy() -> None:
    with pytest.raises(DocumentUnreadable) as refusal:
        parse_text("café".encode("latin-1"))
    assert refusal.value.message == (
        "The document is not utf-8: the byte b'\\xe9' at offset 3 does not belong there. "
        "Save the document as UTF-8 and submit it again."
    )


def test_the_offset_counts_the_byte_order_mark() -> None:
    with pytest.raises(DocumentUnreadable, match="at offset 4 "):
        parse_text(b"\xef\xbb\xbfa\xff")


def test_utf_32_is_refused_by_name() -> None:
    with pytest.raises(DocumentUnreadable, match="UTF-32"):
        parse_text("a".encode("utf-32"))


def test_half_a_surrogate_pair_in_utf_16_is_refused() -> None:
    with pytest.raises(DocumentUnreadable, match="not utf-16-le"):
        parse_text(b"\xff\xfe\x00\xd8a\x00")


@pytest.mark.parametrize("data", [b"a\0b", "ab".encode("utf-16-le")])
def test_a_nul_is_refused(data: bytes) -> None:
    with pytest.raises(DocumentUnreadable, match="NUL at character 1"):
        parse_text(data)


def test_line_ends_become_one_kind() -> None:
    assert parse_text(b"a\r\nb\rc\n\r\n\rd").text == "a\nb\nc\n\n\nd"


def test_accents_written_in_two_ways_become_one() -> None:
    decomposed = unicodedata.normalize("NFD", WORDS)
    assert decomposed != WORDS
    assert parse_text(decomposed.encode()).text == WORDS


@given(st.text(alphabet=st.characters(exclude_categories=["Cs"], exclude_characters="\0\r"), min_size=1))
def test_every_text_survives_in_normal_form(text: str) -> None:
    if not text.startswith("\ufeff"):
        assert parse_text(text.encode()).text == unicodedata.normalize("NFC", text)
