"""The offline extractor reads from the sample workspace what a reader expects, and no more what it once misread."""

from __future__ import annotations

import json
from collections.abc import Iterator
from datetime import datetime
from functools import cache
from pathlib import Path
from typing import Any

import pytest

from adapters.extraction.offline.extractor import DEFAULT_PIPELINE
from adapters.extraction.offline.pipeline import read_windows
from adapters.parsing.registry import ContentParsers
from domain.ingestion.claims import ExtractionWindow, SpanClaim
from domain.ingestion.windows import windows
from domain.knowledge.assertion import Mention
from domain.knowledge.objects import DateValue, NumberValue, TextValue
from entrypoints.sample import WORKSPACE

pytest.importorskip(DEFAULT_PIPELINE, reason="the offline pipeline is not installed: pip install 'assay[offline]'")

FOLDER = Path(str(WORKSPACE))
MANIFEST: dict[str, Any] = json.loads((FOLDER / "manifest.json").read_text(encoding="utf-8"))


def texts() -> Iterator[tuple[dict[str, Any], str]]:
    parsers = ContentParsers(10_000_000)
    for document in MANIFEST["documents"]:
        if "mapping" not in document:
            path = FOLDER / document["path"]
            yield document, parsers.parse(path.read_bytes(), document["content_type"], document["path"]).text


@cache
def claims() -> dict[str, tuple[SpanClaim, ...]]:
    """By path."""
    parts = [
        (document["path"], ExtractionWindow(span.of(text), span.start, document["title"], published, None, entities))
        for document, text in texts()
        for published, entities in [(datetime.fromisoformat(document["published_at"]), MANIFEST["entities"])]
        for span in windows(text)
    ]
    found = read_windows(DEFAULT_PIPELINE, [window for _, window in parts])
    read: dict[str, tuple[SpanClaim, ...]] = {}
    for (path, _), extraction in zip(parts, found, strict=True):
        read[path] = (*read.get(path, ()), *extraction.claims)
    return read


def shown(found: SpanClaim) -> str:
    target = found.claim.object
    match target:
        case Mention(surface=words) | TextValue(value=words):
            pass
        case DateValue(value=at):
            words = at.date().isoformat()
        case NumberValue(value=value, unit=unit):
            words = f"{value:f} {unit}"
        case _:
            words = str(target)
    return f"{found.claim.subject.surface} {found.claim.predicate} {words}"


EXPECTED = {
    "reports/about-kelvara.md": [
        "Kelvara Cold Chain FOUNDED_BY Ines Calder",
        "Kelvara Cold Chain FOUNDED_ON 2009-01-01",
        "Kelvara Cold Chain HEADQUARTERED_IN Hull",
        "Kelvara Cold Chain HAS_CEO Tomas Verhoeven",
        "Kelvara Cold Chain HAS_CFO Oskar Lindqvist",
        "Kelvara Cold Chain ACQUIRED Waalhaven Koeltransport",
        "Lê Thị Minh Châu LEADS Da Nang office",
        "Da Nang office OPENED_ON 2018-03-12",
    ],
    "reports/annual-report-2025.pdf": [
        "Kelvara Cold Chain HAS_REVENUE 48200000 EUR",
        "Kelvara Cold Chain HAS_HEADCOUNT 324 people",
        "Harrow & Vale HEADQUARTERED_IN Leeds",
    ],
    "policies/retention.md": [
        "retention policy EFFECTIVE_ON 2025-02-01",
        "retention policy APPROVED_BY Oskar Lindqvist",
    ],
    "policies/on-call.md": ["On-call policy EFFECTIVE_ON 2026-05-01", "On-call policy APPROVED_BY Priya Nair"],
    "policies/expenses.md": ["expenses policy EFFECTIVE_ON 2026-01-01", "expenses policy REPLACES travel policy"],
    "decisions/0007-nats-for-dispatch-events.md": [
        "ADR-0007 SUPERSEDES ADR-0003",
        "ADR-0007 DECIDED_BY Amara Boateng",
        "ADR-0007 DECIDED_ON 2024-05-14",
        "dispatch service USES NATS JetStream",
        "dispatch service USES RabbitMQ",
        "dispatch service DEPENDS_ON message broker",
    ],
    "decisions/0011-second-site-in-singapore.md": [
        "ADR-0011 SUPERSEDES ADR-0002",
        "tracking service RUNS_ON Singapore cluster",
        "driver service RUNS_ON Singapore cluster",
    ],
    "incidents/inc-2026-014.html": [
        "INC-2026-014 OCCURRED_ON 2026-03-11",
        "INC-2026-014 AFFECTS dispatch service",
        "INC-2026-014 CAUSED_BY expired certificate",
        "INC-2026-014 HAS_DURATION 94 min",
        "INC-2026-014 DETECTED_BY Phạm Quốc Bảo",
        "Incident report INC-2026-014 APPROVED_BY Priya Nair",
        "Maya Feld LEFT Kelvara Cold Chain",
    ],
    "meetings/2026-09-10-platform-weekly.md": [
        "Dispatch team OWNS label service",
        "Amara Boateng HAS_ACTION_ITEM retires the slot booking service",
    ],
    "chats/dispatch-channel.json": [
        "driver service DEPENDS_ON dispatch service",
        "Dispatch team OWNS label service",
    ],
    "offices/van-phong-da-nang.md": [
        "văn phòng Đà Nẵng LOCATED_AT số 86 đường Bạch Đằng, quận Hải Châu, thành phố Đà Nẵng"
    ],
}


@pytest.mark.parametrize("path", sorted(EXPECTED))
def test_what_a_reader_expects_is_there(path: str) -> None:
    found = {shown(claim) for claim in claims()[path]}
    assert [line for line in EXPECTED[path] if line not in found] == []


def test_what_was_misread_is_gone() -> None:
    found = [shown(claim) for read in claims().values() for claim in read]
    wrong = ("05:26", "Harrow HEAD", "Vale HEAD", "Thị Minh Châu LEADS", "Management", "Records ", "CMDB ", "DOUBT")
    assert [line for line in found if line.startswith(wrong) or " DOUBT " in line] == []


def test_a_former_value_has_its_end_and_the_present_one_has_none() -> None:
    by_line = {(shown(found), found.claim.valid_to.value) for found in claims()["reports/about-kelvara.md"]}
    assert ("Kelvara Cold Chain HAS_CEO Tomas Verhoeven", None) in by_line
    ends = {end for line, end in by_line if line == "Kelvara Cold Chain HAS_CEO Ines Calder"}
    assert [end.isoformat() for end in ends if end is not None] == ["2023-04-01T00:00:00+00:00"]
