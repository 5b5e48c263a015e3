"""A model's claims are kept only as far as the window bears them out."""

from __future__ import annotations

from datetime import UTC, datetime
from decimal import Decimal
from typing import Any
from uuid import UUID

import pytest

from adapters.extraction.document_router import LanguageModelDocumentRouter
from adapters.extraction.language_model import LanguageModelClaimExtractor
from adapters.inmemory.language_model import InMemoryLanguageModel
from domain.errors import ModelReplyInvalid, Unavailable
from domain.identity.ids import GroupId, OrganizationId
from domain.ingestion.claims import Extraction, ExtractionWindow
from domain.ingestion.routing import Route
from domain.knowledge.assertion import Claim, ClaimKind, Mention, Polarity
from domain.knowledge.objects import BooleanValue, DateValue, NumberValue, TextValue
from domain.knowledge.time import Precision, TimeBound
from domain.ports.document_router import RouteSuggestion
from domain.ports.language_model import ModelRole

ORGANIZATION = OrganizationId(UUID(int=1))
GROUP = GroupId("o_" + "1" * 32)
REFERENCE = datetime(2026, 3, 1, tzinfo=UTC)
TEXT = (
    "Acme Corporation was founded in 1990 by Ann Lee.\n"
    "The company is based in  San\nFrancisco. It had 1,200 employees until March 2023. Bob is no longer its chair."
)
START = 500
WINDOW = ExtractionWindow(TEXT, START, "Acme at a glance", REFERENCE, "en", {"Acme Corporation": "organization"})
FIRST = "Acme Corporation was founded in 1990 by Ann Lee."
SECOND = "The company is based in San Francisco."
THIRD = "It had 1,200 employees until March 2023."
FOURTH = "Bob is no longer its chair."


def item(**changes: Any) -> dict[str, Any]:
    plain = {
        "subject": "Acme Corporation",
        "subject_kind": "company",
        "predicate": "FOUNDED_BY",
        "object": "Ann Lee",
        "object_type": "entity",
        "object_kind": "person",
        "negated": False,
        "ended": False,
        "valid_from": None,
        "valid_to": None,
        "kind": "fact",
        "asserter": None,
        "confidence": 0.9,
        "excerpt": FIRST,
    }
    return {**plain, **changes}


async def extracted(*items: dict[str, Any], window: ExtractionWindow = WINDOW) -> Extraction:
    extractor = LanguageModelClaimExtractor(InMemoryLanguageModel([{"claims": list(items)}]), "scripted")
    [extraction] = await extractor.extract([window], organization_id=ORGANIZATION, group_id=GROUP)
    return extraction


async def only_claim(**changes: Any) -> Claim:
    extraction = await extracted(item(**changes))
    assert extraction.rejections == ()
    return extraction.claims[0].claim


async def only_code(window: ExtractionWindow = WINDOW, **changes: Any) -> str:
    extraction = await extracted(item(**changes), window=window)
    assert extraction.claims == ()
    return extraction.rejections[0].code


async def test_a_claim_has_its_literal_excerpt_and_offsets_in_the_version() -> None:
    [found] = (await extracted(item())).claims
    assert (found.excerpt, found.start, found.end) == (FIRST, 500, 548)
    assert found.claim == Claim(
        Mention("Acme Corporation", "organization", 500, 516),
        "FOUNDED_BY",
        Mention("Ann Lee", "person", 540, 547),
        0.9,
        kind=ClaimKind.FACT,
    )


async def test_an_excerpt_over_a_line_break_is_the_text_as_it_stands() -> None:
    [found] = (await extracted(item(predicate="BASED_IN", object="San Francisco", excerpt=SECOND))).claims
    assert found.excerpt == "The company is based in  San\nFrancisco."
    assert TEXT[found.start - START : found.end - START] == found.excerpt
    assert isinstance(found.claim.object, Mention)
    assert found.claim.object.surface == "San Francisco"


async def test_a_subject_named_before_its_sentence_is_an_antecedent() -> None:
    claim = await only_claim(predicate="BASED_IN", object="San Francisco", excerpt=SECOND)
    assert claim.subject == Mention("Acme Corporation", "organization", 500, 516, antecedent=True)


async def test_a_subject_named_in_the_title_only_is_an_antecedent_without_a_place() -> None:
    claim = await only_claim(subject="Acme at a glance", subject_kind=None)
    assert claim.subject == Mention("Acme at a glance", None, antecedent=True)


@pytest.mark.parametrize(
    ("changes", "code"),
    [
        ({"excerpt": "Acme was founded by aliens."}, "excerpt_not_in_text"),
        ({"excerpt": "acme corporation WAS founded in 1990 by Ann Lee."}, "excerpt_not_in_text"),
        ({"excerpt": TEXT + " "}, "accepted"),
        ({"subject": "Ada Lovelace"}, "subject_not_in_text"),
        ({"subject": "Acme Corp"}, "subject_not_in_text"),
        ({"object": "Ada Lovelace"}, "object_not_in_text"),
        ({"object": "founded by wizards", "object_type": "text"}, "object_not_in_text"),
        ({"object": "9,999", "object_type": "number"}, "object_not_in_text"),
        ({"object": "1850", "object_type": "date"}, "time_not_in_text"),
        ({"object": "soon", "object_type": "date"}, "claim_invalid"),
        ({"object": "maybe", "object_type": "boolean"}, "claim_invalid"),
        ({"valid_from": "1066"}, "time_not_in_text"),
        ({"valid_from": "March 1990"}, "claim_invalid"),
        ({"valid_from": "1990-02-31"}, "claim_invalid"),
        ({"predicate": "---"}, "claim_invalid"),
        ({"confidence": 1.5}, "claim_malformed"),
        ({"object_type": "planet"}, "claim_malformed"),
        ({"kind": "rumour"}, "claim_malformed"),
        ({"subject": ""}, "claim_malformed"),
        ({"negated": None}, "claim_malformed"),
        ({"extra": 1}, "claim_malformed"),
    ],
)
async def test_what_the_window_does_not_bear_out_is_rejected_with_a_code(changes: dict[str, Any], code: str) -> None:
    if code == "accepted":
        # Longer than a sentence, but literal and short enough.
        assert (await only_claim(**changes)).predicate == "FOUNDED_BY"
    else:
        assert await only_code(**changes) == code


async def test_one_bad_claim_does_not_cost_the_others() -> None:
    extraction = await extracted(item(excerpt="invented"), item(), {"subject": "x"}, item(subject="Nobody Known"))
    assert len(extraction.claims) == 1
    assert [rejection.code for rejection in extraction.rejections] == [
        "excerpt_not_in_text",
        "claim_malformed",
        "subject_not_in_text",
    ]
    assert extraction.requests == 1


async def test_objects_are_typed() -> None:
    number = await only_claim(predicate="HAS_EMPLOYEES", object="1,200", object_type="number", excerpt=THIRD)
    assert number.object == NumberValue(Decimal(1200))
    date = await only_claim(predicate="FOUNDED_ON", object="1990", object_type="date")
    assert date.object == DateValue(datetime(1990, 1, 1, tzinfo=UTC), Precision.YEAR)
    text = await only_claim(predicate="HAD", object="employees until March", object_type="text", excerpt=THIRD)
    assert text.object == TextValue("employees until March", "en")
    truth = await only_claim(predicate="IS_BASED", object="yes", object_type="boolean", excerpt=SECOND)
    assert truth.object == BooleanValue(True)


async def test_a_number_that_cannot_be_read_exactly_stays_text() -> None:
    window = ExtractionWindow("Acme earned $1.2 million in 2024.", 0)
    changes = {"subject": "Acme", "object": "$1.2 million", "object_type": "number", "excerpt": window.text}
    [found] = (await extracted(item(**changes), window=window)).claims
    assert found.claim.object == TextValue("$1.2 million")


async def test_stated_times_are_bounds_as_exact_as_stated() -> None:
    claim = await only_claim(object="1,200", object_type="number", valid_to="2023-03", excerpt=THIRD)
    assert claim.valid_to == TimeBound.stated(datetime(2023, 3, 1, tzinfo=UTC), Precision.MONTH)
    within = await only_claim(valid_from="1990", valid_to="1990")
    assert within.valid_from == TimeBound.stated(datetime(1990, 1, 1, tzinfo=UTC), Precision.YEAR)
    assert within.valid_to == TimeBound.stated(datetime(1991, 1, 1, tzinfo=UTC), Precision.YEAR)


async def test_what_is_over_ends_at_the_date_of_the_text() -> None:
    changes = {"predicate": "HAS_CHAIR", "object": "Bob", "ended": True, "excerpt": FOURTH}
    claim = await only_claim(**changes)
    assert claim.valid_to == TimeBound.stated(REFERENCE, Precision.DAY)
    assert claim.polarity is Polarity.SUPPORT
    assert claim.qualifiers == {"ended": "true"}
    undated = ExtractionWindow(TEXT, START)
    assert await only_code(undated, **changes) == "end_unknown"


async def test_a_relative_year_near_the_date_of_the_text_is_believed() -> None:
    claim = await only_claim(valid_from="2025-12")
    assert claim.valid_from.value == datetime(2025, 12, 1, tzinfo=UTC)


async def test_denial_kind_and_asserter_are_kept() -> None:
    claim = await only_claim(negated=True, kind="opinion", asserter="Ann Lee")
    assert (claim.polarity, claim.kind, claim.asserter) == (Polarity.REFUTE, ClaimKind.OPINION, "Ann Lee")
    assert (await only_claim(asserter="Somebody Else")).asserter is None


async def test_the_model_sees_only_real_sentences_as_possible_excerpts() -> None:
    model = InMemoryLanguageModel([{"claims": []}])
    extractor = LanguageModelClaimExtractor(model, "scripted")
    await extractor.extract([WINDOW], organization_id=ORGANIZATION, group_id=GROUP)
    [request] = model.requests
    asked = request.schema["properties"]["claims"]["items"]["properties"]["excerpt"]["enum"]
    assert asked == [FIRST, SECOND, THIRD, FOURTH]
    assert (request.role, request.organization_id, request.group_id) == (ModelRole.EXTRACTION, ORGANIZATION, GROUP)
    assert "Date of the text: 2026-03-01" in request.user
    assert "Acme Corporation (organization)" in request.user


async def test_windows_keep_their_order() -> None:
    model = InMemoryLanguageModel([{"claims": [item()]}, {"claims": []}])
    extractor = LanguageModelClaimExtractor(model, "scripted", parallel=1)
    windows = [WINDOW, ExtractionWindow("", 0), ExtractionWindow("Nothing is said here.", 900)]
    extractions = await extractor.extract(windows, organization_id=ORGANIZATION, group_id=GROUP)
    assert [len(extraction.claims) for extraction in extractions] == [1, 0, 0]
    assert [extraction.requests for extraction in extractions] == [1, 0, 1]


async def test_prose_is_asked_for_once_more_and_then_given_up() -> None:
    model = InMemoryLanguageModel(["Sure! Here are the claims.", {"claims": [item()]}])
    extractor = LanguageModelClaimExtractor(model, "scripted")
    [mended] = await extractor.extract([WINDOW], organization_id=ORGANIZATION, group_id=GROUP)
    assert (len(mended.claims), mended.requests) == (1, 2)
    model.will_say("prose", '{"claims": [{"subj', {"claims": []})
    with pytest.raises(ModelReplyInvalid):
        await extractor.extract([WINDOW], organization_id=ORGANIZATION, group_id=GROUP)
    assert len(model.exchanges) == 4


async def test_a_model_that_is_down_is_unavailable() -> None:
    extractor = LanguageModelClaimExtractor(InMemoryLanguageModel([Unavailable("down")]), "scripted")
    with pytest.raises(Unavailable, match="down"):
        await extractor.extract([WINDOW], organization_id=ORGANIZATION, group_id=GROUP)


async def test_the_recipe_names_model_and_prompt() -> None:
    extractor = LanguageModelClaimExtractor(InMemoryLanguageModel(), "small-model")
    assert (extractor.name, extractor.version) == ("language-model", "2")
    assert (extractor.model, extractor.prompt_version) == ("small-model", "extract_claims.v2")


@pytest.mark.parametrize(
    ("said", "route"),
    [("facts", Route.FACTS), ("both", Route.BOTH), ("vector", Route.BOTH), ("discard", Route.DISCARD)],
)
async def test_a_router_reads_a_sample_and_says_why(said: str, route: Route) -> None:
    model = InMemoryLanguageModel([{"route": said, "confidence": 0.7, "reason": "a record"}])
    router = LanguageModelDocumentRouter(model)
    suggestion = await router.suggest("x" * 5000, "T", organization_id=ORGANIZATION, group_id=GROUP)
    assert suggestion == RouteSuggestion(route, 0.7, "a record")
    assert model.requests[0].user.count("x") == 2000
    assert model.requests[0].role is ModelRole.ROUTING
