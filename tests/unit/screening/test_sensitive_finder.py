"""What is found in a hundred lines that were written before the finder, and in what they do not show."""

from __future__ import annotations

import json
from collections import Counter
from pathlib import Path

import pytest

from adapters.screening.sensitive_finder import PatternSensitiveFinder
from domain.ingestion.sensitive import Finding, SensitiveKind

LINES = [json.loads(line) for line in Path(__file__).with_name("lines.jsonl").read_text().splitlines()]
FINDER = PatternSensitiveFinder()


def measured() -> dict[str, tuple[int, int, int]]:
    """Kind to found, found wrongly and missed."""
    right, wrong, missed = Counter[str](), Counter[str](), Counter[str]()
    for line in LINES:
        text = line["text"]
        found = {(f.kind.value, text[f.start : f.end]) for f in FINDER.find(text)}
        wanted = {(kind, value) for kind, values in line["found"].items() for value in values}
        right.update(kind for kind, _ in found & wanted)
        wrong.update(kind for kind, _ in found - wanted)
        missed.update(kind for kind, _ in wanted - found)
    return {kind.value: (right[kind], wrong[kind], missed[kind]) for kind in SensitiveKind}


def test_of_a_hundred_lines_fifty_hold_something() -> None:
    assert len(LINES) == 100
    assert sum(bool(line["found"]) for line in LINES) == 50


@pytest.mark.parametrize("kind", list(SensitiveKind))
def test_precision_and_recall_of_every_kind_are_one(kind: SensitiveKind) -> None:
    right, wrong, missed = measured()[kind]
    assert (wrong, missed) == (0, 0), f"{kind}: {right} found, {wrong} found wrongly, {missed} missed"
    assert right >= 3


@pytest.mark.parametrize(
    "text",
    [
        "It costs 1,411,111,111,111,111 dong in all.",
        "The run of 4111 1111 1111 1112 tons was a mistake.",
        "0000 0000 0000 0000 is what an empty card reads.",
        "see git@gitlab.harbour.io:tide/ingest.git for the code",
        "https://user@docs.harbour.io/a is an address with a user",
        "password: required",
        "The token limit is 128000 tokens.",
        "secret: ********",
        "eyJub3QiOiJhIn0.token.here is no signed token",
        "",
    ],
)
def test_what_only_looks_alike_is_left(text: str) -> None:
    assert FINDER.find(text) == []


def test_a_value_of_two_kinds_counts_once() -> None:
    text = "postgres://ledger:9vTq-x2Lm8@db.internal.vn/ledger"
    assert FINDER.find(text) == [Finding(SensitiveKind.PASSWORD, 18, 28)]


def test_a_card_between_other_numbers_is_found() -> None:
    text = "4111 1111 1111 1111 09 27 120"
    assert FINDER.find(text) == [Finding(SensitiveKind.CARD, 0, 19)]


def test_many_findings_are_put_in_order() -> None:
    text = "".join(f"a{n}@cangbien.vn, " for n in range(2_000))
    found = FINDER.find(text)
    assert len(found) == 2_000
    assert found == sorted(found, key=lambda f: f.start)


@pytest.mark.parametrize(
    "written",
    [
        "4111\u00a01111\u00a01111\u00a01111",
        "4111\u202f1111\u202f1111\u202f1111",
        "4111.1111.1111.1111",
        "4111\u20111111\u20111111\u20111111",
        "4111\u200b1111\u200b1111\u200b1111",
        "\uff14\uff11\uff11\uff11 \uff11\uff11\uff11\uff11 \uff11\uff11\uff11\uff11 \uff11\uff11\uff11\uff11",
        "3782.822463.10005",
    ],
)
def test_a_card_is_found_in_every_way_of_writing_it(written: str) -> None:
    assert FINDER.find(f"Thẻ {written}, nhé") == [Finding(SensitiveKind.CARD, 4, 4 + len(written))]


def test_an_account_and_an_address_in_other_forms_are_found() -> None:
    account = "DE89\u00a03704\u00a00044\u00a00532\u00a00130\u00a000"
    assert FINDER.find(f"to {account}") == [Finding(SensitiveKind.IBAN, 3, 3 + len(account))]
    assert [f.kind for f in FINDER.find("anna\uff20cangbien.vn")] == [SensitiveKind.EMAIL]


@pytest.mark.parametrize(
    "text",
    ["1.411.111.111.111.111", "4111.1111.1111.1112", "10.4111.1111.1111.1111", "4.111.111.111.111.111"],
)
def test_dots_in_large_numbers_make_no_card(text: str) -> None:
    assert FINDER.find(text) == []


@pytest.mark.parametrize(
    "name",
    [
        "mat khau:", "Mat khau la", "mat_khau =", "Mật khẩu:", "Mật khẩu là", "MẬT KHẨU：", "mật\u00a0khẩu là",
        "Ma\u0323\u0302t kh\u00e2\u0309u l\u00e0", "password: password:", "has password: password is", "passcode:",
        "password,\npassword:",
    ],
)  # fmt: skip
def test_a_password_is_known_by_its_name_in_every_way_of_writing_it(name: str) -> None:
    text = f"{name} abcXYZ123"
    assert FINDER.find(text) == [Finding(SensitiveKind.PASSWORD, len(name) + 1, len(text))]


@pytest.mark.parametrize(
    "name", ["api_key", "API key", "has secret", "khóa bí mật", "khoa bi mat", "private key", "token"]
)
def test_an_opaque_secret_is_known_by_its_name(name: str) -> None:
    text = f"{name}: 9f8d7c6b5a4e3f2a1b0c"
    assert FINDER.find(text) == [Finding(SensitiveKind.PASSWORD, len(name) + 2, len(text))]


def test_a_markdown_table_tells_by_its_columns_and_rows() -> None:
    text = (
        "| user | password | api key |\n|---|:--|--:|\n| anna | hunter2x | `9f8d7c6b5a4e3f2a1b0c` |\n"
        "| ben || none |\n| eva | ${VAULT} | soon |\n\n"
        "host | Mật khẩu\n-----|---\ndb1 | qwe123rty\n\n"
        "| what | is |\n|---|---|\n| Password (prod) | s3cretly |\n| Password policy | v2.1-draft |\n"
    )
    assert [text[f.start : f.end] for f in FINDER.find(text)] == [
        "hunter2x", "9f8d7c6b5a4e3f2a1b0c", "qwe123rty", "s3cretly",
    ]  # fmt: skip
