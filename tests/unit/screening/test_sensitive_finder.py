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
