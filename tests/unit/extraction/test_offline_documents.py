"""What the offline extractor reads from whole documents: declared names, titles, sections, logs, other languages."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest

from adapters.extraction.offline.declared import DeclaredNames
from adapters.extraction.offline.extractor import DEFAULT_PIPELINE
from adapters.extraction.offline.pipeline import read_windows
from domain.ingestion.claims import Extraction, ExtractionWindow, SpanClaim
from domain.knowledge.assertion import Mention
from domain.knowledge.objects import DateValue, NumberValue, TextValue

pytest.importorskip(DEFAULT_PIPELINE, reason="the offline pipeline is not installed: pip install 'assay[offline]'")

REFERENCE = datetime(2026, 6, 1, tzinfo=UTC)
ENTITIES = {
    "Kelvara Cold Chain": "organization",
    "Harrow & Vale": "organization",
    "Joris Maes": "person",
    "Lê Thị Minh Châu": "person",
    "Priya Nair": "person",
    "Tomas Verhoeven": "person",
    "Da Nang office": "office",
}


def read(text: str, title: str | None = None, language: str | None = None) -> Extraction:
    return read_windows(DEFAULT_PIPELINE, [ExtractionWindow(text, 0, title, REFERENCE, language, ENTITIES)])[0]


def shown(found: SpanClaim) -> str:
    claim = found.claim
    match claim.object:
        case Mention(surface=target) | TextValue(value=target):
            pass
        case DateValue(value=at):
            target = at.date().isoformat()
        case NumberValue(value=value, unit=unit):
            target = f"{value:f} {unit}"
        case _:
            target = str(claim.object)
    return f"{claim.subject.surface} {claim.predicate} {target}"


def lines(text: str, title: str | None = None) -> list[str]:
    return [shown(found) for found in read(text, title).claims]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("ADR-0007 supersedes ADR-0003.", ["ADR-0007 SUPERSEDES ADR-0003"]),
        ("The dispatch service no longer uses RabbitMQ.", ["dispatch service USES RabbitMQ"]),
        ("INC-2026-014 occurred on 11 March 2026.", ["INC-2026-014 OCCURRED_ON 2026-03-11"]),
        ("The retention policy takes effect on 1 February 2025.", ["retention policy EFFECTIVE_ON 2025-02-01"]),
        ("ADR-0002 was decided on 6 September 2021.", ["ADR-0002 DECIDED_ON 2021-09-06"]),
        ("INC-2026-014 lasted 94 minutes.", ["INC-2026-014 HAS_DURATION 94 min"]),
        ("Kelvara Cold Chain employs 324 people in three countries.", ["Kelvara Cold Chain HAS_HEADCOUNT 324 people"]),
        ("Joris Maes installed a new certificate.", ["Joris Maes INSTALL new certificate"]),
        (
            "The tracking service and the driver service run on the Singapore cluster.",
            ["tracking service RUNS_ON Singapore cluster", "driver service RUNS_ON Singapore cluster"],
        ),
    ],
)
def test_a_plain_sentence_gives_its_facts(text: str, expected: list[str]) -> None:
    assert lines(text) == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Lê Thị Minh Châu leads the Da Nang office.", ["Lê Thị Minh Châu LEADS Da Nang office"]),
        ("The audit is over. Harrow & Vale is based in Leeds.", ["Harrow & Vale HEADQUARTERED_IN Leeds"]),
        ("The DA NANG OFFICE opened on 12 March 2018.", ["DA NANG OFFICE OPENED_ON 2018-03-12"]),
        ("Owners: Harrow & Vale, Joris Maes", ["Ledger OWNED_BY Harrow & Vale", "Ledger OWNED_BY Joris Maes"]),
    ],
)
def test_a_declared_name_is_taken_whole_in_any_script(text: str, expected: list[str]) -> None:
    extraction = read(text, "Ledger")
    assert [shown(found) for found in extraction.claims] == expected
    names = [m for f in extraction.claims for m in (f.claim.subject, f.claim.object) if isinstance(m, Mention)]
    kinds = {name.casefold(): kind for name, kind in ENTITIES.items()}
    assert all(m.kind == kinds[m.surface.casefold()] for m in names if m.surface.casefold() in kinds)


def test_the_longest_declared_name_wins_and_a_single_word_keeps_its_case() -> None:
    names = DeclaredNames({"Da Nang": "place", "Da Nang office": "office", "Will": "person"})
    text = "The Da Nang office will open; Will left Da Nang."
    assert [text[a:b] for a, b in names.spans(text)] == ["Da Nang office", "Will", "Da Nang"]
    assert names.kind_of("da nang OFFICE") == "office"


def test_declaring_a_name_in_one_window_does_not_change_another() -> None:
    plain = ExtractionWindow("The Da Nang office uses Kafka. Slack owns Bolt.", 0)
    declared = ExtractionWindow("The Da Nang office uses Kafka. Slack owns Bolt.", 0, None, None, None, ENTITIES)
    first = read_windows(DEFAULT_PIPELINE, [plain])[0]
    assert read_windows(DEFAULT_PIPELINE, [declared, plain])[1] == first


def test_a_heading_that_lost_its_marks_ends_a_sentence() -> None:
    text = "Sales were flat in the year and nothing else happened.\nManagement\nTomas Verhoeven is the CEO of Acme."
    assert lines(text) == ["Acme HAS_CEO Tomas Verhoeven"]


LOG = """Summary

The outage lasted 94 minutes.

Timeline

Time (UTC)\tEvent
2026-03-11 04:31\tPriya Nair detected the outage in Da Nang.
2026-03-11 05:26\tJoris Maes installed a new certificate.
"""


def test_the_time_of_a_line_of_a_log_is_no_part_of_a_name_and_dates_the_line() -> None:
    extraction = read(LOG, "Incident report INC-2026-014: dispatch outage")
    assert [shown(found) for found in extraction.claims] == [
        "INC-2026-014 HAS_DURATION 94 min",
        "INC-2026-014 DETECTED_BY Priya Nair",
        "INC-2026-014 DETECTED_AT 2026-03-11",
        "Joris Maes INSTALL new certificate",
    ]
    installed = extraction.claims[-1]
    assert installed.claim.valid_from.value == datetime(2026, 3, 11, 5, 26, tzinfo=UTC)
    assert installed.excerpt == "2026-03-11 05:26\tJoris Maes installed a new certificate."


def test_a_clock_before_a_bullets_words_is_left_out() -> None:
    assert lines("- 05:26 UTC - Joris Maes joined Acme.\n- [05:40] Priya Nair joined Acme.") == [
        "Joris Maes JOINED Acme",
        "Priya Nair JOINED Acme",
    ]


def test_points_under_action_items_are_what_somebody_has_to_do() -> None:
    text = "Actions\n\nJoris Maes automates the renewal by 30 April 2026.\nRotate the keys.\n"
    extraction = read(text, "ADR-5: Keys")
    assert [shown(found) for found in extraction.claims] == [
        "Joris Maes HAS_ACTION_ITEM automates the renewal",
        "ADR-5 HAS_ACTION_ITEM Rotate the keys",
    ]
    assert extraction.claims[0].claim.qualifiers == {"due": "2026-04-30"}


@pytest.mark.parametrize(
    ("title", "text", "expected"),
    [
        ("About Kelvara Cold Chain", "Headquarters: Hull", "Kelvara Cold Chain HEADQUARTERED_IN Hull"),
        ("Incident report INC-2: down", "Author: Joris Maes", "Incident report INC-2 AUTHORED_BY Joris Maes"),
        ("On-call policy", "The policy was approved by Priya Nair.", "On-call policy APPROVED_BY Priya Nair"),
    ],
)
def test_a_title_names_what_it_is_about(title: str, text: str, expected: str) -> None:
    assert lines(text, title) == [expected]


@pytest.mark.parametrize(
    "text",
    [
        "- Validate that the Order API rejects Kafka.",
        "- Create `config.js` templates for each environment",
        "- Keys held in memory by Worker",
        "Records that are under a legal hold are not deleted. Old records stay.",
        "┌ Acme owns Bolt ┐",
        "Priya Nair sees the dispatch service. Priya Nair doubts Kafka.",
        "The CMDB is out of date.",
    ],
)
def test_commands_fragments_and_empty_words_give_nothing(text: str) -> None:
    assert lines(text) == []


def test_it_does_not_reach_over_a_heading_or_over_something_without_a_name() -> None:
    assert lines("The order service uses Redis.\n\n## Forecast\n\nIt uses Kafka.") == ["order service USES Redis"]
    assert lines("The order service uses Redis. A forecast was made. It uses Kafka.") == ["order service USES Redis"]


def test_a_post_that_somebody_only_had_is_over() -> None:
    (found,) = read("Ines Calder was the CEO of Acme.").claims
    assert (found.claim.valid_to.value, found.claim.qualifiers) == (REFERENCE, {"ended": "true"})


def test_what_may_be_says_so() -> None:
    (found,) = read("Acme may replace Bolt Robotics.").claims
    assert (found.claim.confidence, found.claim.qualifiers) == (0.5, {"modality": "modal"})


def test_the_year_of_a_thing_does_not_date_what_is_said_of_it() -> None:
    (found,) = read("The retention policy replaces the archive policy of 2019.").claims
    assert found.claim.valid_from.value is None


VIETNAMESE = """# Giới thiệu văn phòng Đà Nẵng

Đây là văn phòng đầu tiên của công ty ở châu Á và được thành lập ngày 12 tháng 3 năm 2018.

Trưởng văn phòng: bà Lê Thị Minh Châu
Địa chỉ: số 86 đường Bạch Đằng, quận Hải Châu. Giờ làm việc: từ 8 giờ đến 17 giờ.
"""


def test_a_line_with_a_known_key_is_read_in_a_language_without_rules() -> None:
    extraction = read(VIETNAMESE)
    assert [shown(found) for found in extraction.claims] == [
        "văn phòng Đà Nẵng LED_BY Lê Thị Minh Châu",
        "văn phòng Đà Nẵng LOCATED_AT số 86 đường Bạch Đằng, quận Hải Châu",
    ]
    assert [rejection.code for rejection in extraction.rejections] == ["language_unknown"]


def test_a_table_of_keys_and_values_is_read_with_tabs_or_bars() -> None:
    expected = ["Ledger HAS_STATUS live", "Ledger OWNED_BY Joris Maes"]
    assert lines("Status\tlive\nOwner\tJoris Maes\n", "Ledger") == expected
    assert lines("| Status | live |\n|---|---|\n| Owner | Joris Maes |\n", "Ledger") == expected
