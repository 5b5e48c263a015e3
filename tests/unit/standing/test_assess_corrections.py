"""The rules of a person's correction, R22 to R28 of ``domain.standing.assess``."""

from __future__ import annotations

import pytest

from domain.knowledge.predicate import PredicatePolicy
from domain.standing.assess import assess
from domain.standing.testimony import Lifecycle
from tests.unit.standing.testimonies import BY_OBSERVATION, BY_START, HANOI, LIMA, MANY, NEVER, PARIS, outline, said


def test_r22_a_correction_outranks_what_was_observed_before_it_whatever_the_scores() -> None:
    wrong = [said(PARIS, 2010, seen=2019) for _ in range(5)]
    correction = said(HANOI, 2010, seen=2020, tier=2, confidence=0.2, corrects=7)
    segments = assess([*wrong, correction], BY_START)
    assert outline(segments) == [("Hanoi", 2010, None, "active"), ("Paris", 2010, None, "superseded")]
    assert [s.corrected for s in segments] == [True, False]


def test_r22_a_correction_reaches_over_the_segments_it_covers_only() -> None:
    correction = said(HANOI, 2012, 2015, seen=2020, corrects=7)
    assert outline(assess([said(PARIS, 2010, 2018), correction], BY_START)) == [
        ("Hanoi", 2012, 2015, "active"),
        ("Paris", 2010, 2012, "active"),
        ("Paris", 2012, 2015, "superseded"),
        ("Paris", 2015, 2018, "active"),
    ]


def test_r22_an_earlier_observed_rival_with_a_later_start_does_not_end_a_correction() -> None:
    correction = said(HANOI, 2005, seen=2020, corrects=7)
    assert outline(assess([said(PARIS, 2010, seen=2019), correction], BY_START)) == [
        ("Hanoi", 2005, None, "active"),
        ("Paris", 2010, None, "superseded"),
    ]


def test_r22_a_correction_affirms_a_fact_against_earlier_denials() -> None:
    slot = [said(HANOI, denied=True, seen=2019), said(HANOI, seen=2020, confidence=0.1, corrects=7)]
    assert outline(assess(slot, MANY)) == [("Hanoi", None, None, "active")]


@pytest.mark.parametrize("since", [None, 2010])
def test_r23_the_corrected_value_said_again_stays_outranked(since: int | None) -> None:
    old, correction = said(PARIS, 2010, seen=2019), said(HANOI, 2010, seen=2020, corrects=7)
    again = said(PARIS, since, seen=2022, published=2022)
    segments = assess([old, correction, again], BY_START)
    assert {(name, life) for name, _, _, life in outline(segments)} == {("Hanoi", "active"), ("Paris", "superseded")}
    assert outline(segments)[-1][2] is None


def test_r23_a_start_after_the_correction_was_made_is_news() -> None:
    old, correction = said(PARIS, 2010, seen=2019), said(HANOI, 2010, seen=2020, corrects=7)
    moved = said(PARIS, 2023, seen=2024)
    assert [o for o in outline(assess([old, correction, moved], BY_START)) if o[3] == "active"] == [
        ("Hanoi", 2010, 2023, "active"),
        ("Paris", 2023, None, "active"),
    ]


def test_r23_a_new_observation_is_news_where_observation_decides() -> None:
    slot = [said(PARIS, seen=2019), said(HANOI, 2019, seen=2020, corrects=7), said(PARIS, seen=2022)]
    assert [o for o in outline(assess(slot, BY_OBSERVATION)) if o[3] == "active"] == [
        ("Hanoi", 2019, 2022, "active"),
        ("Paris", 2022, None, "active"),
    ]


@pytest.mark.parametrize("tier", [1, 2])
def test_r24_a_later_observed_strong_rival_with_a_later_start_succeeds_a_correction(tier: int) -> None:
    correction, news = said(HANOI, 2010, seen=2020, corrects=7), said(PARIS, 2022, seen=2023, tier=tier)
    segments = assess([correction, news], BY_START)
    assert outline(segments) == [("Hanoi", 2010, 2022, "active"), ("Paris", 2022, None, "active")]


@pytest.mark.parametrize(("policy", "since"), [(BY_START, 2010), (NEVER, 2022)], ids=["same start", "no succession"])
def test_r25_otherwise_the_rival_disputes_it_and_the_correction_comes_first(
    policy: PredicatePolicy, since: int
) -> None:
    correction, rival = said(HANOI, 2010, seen=2020, corrects=7), said(PARIS, since, seen=2023, tier=2)
    contested = [s for s in assess([correction, rival], policy) if s.lifecycle is Lifecycle.DISPUTED]
    assert [(s.fact_id, s.corrected, s.reason) for s in contested] == [
        (correction.fact_id, True, f"rival_newer_than_correction rivals={rival.fact_id}"),
        (rival.fact_id, False, f"newer_than_correction rivals={correction.fact_id}"),
    ]


def test_r25_a_denial_that_is_newer_than_a_correction_disputes_it() -> None:
    (segment,) = assess([said(HANOI, seen=2020, corrects=7), said(HANOI, seen=2023, denied=True)], MANY)
    assert (segment.lifecycle, segment.reason) == (Lifecycle.DISPUTED, "denial_newer_than_correction")
    assert segment.corrected


def test_r25_a_stated_end_of_a_correction_is_not_cut_by_a_later_start() -> None:
    correction, rival = said(HANOI, 2010, 2030, seen=2020, corrects=7), said(PARIS, 2022, seen=2023)
    assert outline(assess([correction, rival], BY_START)) == [
        ("Hanoi", 2010, 2022, "active"),
        ("Hanoi", 2022, 2030, "disputed"),
        ("Paris", 2022, 2030, "disputed"),
        ("Paris", 2030, None, "active"),
    ]


@pytest.mark.parametrize("tier", [3, 4])
def test_r26_a_later_observed_weak_rival_does_not_shake_a_correction(tier: int) -> None:
    correction, rumour = said(HANOI, 2010, seen=2020, corrects=7), said(PARIS, 2022, seen=2023, tier=tier)
    assert {(name, life) for name, _, _, life in outline(assess([correction, rumour], BY_START))} == {
        ("Hanoi", "active"),
        ("Paris", "superseded"),
    }


def test_r27_of_two_corrections_the_later_observed_one_wins() -> None:
    first, second = said(HANOI, 2010, seen=2020, corrects=7), said(PARIS, 2010, seen=2021, corrects=8)
    assert outline(assess([second, first], BY_START)) == [
        ("Hanoi", 2010, None, "superseded"),
        ("Paris", 2010, None, "active"),
    ]


def test_r27_corrections_of_one_moment_go_by_revision() -> None:
    first, second = said(PARIS, 2010, seen=2020, corrects=9), said(HANOI, 2010, seen=2020, corrects=8)
    assert [o[3] for o in outline(assess([first, second], BY_START))] == ["superseded", "active"]


def test_r27_a_denial_and_an_affirmation_by_persons_go_by_observation() -> None:
    yes, no = said(HANOI, seen=2020, corrects=7), said(HANOI, seen=2021, denied=True, corrects=8)
    assert outline(assess([yes, no], MANY)) == [("Hanoi", None, None, "refuted")]
    again = said(HANOI, seen=2022, corrects=9)
    assert outline(assess([yes, no, again], MANY)) == [("Hanoi", None, None, "active")]


def test_r28_a_denial_that_is_a_correction_refutes_the_fact_whatever_the_scores() -> None:
    slot = [
        said(HANOI, seen=2019),
        said(HANOI, seen=2019),
        said(HANOI, seen=2020, denied=True, confidence=0.1, corrects=7),
    ]
    (segment,) = assess(slot, MANY)
    assert (segment.lifecycle.value, segment.support, segment.refute, segment.corrected) == (
        "refuted",
        True,
        True,
        True,
    )


def test_r28_later_news_succeeds_a_denial_where_succession_allows_and_disputes_it_otherwise() -> None:
    denial, news = said(HANOI, 2010, seen=2020, denied=True, corrects=7), said(HANOI, 2022, seen=2023)
    expected = [("Hanoi", 2010, 2022, "refuted"), ("Hanoi", 2022, None, "active")]
    assert outline(assess([denial, news], BY_START)) == expected
    assert outline(assess([denial, news], MANY))[-1] == ("Hanoi", 2022, None, "disputed")
    assert outline(assess([denial, said(HANOI, 2022, seen=2023, tier=3)], BY_START))[-1][3] == "refuted"


def test_r28_a_refuted_value_leaves_the_slot_to_its_rival() -> None:
    slot = [
        said(HANOI, 2010, seen=2019),
        said(LIMA, 2010, seen=2019),
        said(HANOI, 2010, seen=2020, denied=True, corrects=7),
    ]
    assert outline(assess(slot, BY_START)) == [("Hanoi", 2010, None, "refuted"), ("Lima", 2010, None, "active")]
