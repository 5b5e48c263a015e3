"""A model's concepts are kept as far as the window bears them out, item by item."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import Any
from uuid import UUID

import pytest

from adapters.extraction.language_model import LanguageModelClaimExtractor
from adapters.inmemory.language_model import InMemoryLanguageModel
from domain.identity.ids import GroupId, OrganizationId
from domain.ingestion.acceptance import rejection
from domain.ingestion.claims import Extraction, ExtractionWindow
from domain.knowledge.assertion import Mention
from domain.knowledge.objects import TextValue

FIRST = "Every retry has to be idempotent."
SECOND = "Exactly-once delivery makes that needless."
TEXT = f"{FIRST} {SECOND}"
START = 700
WINDOW = ExtractionWindow(TEXT, START, "Retries", datetime(2026, 3, 1, tzinfo=UTC), "en")
LABEL = "Retries must be idempotent"
OTHER = "Delivery happens exactly once"


def concept(**changes: Any) -> dict[str, Any]:
    plain = {
        "label": LABEL, "kind": "principle", "terms": ["safe repetition"], "quote": FIRST, "confidence": 0.9,
        "relations": [],
    }  # fmt: skip
    return {**plain, **changes}


def other(**changes: Any) -> dict[str, Any]:
    return concept(label=OTHER, kind="claim", terms=[], quote=SECOND, **changes)


async def extracted(*concepts: Any) -> Extraction:
    model = InMemoryLanguageModel([{"claims": [], "concepts": list(concepts)}])
    extractor = LanguageModelClaimExtractor(model, "scripted")
    [extraction] = await extractor.extract(
        [WINDOW], organization_id=OrganizationId(UUID(int=1)), group_id=GroupId("o_" + "1" * 32)
    )
    return extraction


async def test_a_concept_has_its_quote_as_evidence_and_passes_acceptance() -> None:
    found = await extracted(
        concept(relations=[{"relation": "CONTRADICTS", "to": "delivery happens exactly once."}]), other()
    )
    assert found.rejections == ()
    said = [(c.claim.subject, c.claim.predicate, c.claim.object, c.excerpt) for c in found.claims]
    label, against = Mention(LABEL, "concept"), Mention(OTHER, "concept")
    assert said == [
        (label, "HAS_CONCEPT_KIND", TextValue("principle"), FIRST),
        (label, "HAS_SEARCH_TERM", TextValue("safe repetition"), FIRST),
        (label, "CONTRADICTS", against, FIRST),
        (against, "HAS_CONCEPT_KIND", TextValue("claim"), SECOND),
    ]
    version = "x" * START + TEXT
    assert [(version[c.start : c.end], rejection(c, version)) for c in found.claims] == [
        (FIRST, None), (FIRST, None), (FIRST, None), (SECOND, None),
    ]  # fmt: skip


@pytest.mark.parametrize(
    ("changes", "code"),
    [
        ({"label": ""}, "concept_malformed"),
        ({"label": " "}, "label_not_in_text"),
        ({"label": "x" * 10_000}, "concept_malformed"),
        ({"kind": "idea"}, "concept_malformed"),
        ({"terms": None}, "concept_malformed"),
        ({"confidence": 2}, "concept_malformed"),
        ({"quote": "Retries are fine."}, "quote_not_in_text"),
        ({"quote": FIRST.upper()}, "quote_not_in_text"),
        ({"label": "Go boom"}, "label_not_in_text"),
        ({"label": "冪等性は大切"}, "label_not_in_text"),
    ],
)
async def test_a_bad_concept_is_rejected_with_a_code_and_the_other_stays(changes: dict[str, Any], code: str) -> None:
    found = await extracted(concept(**changes), other())
    assert [r.code for r in found.rejections] == [code]
    assert [c.claim.subject.surface for c in found.claims] == [OTHER]


@pytest.mark.parametrize(
    ("relation", "code"),
    [
        ({"relation": "LIKES", "to": OTHER}, "relation_malformed"),
        ({"relation": "SUPPORTS"}, "relation_malformed"),
        ({"relation": "SUPPORTS", "to": "Something else"}, "relation_target_unknown"),
        ({"relation": "SUPPORTS", "to": LABEL}, "relation_invalid"),
    ],
)
async def test_a_bad_relation_does_not_cost_the_concept(relation: dict[str, Any], code: str) -> None:
    found = await extracted(concept(relations=[relation]), other())
    assert [r.code for r in found.rejections] == [code]
    assert [c.claim.predicate for c in found.claims] == ["HAS_CONCEPT_KIND", "HAS_SEARCH_TERM", "HAS_CONCEPT_KIND"]


async def test_the_model_can_quote_real_sentences_only_and_may_find_no_concept() -> None:
    model = InMemoryLanguageModel([{"claims": []}])
    extractor = LanguageModelClaimExtractor(model, "scripted")
    [found] = await extractor.extract(
        [WINDOW], organization_id=OrganizationId(UUID(int=1)), group_id=GroupId("o_" + "1" * 32)
    )
    assert (found.claims, found.rejections, found.requests) == ((), (), 1)
    asked = model.requests[0].schema["properties"]["concepts"]["items"]["properties"]
    assert asked["quote"]["enum"] == [FIRST, SECOND]
    assert asked["kind"]["enum"] == ["claim", "definition", "event", "principle"]
