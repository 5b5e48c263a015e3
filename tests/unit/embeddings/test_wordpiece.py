"""WordPiece splits as BERT does. The expected ids are those of the reference tokenizer of bert-base-uncased."""

from __future__ import annotations

from hashlib import sha256

import pytest

from adapters.embeddings.wordpiece import VOCABULARY, WordPiece

START, END, UNKNOWN = 101, 102, 100


@pytest.fixture(scope="module")
def tokens() -> WordPiece:
    return WordPiece()


@pytest.mark.parametrize(
    ("text", "ids"),
    [
        ("Hello, world!", [7592, 1010, 2088, 999]),
        ("unaffable", [14477, 20961, 3468]),
        ("Ngân hàng Nhà nước Việt Nam", [12835, 2319, 6865, 18699, 2050, 16371, 10085, 19710, 15125]),
        ("Đà Nẵng", [1102, 2050, 16660, 2290]),
        ("東京タワー is 333m", [1879, 1755, 1709, 30262, 30265, 2003, 21211, 2213]),
        ("한국어", [1469, 30006, 30021, 29991, 30014, 30020, 29999, 30008]),
        ("naïve café\x00\ufffd x\u200by", [15743, 7668, 1060, 2100]),
        ("x\x01y", [1060, 2100]),
        ("\xa0nbsp\u3000wide", [1050, 5910, 2361, 2898]),
        ("don't stop-the_thing $5.00", [2123, 1005, 1056, 2644, 1011, 1996, 1035, 2518, 1002, 1019, 1012, 4002]),
        ("price: 1,250.50€", [3976, 1024, 1015, 1010, 5539, 1012, 2753, 30102]),
        ("re\u0301sume\u0301", [13746]),
        ("ﬁne Ⅷ", [1984, 2638, UNKNOWN]),
        ("emoji 🙂 ok", [7861, 29147, 2072, UNKNOWN, 7929]),
        ("豈 兩", [UNKNOWN, UNKNOWN]),
        ("a" * 101, [UNKNOWN]),
        ("", []),
        ("  \t\n", []),
    ],
)
def test_ids_are_those_of_the_reference_tokenizer(tokens: WordPiece, text: str, ids: list[int]) -> None:
    assert tokens.encode(text) == [START, *ids, END]


def test_a_special_token_in_a_text_is_ordinary_text(tokens: WordPiece) -> None:
    ids = tokens.encode("[CLS] [SEP]")
    assert ids.count(START) == 1
    assert ids.count(END) == 1


def test_a_long_text_is_cut_and_still_ends(tokens: WordPiece) -> None:
    ids = tokens.encode("word " * 1000)
    assert len(ids) == 256
    assert ids[-1] == END


def test_the_shipped_vocabulary_is_the_published_one() -> None:
    digest = sha256(VOCABULARY.read_bytes()).hexdigest()
    assert digest == "07eced375cec144d27c900241f3e339478dec958f92fddbc551f295c992038a3"
