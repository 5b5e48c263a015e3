"""A masked value is no name: not in a triple, a record, a concept or a text."""

from __future__ import annotations

import pytest

from domain.errors import SensitiveName
from domain.ingestion.acceptance import rejection
from domain.ingestion.claims import SpanClaim
from domain.ingestion.concept_records import concepts_of
from domain.ingestion.mapping import claims_of
from domain.ingestion.mapping_form import parse_mapping
from domain.ingestion.sensitive import SensitiveKind, holds_mask, mask
from domain.ingestion.typed_triples import typed_triple
from domain.knowledge.assertion import Claim, Mention
from domain.knowledge.objects import TextValue

CARD = mask(SensitiveKind.CARD, 16)


@pytest.mark.parametrize("kind", list(SensitiveKind))
@pytest.mark.parametrize("more", range(30))
def test_every_mask_is_known_in_every_length(kind: SensitiveKind, more: int) -> None:
    least = {SensitiveKind.PASSWORD: 6, SensitiveKind.EMAIL: 6, SensitiveKind.PHONE: 6}.get(kind, len(kind) + 3)
    assert holds_mask(f"no {mask(kind, least + more)}.")


def test_a_piece_of_a_mask_is_known_and_other_brackets_and_bullets_are_none() -> None:
    assert holds_mask("iban]••••")
    assert [holds_mask(name) for name in ("reset/[token]/page", "a • b", "[card] game", "Anna")] == [False] * 4


@pytest.mark.parametrize(
    ("changed", "field"),
    [
        ({"subject": CARD}, "subject"),
        ({"subject": {"name": f"the {CARD}"}}, "subject.name"),
        ({"subject": {"concept": CARD}}, "subject.concept"),
        ({"object": CARD}, "object"),
        ({"object": {"entity": CARD, "kind": "card"}}, "object.entity"),
        ({"object": {"concept": CARD}}, "object.concept"),
    ],
)
def test_a_triple_about_a_mask_is_refused_without_its_value(changed: dict[str, object], field: str) -> None:
    with pytest.raises(SensitiveName) as refused:
        typed_triple({"subject": "Anna", "predicate": "pays with", "object": "x", **changed})
    assert (refused.value.code, refused.value.field, "•" in refused.value.message) == ("sensitive_name", field, False)


def test_a_mask_in_a_text_is_kept() -> None:
    triple = typed_triple({"subject": "Anna", "predicate": "pays with", "object": {"text": CARD}})
    assert triple.claim.object == TextValue(CARD)


def test_a_record_whose_subject_or_key_is_masked_is_rejected_and_a_masked_cell_alone() -> None:
    mapping = parse_mapping(
        {
            "subject": "name",
            "key": "id",
            "properties": [
                {"column": "owner", "predicate": "OWNED_BY", "object": "entity"},
                {"column": "note", "predicate": "NOTED_AS", "object": "text"},
            ],
            "concepts": [
                {"label": "idea", "kind": "claim", "relations": [{"column": "against", "relation": "CONTRADICTS"}]}
            ],
        }
    )
    record = {"name": "a", "id": "1", "owner": "Anna", "note": CARD, "idea": "it works", "against": "it fails"}
    assert [len(claims_of(record, mapping)[0]), len(concepts_of(record, mapping)[0])] == [2, 2]
    for column, kept, concepts in (("name", 0, 2), ("id", 0, 0), ("owner", 1, 2), ("idea", 2, 0), ("against", 2, 1)):
        changed = {**record, column: CARD}
        claims, refused = claims_of(changed, mapping)
        quoted, more = concepts_of(changed, mapping)
        assert (column, len(claims), len(quoted)) == (column, kept, concepts)
        assert [each.code for each in (*refused, *more)] == ["sensitive_name"]


def test_an_extracted_claim_about_a_mask_is_rejected() -> None:
    text = f"Team North owns {CARD}."
    subject, masked = Mention("Team North"), Mention(CARD)
    for claim in (Claim(subject, "owns", masked, 0.9), Claim(masked, "owned by", subject, 0.9)):
        refused = rejection(SpanClaim(claim, text, 0, len(text)), text)
        assert refused is not None
        assert refused.code == "sensitive_name"
    kept = Claim(subject, "owns", TextValue(CARD), 0.9)
    assert rejection(SpanClaim(kept, text, 0, len(text)), text) is None
