"""What the rules read from sentences, Markdown and messages."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from adapters.extraction.offline.extractor import DEFAULT_PIPELINE
from adapters.extraction.offline.pipeline import read_windows
from domain.ingestion.claims import Extraction, ExtractionWindow
from domain.knowledge.assertion import Claim, Mention
from domain.knowledge.objects import DateValue, NumberValue, TextValue

pytest.importorskip(DEFAULT_PIPELINE, reason="the offline pipeline is not installed: pip install 'assay[offline]'")

REFERENCE = datetime(2024, 6, 1, tzinfo=UTC)


def read(text: str, title: str | None = None, **entities: str) -> Extraction:
    window = ExtractionWindow(text, 0, title, REFERENCE, None, entities)
    return read_windows(DEFAULT_PIPELINE, [window])[0]


def shown(claim: Claim) -> tuple[str, str, str]:
    match claim.object:
        case Mention(surface=name) | TextValue(value=name):
            return claim.subject.surface, claim.predicate, name
        case DateValue(value=at):
            return claim.subject.surface, claim.predicate, at.date().isoformat()
        case NumberValue(value=value, unit=unit):
            return claim.subject.surface, claim.predicate, f"{value:f} {unit}"
    return claim.subject.surface, claim.predicate, str(claim.object)


def triples(text: str, title: str | None = None) -> list[tuple[str, str, str]]:
    return [shown(found.claim) for found in read(text, title).claims]


ADR = """---
status: Superseded by ADR-0012
date: 2024-03-05
deciders:
  - Ann Lee
  - Bo Chen
tags: [a, b]
---

# ADR-0007: Use MySQL

## Status

Accepted

## Owners

| Service | Owner |
|---|---|
| ledger | Team Falcon |

- **Severity:** High
- Remark: nothing

This ADR replaces ADR-0003.
"""


def test_front_matter_sections_tables_and_bullets_speak_of_the_document() -> None:
    assert triples(ADR) == [
        ("ADR-0007", "HAS_STATUS", "Superseded"),
        ("ADR-0012", "SUPERSEDES", "ADR-0007"),
        ("ADR-0007", "DATED", "2024-03-05"),
        ("ADR-0007", "DECIDED_BY", "Ann Lee"),
        ("ADR-0007", "DECIDED_BY", "Bo Chen"),
        ("ADR-0007", "HAS_STATUS", "Accepted"),
        ("ledger", "OWNED_BY", "Team Falcon"),
        ("ADR-0007", "HAS_SEVERITY", "High"),
        ("ADR-0007", "REPLACES", "ADR-0003"),
    ]


def test_a_field_without_title_or_heading_is_rejected() -> None:
    extraction = read("Status: Accepted")
    assert extraction.claims == ()
    assert [rejection.code for rejection in extraction.rejections] == ["subject_missing"]


def test_an_action_item_has_its_owner_and_its_due_date() -> None:
    (found,) = read("TODO: Ann Lee to rotate the keys by 3 May 2024.").claims
    assert shown(found.claim) == ("Ann Lee", "HAS_ACTION_ITEM", "rotate the keys")
    assert found.claim.qualifiers == {"due": "2024-05-03"}


def test_the_speaker_of_a_message_is_who_i_stands_for() -> None:
    (found,) = read("Ann Lee: I joined Acme in 2020.\n").claims
    assert shown(found.claim) == ("Ann Lee", "JOINED", "Acme")
    assert (found.claim.subject.start, found.claim.subject.end, found.claim.subject.antecedent) == (0, 7, True)


def test_code_and_links_name_things_and_code_fences_are_left_out() -> None:
    text = "The `order-api` depends on [Kafka](https://kafka.example).\n\n```\nAcme owns Bolt.\n```\n"
    assert triples(text) == [("order-api", "DEPENDS_ON", "Kafka")]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("The order service uses Redis. It depends on Kafka.", ("order service", "DEPENDS_ON", "Kafka")),
        ("Laura Chen lives in Oslo. She works for Nordlys.", ("Laura Chen", "WORKS_FOR", "Nordlys")),
        ("Nimbus Corp. owns Bolt. The company is based in Denver.", ("Nimbus Corp.", "HEADQUARTERED_IN", "Denver")),
    ],
)
def test_a_reference_stands_for_the_nearest_compatible_name(text: str, expected: tuple[str, str, str]) -> None:
    found = [span.claim for span in read(text).claims if shown(span.claim) == expected]
    assert [claim.subject.antecedent for claim in found] == [True]


def test_a_pronoun_without_an_antecedent_is_rejected() -> None:
    extraction = read("He works for Acme.")
    assert extraction.claims == ()
    assert [rejection.code for rejection in extraction.rejections] == ["no_antecedent"]


@pytest.mark.parametrize(
    "text",
    [
        "Does Acme own Bolt Robotics?",
        "If Acme owns Bolt Robotics, it uses Kafka.",
        "Ann Lee did not say that Acme owns Bolt Robotics.",
    ],
)
def test_questions_conditions_and_what_was_not_said_give_nothing(text: str) -> None:
    assert triples(text) == []


def test_what_is_over_ends_at_the_reference_and_needs_one() -> None:
    (found,) = read("The search service no longer uses Redis.").claims
    assert (found.claim.valid_to.value, found.claim.polarity.value) == (REFERENCE, "support")
    without = read_windows(DEFAULT_PIPELINE, [ExtractionWindow("The search service no longer uses Redis.", 0)])[0]
    assert without.claims == ()
    assert [rejection.code for rejection in without.rejections] == ["end_unknown"]


def test_a_declared_entity_has_its_declared_kind() -> None:
    (found,) = read("Kestrel uses Kafka.", Kestrel="product").claims
    assert found.claim.subject.kind == "product"


def test_an_amount_of_a_period_says_of_which() -> None:
    (found,) = read("Tidewater reported revenue of $4.2 billion in 2023.").claims
    assert shown(found.claim) == ("Tidewater", "HAS_REVENUE", "4200000000 USD")
    assert found.claim.qualifiers == {"period": "2023"}


@pytest.mark.parametrize(
    "text",
    [
        "Dịch vụ thanh toán được vận hành bởi nhóm Nền tảng và phụ thuộc vào cơ sở dữ liệu.",
        "Der Bestelldienst wird von dem Team Falke betrieben und ist nicht mit der Datenbank verbunden.",
        "Le service de commande est exploité par une équipe qui dépend des données pour les clients.",
        "注文サービスは請求サービスに依存しています。",
    ],
)
def test_other_languages_are_told_apart(text: str) -> None:
    extraction = read(text)
    assert extraction.claims == ()
    assert [rejection.code for rejection in extraction.rejections] == ["language_unknown"]


PIECES = ["Acme", "ADR-7", "# ", "- ", "Status: ", "`x_y`", "**", "[a](", ")", "| a | b |", "\n", " ", "is", "owns"]
PIECES += ["in 2009", "the", "of", "said that", "It", "---\n", "🙂"]


@settings(max_examples=60, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(st.lists(st.sampled_from(PIECES) | st.text(max_size=5)))
def test_any_text_gives_literal_excerpts_and_no_error(parts: list[str]) -> None:
    text = " ".join(parts)
    window = ExtractionWindow(text, 7, None, REFERENCE, "en")
    for found in read_windows(DEFAULT_PIPELINE, [window])[0].claims:
        assert text[found.start - 7 : found.end - 7] == found.excerpt
