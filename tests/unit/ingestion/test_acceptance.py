from __future__ import annotations

from dataclasses import replace

import pytest

from domain.ingestion.acceptance import (
    JUNK_PREDICATES,
    AcceptanceRules,
    confidence_rejection,
    predicate_rejection,
    rejection,
)
from domain.ingestion.claims import SpanClaim
from domain.knowledge.assertion import Claim, Mention

TEXT = "Trước đây. Công ty An Bình đặt trụ sở ở Huế. Nó có 12 người."
EXCERPT = "Công ty An Bình đặt trụ sở ở Huế."
GOOD = SpanClaim(
    claim=Claim(Mention("Công ty An Bình"), "HEADQUARTERED_IN", Mention("Huế"), confidence=0.8),
    excerpt=EXCERPT,
    start=TEXT.index(EXCERPT),
    end=TEXT.index(EXCERPT) + len(EXCERPT),
)


def code_of(item: SpanClaim, text: str = TEXT, rules: AcceptanceRules | None = None) -> str | None:
    found = rejection(item, text, rules or AcceptanceRules())
    return found.code if found else None


def test_a_good_item_is_accepted() -> None:
    assert code_of(GOOD) is None


@pytest.mark.parametrize("junk", sorted(JUNK_PREDICATES))
def test_junk_predicates_are_rejected_in_any_spelling(junk: str) -> None:
    for spelled in (junk, junk.lower(), junk.replace("_", " ").title(), junk.title().replace("_", "")):
        found = predicate_rejection(spelled)
        assert found is not None
        assert found.code == "predicate_junk"


def test_junk_is_a_setting() -> None:
    item = replace(GOOD, claim=replace(GOOD.claim, predicate="likes"))
    assert code_of(item) is None
    assert code_of(item, rules=AcceptanceRules(junk_predicates=frozenset({"LIKES"}))) == "predicate_junk"


@pytest.mark.parametrize(
    ("predicate", "code"),
    [("", "predicate_empty"), (" _-_ ", "predicate_empty"), ("P" * 100, None), ("P" * 101, "predicate_too_long"),
     ("P" * 300, "predicate_too_long"), ("đặt trụ sở", None)],
)  # fmt: skip
def test_a_predicate_has_1_to_100_characters(predicate: str, code: str | None) -> None:
    found = predicate_rejection(predicate)
    assert (found.code if found else None) == code


@pytest.mark.parametrize(
    ("confidence", "code"),
    [(0.49, "confidence_too_low"), (0.5, None), (1.0, None), (float("nan"), "confidence_too_low")],
)
def test_under_a_half_is_too_unsure(confidence: float, code: str | None) -> None:
    found = confidence_rejection(confidence)
    assert (found.code if found else None) == code


@pytest.mark.parametrize(
    ("changed", "code"),
    [
        ({"excerpt": ""}, "excerpt_empty"),
        ({"excerpt": " \n"}, "excerpt_empty"),
        ({"excerpt": "Công ty An Bình đặt trụ sở tại Huế."}, "excerpt_not_literal"),
        ({"start": GOOD.start + 1, "end": GOOD.end + 1}, "excerpt_not_literal"),
        ({"start": GOOD.start - len(TEXT), "end": GOOD.end - len(TEXT)}, "excerpt_not_literal"),
        ({"end": 10_000}, "excerpt_not_literal"),
        ({"excerpt": "x" * 301}, "excerpt_too_long"),
    ],
)
def test_evidence_is_a_literal_stretch_of_the_text(changed: dict[str, object], code: str) -> None:
    assert code_of(replace(GOOD, **changed)) == code  # type: ignore[arg-type]


def test_an_excerpt_of_300_characters_is_not_too_long() -> None:
    excerpt = "An " + "x" * 297
    item = SpanClaim(replace(GOOD.claim, subject=Mention("An")), excerpt, 0, 300)
    assert code_of(item, excerpt) is None
    assert code_of(replace(item, excerpt=f"{excerpt}x", end=301), f"{excerpt}x") == "excerpt_too_long"


def test_a_subject_outside_the_excerpt_needs_a_resolved_antecedent() -> None:
    excerpt = "Nó có 12 người."
    start = TEXT.index(excerpt)
    item = SpanClaim(GOOD.claim, excerpt, start, start + len(excerpt))
    assert code_of(item) == "subject_not_in_excerpt"
    resolved = replace(GOOD.claim, subject=Mention("Công ty An Bình", antecedent=True))
    assert code_of(replace(item, claim=resolved)) is None
