"""The sample workspace can be submitted as its manifest says, and shows what its questions promise."""

from __future__ import annotations

import json
import unicodedata
from collections.abc import Mapping
from datetime import datetime
from functools import cache
from pathlib import Path
from typing import Any
from uuid import UUID, uuid5

import pytest

from adapters.parsing.registry import BY_CONTENT_TYPE, ContentParsers
from domain.identity.ids import AssertionId, EntityId, FactId
from domain.ingestion.mapping import RecordMapping, claims_of
from domain.ingestion.mapping_form import parse_mapping
from domain.ingestion.parsed import ParsedDocument
from domain.knowledge.assertion import AssertionState, Claim, Mention
from domain.knowledge.core_vocabulary import CORE_VOCABULARY
from domain.knowledge.objects import EntityRef
from domain.knowledge.predicate import Vocabulary
from domain.standing import testimony as standing
from domain.standing.assess import assess
from entrypoints.sample import WORKSPACE

FOLDER = Path(str(WORKSPACE))
MANIFEST: dict[str, Any] = json.loads((FOLDER / "manifest.json").read_text(encoding="utf-8"))
DOCUMENTS: dict[str, dict[str, Any]] = {document["path"]: document for document in MANIFEST["documents"]}
QUESTIONS: list[dict[str, Any]] = json.loads((FOLDER / "questions.json").read_text(encoding="utf-8"))["questions"]
FIELDS = {"path", "title", "content_type", "source", "source_kind", "tier", "published_at", "collection"}
SOURCE_KINDS = {
    "connector", "record_export", "upload", "folder", "api", "conversation", "research", "person", "agent",
}  # fmt: skip
MAPPED = sorted(path for path, document in DOCUMENTS.items() if "mapping" in document)
EACH_DOCUMENT = pytest.mark.parametrize("path", sorted(DOCUMENTS))
NAMESPACE = UUID("0193b1f0-0000-7000-8000-000000000000")


@cache
def _parsed(path: str) -> ParsedDocument:
    parsers = ContentParsers(max_bytes=1_000_000)
    return parsers.parse((FOLDER / path).read_bytes(), DOCUMENTS[path]["content_type"], path)


@cache
def _mapping(path: str) -> RecordMapping:
    return parse_mapping(DOCUMENTS[path]["mapping"])


def _claims(path: str) -> list[Claim]:
    return [claim for record in _parsed(path).records for claim in claims_of(record.fields, _mapping(path))[0]]


def _named(claim: Claim) -> str:
    assert isinstance(claim.object, Mention)
    return claim.object.surface


def test_the_manifest_lists_each_file_once() -> None:
    files = {path.relative_to(FOLDER).as_posix() for path in FOLDER.rglob("*") if path.is_file()}
    assert len(MANIFEST["documents"]) == len(DOCUMENTS)
    assert set(DOCUMENTS) == files - {"manifest.json", "questions.json"}


def test_the_manifest_names_the_organization_and_the_workspace() -> None:
    assert MANIFEST.keys() == {"organization", "workspace", "entities", "documents"}
    assert (MANIFEST["organization"], MANIFEST["workspace"]) == ("Kelvara Cold Chain", "Operations")


def test_every_declared_entity_is_named_in_a_document() -> None:
    texts = [_parsed(path).text for path in DOCUMENTS]
    assert [name for name in MANIFEST["entities"] if not any(name in text for text in texts)] == []


@EACH_DOCUMENT
def test_a_document_states_where_it_is_from_and_when_with_a_zone(path: str) -> None:
    document = DOCUMENTS[path]
    assert document.keys() - {"mapping"} == FIELDS
    assert document["source_kind"] in SOURCE_KINDS
    assert document["tier"] in {1, 2, 3, 4}
    assert datetime.fromisoformat(document["published_at"]).tzinfo is not None
    assert document["content_type"] in BY_CONTENT_TYPE


def test_a_source_has_one_kind_and_one_tier() -> None:
    grades = {(d["source"], d["source_kind"], d["tier"]) for d in DOCUMENTS.values()}
    assert len(grades) == len({source for source, _, _ in grades})


@EACH_DOCUMENT
def test_a_document_parses_without_a_problem(path: str) -> None:
    parsed = _parsed(path)
    assert parsed.problems == ()
    assert len(parsed.text) > 100
    assert bool(parsed.records) == (path in MAPPED)


@EACH_DOCUMENT
def test_text_is_utf_8_in_normal_form_c_with_plain_line_ends(path: str) -> None:
    if DOCUMENTS[path]["content_type"] == "application/pdf":
        return
    text = (FOLDER / path).read_bytes().decode("utf-8")
    assert unicodedata.is_normalized("NFC", text)
    assert "\r" not in text


def test_the_pdf_has_a_text_layer_on_both_pages() -> None:
    parsed = _parsed("reports/annual-report-2025.pdf")
    assert parsed.title == "Annual report 2025 of Kelvara Cold Chain"
    first, second = parsed.text.split("\n\n")
    assert "Tomas Verhoeven has been the CEO of Kelvara Cold Chain since April 2023." in first
    assert "The contract with Skarvik Packaging expires on 31 December 2026." in second


@pytest.mark.parametrize("path", MAPPED)
def test_a_mapping_names_columns_that_exist_and_predicates_that_are_known(path: str) -> None:
    mapping = _mapping(path)
    for record in _parsed(path).records:
        mapping.check_header(list(record.fields))
    known = {policy.name for policy in CORE_VOCABULARY}
    assert {prop.predicate for prop in mapping.properties if prop.predicate} <= known


@pytest.mark.parametrize("path", MAPPED)
def test_every_cell_of_a_record_can_be_read(path: str) -> None:
    records = _parsed(path).records
    keys = [record.fields[_mapping(path).key] for record in records]
    assert len(keys) == len(set(map(str, keys)))
    for record in records:
        claims, rejections = claims_of(record.fields, _mapping(path))
        assert claims
        assert rejections == []


def test_the_cmdb_gives_the_dispatch_service_s_dependencies_by_environment() -> None:
    found = {
        (_named(claim), claim.qualifiers["environment"])
        for claim in _claims("systems/cmdb.csv")
        if (claim.subject.surface, claim.predicate) == ("dispatch service", "DEPENDS_ON")
    }
    names = ("routing service", "message broker", "identity service")
    assert found == {(name, environment) for name in names for environment in ("production", "staging")}


def test_every_dependency_in_the_cmdb_is_itself_in_the_cmdb() -> None:
    claims = _claims("systems/cmdb.csv")
    services = {claim.subject.surface for claim in claims}
    assert {_named(claim) for claim in claims if claim.predicate == "DEPENDS_ON"} <= services


def test_the_org_chart_has_a_former_and_a_present_chief_executive() -> None:
    terms = [
        (claim.subject.surface, f"{claim.valid_from.value:%Y-%m-%d}", claim.valid_to.value)
        for claim in _claims("people/org-chart.json")
        if claim.predicate == "CEO_OF"
    ]
    (former, present) = terms
    assert former[:2] == ("Ines Calder", "2009-06-15")
    assert f"{former[2]:%Y-%m-%d}" == "2023-04-01"
    assert present == ("Tomas Verhoeven", "2023-04-01", None)


def test_the_chat_has_sessions_speakers_and_zoned_times_in_order() -> None:
    messages = _parsed("chats/dispatch-channel.json").messages
    times = [message.at for message in messages if message.at is not None]
    assert len(times) == len(messages) == 10
    assert times == sorted(times)
    assert {message.session for message in messages} == {"dispatch-2026-10-20", "dispatch-2026-10-21"}
    assert len({message.speaker for message in messages}) == 4


@pytest.mark.parametrize(("newer", "older"), [("0007", "0003"), ("0011", "0002")])
def test_a_decision_and_the_one_that_it_supersedes_say_so_both(newer: str, older: str) -> None:
    texts = {Path(path).name[:4]: _parsed(path).text for path in DOCUMENTS if path.startswith("decisions/")}
    assert f"ADR-{newer} supersedes ADR-{older}." in texts[newer]
    assert f"- Status: superseded by ADR-{newer}" in texts[older]


def test_the_two_supplier_lists_disagree_so_that_no_side_wins() -> None:
    testimonies = [
        _testimony(claim, DOCUMENTS[path])
        for path in ("suppliers/supplier-register.csv", "suppliers/vendor-contacts.json")
        for claim in _claims(path)
        if (claim.subject.surface, claim.predicate) == ("Skarvik Packaging", "HEADQUARTERED_IN")
    ]
    segments = assess(testimonies, Vocabulary.of(CORE_VOCABULARY).policy("HEADQUARTERED_IN"))
    assert {testimony.tier for testimony in testimonies} == {1, 2}
    assert [segment.lifecycle for segment in segments] == [standing.Lifecycle.DISPUTED, standing.Lifecycle.DISPUTED]


def _testimony(claim: Claim, document: Mapping[str, Any]) -> standing.Testimony:
    published_at = datetime.fromisoformat(document["published_at"])
    place = uuid5(NAMESPACE, _named(claim))
    return standing.Testimony(
        assertion_id=AssertionId(uuid5(NAMESPACE, document["path"])),
        fact_id=FactId(place),
        object=EntityRef(EntityId(place)),
        state=AssertionState.LIVE,
        polarity=claim.polarity,
        kind=claim.kind,
        confidence=claim.confidence,
        valid_from=claim.valid_from,
        valid_to=claim.valid_to,
        observed_at=claim.observed_at or published_at,
        published_at=published_at,
        tier=document["tier"],
        trust=None,
        independence_key=document["path"],
    )


def test_the_vietnamese_document_has_its_accents_and_its_facts() -> None:
    text = _parsed("offices/van-phong-da-nang.md").text
    assert len(text.split()) > 200
    assert "được thành lập ngày 12 tháng 3 năm 2018" in text
    assert "trưởng văn phòng là bà Lê Thị Minh Châu" in text


def test_there_are_three_questions_one_of_them_in_vietnamese() -> None:
    assert [question["language"] for question in QUESTIONS] == ["en", "en", "vi"]


@pytest.mark.parametrize("question", QUESTIONS, ids=[question["language"] for question in QUESTIONS])
def test_every_expected_answer_stands_in_a_document(question: Mapping[str, Any]) -> None:
    assert question["question"].endswith("?")
    assert question["expected"]
    for answer in question["expected"]:
        assert any(answer in _parsed(path).text for path in DOCUMENTS)
