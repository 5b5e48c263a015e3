"""MinHash as a sketcher."""

from __future__ import annotations

import hashlib

import pytest

from adapters.sketching.minhash import MinHashSketcher
from domain.ingestion.copies import COPY_LIKENESS, likeness, runs
from domain.ports.sketcher import Sketcher
from tests.contracts.sketcher_contract import WORDS, SketcherContract


class TestMinHashSketcher(SketcherContract):
    @pytest.fixture
    def sketcher(self) -> Sketcher:
        return MinHashSketcher()


def test_what_was_stored_can_still_be_compared() -> None:
    """A release of the library that hashes otherwise has to name its algorithm otherwise: then this pair changes."""
    (sketch,) = MinHashSketcher().sketch([WORDS[:60]])
    digest = hashlib.sha256(sketch).hexdigest()[:16]
    assert (MinHashSketcher().scheme, digest) == (
        "minhash-2-1-120",
        "42b4a9db7eec575c",
    )


VIETNAMESE = (
    "Công ty Northgate được Ines Calder thành lập năm 2009. Công ty khởi đầu trong một xưởng nhỏ gần bến cảng cũ, nơi "
    "bốn người sửa máy bơm cho thuyền đánh cá và dần dần học được những gì các xưởng đóng tàu lớn cần. Trong sáu năm, "
    "công ty đã có chín mươi nhân viên, mở thêm một nhà xưởng ở bên kia sông."
)
JAPANESE = (
    "ノースゲート社は二〇〇九年にイネス・カルダーによって設立された。同社は古い港の近くの小さな工場で始まり、"
    "四人の職人が漁船のポンプを修理しながら、大きな造船所が必要とするものを少しずつ学んでいった。"
)


@pytest.mark.parametrize(
    ("text", "edited"),
    [
        (VIETNAMESE, VIETNAMESE.replace("dần dần", "từ từ").upper()),
        (JAPANESE, JAPANESE.replace("少しずつ", "徐々に")),
    ],
)
def test_an_edited_copy_is_alike_in_other_languages_too(text: str, edited: str) -> None:
    copied, other = MinHashSketcher().sketch([runs(edited), runs(text[::-1])])
    (own,) = MinHashSketcher().sketch([runs(text)])
    assert likeness(own, copied) >= COPY_LIKENESS
    assert likeness(own, other) < 0.1
