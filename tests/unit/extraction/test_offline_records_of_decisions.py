"""What decision records say of each other: banners, lists of what they supersede, the date that they bear."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest

from adapters.extraction.offline.extractor import DEFAULT_PIPELINE
from adapters.extraction.offline.pipeline import read_windows
from domain.ingestion.claims import ExtractionWindow
from domain.knowledge.assertion import Claim, Mention
from domain.knowledge.objects import TextValue
from domain.knowledge.time import Precision, TimeBound

pytest.importorskip(DEFAULT_PIPELINE, reason="the offline pipeline is not installed: pip install 'assay[offline]'")

DECIDED = datetime(2026, 5, 28, tzinfo=UTC)
FROM_THEN = TimeBound.stated(DECIDED, Precision.DAY)


def claims(text: str, title: str = "DR-2: Queues", *, dated: bool = True, start: int = 0) -> list[Claim]:
    window = ExtractionWindow(text, start, title, DECIDED, dated=dated)
    (extraction,) = read_windows(DEFAULT_PIPELINE, [window])
    assert all(text[f.start - start : f.end - start] == f.excerpt for f in extraction.claims)
    return [found.claim for found in extraction.claims]


def lines(text: str, title: str = "DR-2: Queues") -> list[str]:
    return [shown(claim) for claim in claims(text, title)]


def shown(claim: Claim) -> str:
    target = claim.object.surface if isinstance(claim.object, Mention) else claim.object
    return f"{claim.subject.surface} {claim.predicate} {target.value if isinstance(target, TextValue) else target}"


@pytest.mark.parametrize(
    "banner",
    [
        "> **Superseded by [DR-7](DR-7-new-queues.md).**",
        "**Superseded by DR-7**",
        "Superseded by DR-7. Kept for its history.",
        "> Superseded by [DR-7](DR-7-new-queues.md)\n> Kept for its history.",
    ],
)
def test_a_banner_speaks_of_the_record_that_it_stands_in(banner: str) -> None:
    assert lines(f"# DR-2: Queues\n\n{banner}\n\n## Context\n\nNothing.\n") == [
        "DR-2 HAS_STATUS Superseded",
        "DR-7 SUPERSEDES DR-2",
    ]


@pytest.mark.parametrize("day", ["on 2026-05-20", "2026-05-20"])
def test_a_banner_with_a_day_holds_from_then(day: str) -> None:
    (_, found) = claims(f"> *Superseded {day} by DR-7.*")
    assert (shown(found), found.valid_from) == (
        "DR-7 SUPERSEDES DR-2",
        TimeBound.stated(datetime(2026, 5, 20, tzinfo=UTC), Precision.DAY),
    )


def test_a_banner_may_name_several_and_what_is_newer_itself() -> None:
    assert lines("> Replaced by DR-7, DR-8 and DR-9.")[1:] == [f"DR-{n} REPLACES DR-2" for n in (7, 8, 9)]
    assert lines("Supersedes DR-1.", "DR-2: Queues") == ["DR-2 SUPERSEDES DR-1"]


@pytest.mark.parametrize(
    "text",
    [
        "# DR-2: Queues\n\n## Scope\n\n> *Superseded 2026-05-25 by DR-7:* the framing below is replaced.\n",
        "# DR-2: Queues\n\n## Scope\n\nSuperseded by DR-7.\n",
        "# DR-2: Queues\n\n> **Superseded.** The model is defined in [DR-7](DR-7.md).\n",
        "# DR-2: Queues\n\nSuperseded when the deployment matured.\n",
        "# DR-2: Queues\n\n> Superseded by events.\n",
    ],
)
def test_what_is_said_of_a_part_or_without_a_name_supersedes_nothing(text: str) -> None:
    assert not [line for line in lines(text) if "SUPERSEDES" in line]


def test_a_window_that_does_not_open_its_document_has_no_banner() -> None:
    assert claims("Superseded by DR-7.", start=2_000) == []


def test_a_dated_record_supersedes_what_it_lists_from_its_own_date() -> None:
    text = (
        "### Relation to others\n\n- **Supersedes** (drifted): DR-2, [DR-3](DR-3.md), DR-4.\n  Their context stays.\n"
    )
    found = claims(text, "DR-7: New queues", start=2_000)
    assert [shown(claim) for claim in found] == [
        line for n in (2, 3, 4) for line in (f"DR-7 SUPERSEDES DR-{n}", f"DR-{n} HAS_STATUS Superseded")
    ]
    assert {claim.valid_from for claim in found} == {FROM_THEN}


def test_without_a_date_of_its_own_a_record_says_only_what_it_supersedes() -> None:
    (found,) = claims("Supersedes: DR-2", "DR-7: New queues", dated=False)
    assert (shown(found), found.valid_from.value) == ("DR-7 SUPERSEDES DR-2", None)
