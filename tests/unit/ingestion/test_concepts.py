"""Concepts from records and from typed triples: read item by item, refused with a code."""

from __future__ import annotations

from typing import Any

import pytest

from domain.errors import InvalidInput
from domain.ingestion.claims import Rejection
from domain.ingestion.concept_records import QuotedClaim, concepts_of
from domain.ingestion.concepts import StatedConcept
from domain.ingestion.mapping import claims_of
from domain.ingestion.mapping_form import parse_mapping
from domain.ingestion.typed_triples import typed_triple
from domain.knowledge.assertion import Claim, ClaimKind, Mention
from domain.knowledge.concept import ConceptKind
from domain.knowledge.objects import TextValue

FORM: dict[str, Any] = {
    "subject": "id",
    "key": "id",
    "concepts": [
        {
            "label": "statement", "kind_column": "type", "terms": "keywords", "quote": "words", "split": ";",
            "relations": [
                {"column": "backs", "relation": "supports"},
                {"column": "against", "relation": "CONTRADICTS"},
            ],
        }
    ],
}  # fmt: skip
MAPPING = parse_mapping(FORM)
ROW = {
    "id": "7", "statement": "Retries must be idempotent", "type": "Principle", "keywords": "retry; at least once;retry",
    "words": "Every retry has to be idempotent.", "backs": "Messages may come twice", "against": "",
}  # fmt: skip
LABEL = Mention("Retries must be idempotent", "concept")


def claim(predicate: str, target: Mention | TextValue, kind: ClaimKind = ClaimKind.FACT) -> Claim:
    return Claim(LABEL, predicate, target, 1.0, kind=kind)


def test_a_record_states_a_concept_with_its_quote_terms_and_relations() -> None:
    claims, rejections = concepts_of(ROW, MAPPING)
    assert rejections == []
    assert claims == [
        QuotedClaim(claim("HAS_CONCEPT_KIND", TextValue("principle")), "Every retry has to be idempotent."),
        QuotedClaim(claim("HAS_SEARCH_TERM", TextValue("retry"))),
        QuotedClaim(claim("HAS_SEARCH_TERM", TextValue("at least once"))),
        QuotedClaim(claim("SUPPORTS", Mention("Messages may come twice", "concept"))),
    ]
    assert claims_of(ROW, MAPPING) == ([], [])


@pytest.mark.parametrize(
    ("change", "code", "kept"),
    [
        ({"statement": ""}, "concept_label_missing", 0),
        ({"statement": "x" * 10_000}, "concept_invalid", 0),
        ({"type": "idea"}, "concept_kind_unknown", 0),
        ({"type": ""}, "concept_kind_missing", 0),
        ({"words": "x" * 4_001}, "quote_too_long", 0),
        ({"keywords": "x" * 201}, "concept_invalid", 0),
        ({"against": "retries must be idempotent."}, "relation_invalid", 4),
    ],
)
def test_what_does_not_fit_is_rejected_with_a_code_and_the_rest_lands(
    change: dict[str, str], code: str, kept: int
) -> None:
    claims, rejections = concepts_of(ROW | change, MAPPING)
    assert ([r.code for r in rejections], len(claims)) == ([code], kept)


def test_a_record_that_says_nothing_of_a_concept_gives_nothing() -> None:
    assert concepts_of({"id": "8"}, MAPPING) == ([], [])
    same = parse_mapping(FORM | {"subject": "statement"})
    assert concepts_of({"id": "8", "words": "said"}, same) == ([], [])
    assert claims_of({"id": "8", "words": "said"}, same)[1] == [
        Rejection("subject_missing", "column 'statement' is empty")
    ]


def changed(**fields: Any) -> dict[str, Any]:
    return FORM | {"concepts": [{k: v for k, v in (FORM["concepts"][0] | fields).items() if v is not None}]}


@pytest.mark.parametrize(
    ("form", "field"),
    [
        (FORM | {"concepts": {}}, "concepts"),
        (FORM | {"concepts": []}, "properties"),
        (changed(label=None), "concepts[0].label"),
        (changed(kind="claim"), "concepts[0].kind"),
        (changed(kind_column=None), "concepts[0].kind"),
        (changed(kind_column=None, kind="idea"), "concepts[0].kind"),
        (changed(colour="red"), "concepts[0].colour"),
        (changed(relations=[{"column": "x", "relation": "LIKES"}]), "concepts[0].relations[0].relation"),
        (changed(relations=[{"relation": "SUPPORTS"}]), "concepts[0].relations[0].column"),
    ],
)
def test_a_wrong_mapping_of_concepts_is_refused_by_the_name_of_its_field(form: dict[str, Any], field: str) -> None:
    with pytest.raises(InvalidInput) as refused:
        parse_mapping(form)
    assert refused.value.field == field


def test_a_header_without_a_column_of_a_concept_is_refused() -> None:
    with pytest.raises(InvalidInput, match="column 'against' is mapped but not in the data"):
        MAPPING.check_header(["id", "statement", "type", "keywords", "words", "backs"])


def test_a_line_names_concepts_by_their_labels() -> None:
    line = {
        "subject": {"concept": "Retries must be idempotent"},
        "predicate": "contradicts",
        "object": {"concept": "Messages come once"},
        "excerpt": "If messages came once, retries could do as they like.",
    }
    triple = typed_triple(line)
    assert triple.claim == claim("CONTRADICTS", Mention("Messages come once", "concept"), ClaimKind.CLAIM)
    stated = typed_triple(line | {"predicate": "concept kind", "object": {"text": "principle"}})
    assert stated.claim.object == TextValue("principle")
    proposed = typed_triple(line | {"predicate": "proposed by", "object": "Ann Lee"})
    assert (proposed.claim.subject, proposed.claim.object) == (LABEL, Mention("Ann Lee"))


@pytest.mark.parametrize(
    ("change", "field"),
    [
        ({"predicate": "likes"}, "relation"),
        ({"predicate": "concept kind", "object": {"text": "idea"}}, "kind"),
        ({"subject": {"concept": " "}}, "subject.concept"),
        ({"subject": {"concept": "x" * 10_000}}, "name"),
        ({"subject": {"concept": "a", "kind": "team"}}, "subject.kind"),
        ({"object": {"concept": "B", "kind": "team"}}, "object.kind"),
        ({"object": {"concept": "A."}}, "object"),
    ],
)
def test_a_line_that_states_no_concept_is_refused_by_its_field(change: dict[str, Any], field: str) -> None:
    line = {"subject": {"concept": "A"}, "predicate": "SUPPORTS", "object": {"concept": "B"}}
    with pytest.raises(InvalidInput) as refused:
        typed_triple(line | change)
    assert refused.value.field == field


def test_terms_come_once_and_never_repeat_the_label() -> None:
    concept = StatedConcept("Caching", ConceptKind.DEFINITION, ("caching ", "Cache", "memo", "cache"))
    assert [c.object for c in concept.termed()] == [TextValue("Cache"), TextValue("memo")]
    with pytest.raises(InvalidInput, match="at most 50 search terms, not 51"):
        StatedConcept("Caching", ConceptKind.DEFINITION, tuple(f"t{n}" for n in range(51)))
