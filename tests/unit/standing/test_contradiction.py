"""What speaks against what, and how serious that is: V1 to V4 of ``domain.standing.contradiction``."""

from __future__ import annotations

import pytest

from domain.knowledge.assertion import ClaimKind, Polarity
from domain.standing import testimony
from domain.standing.contradiction import (
    Contradiction,
    ContradictionKind,
    Severity,
    contradictions_between,
    contradictions_in,
    severity,
)
from domain.standing.testimony import Lifecycle
from tests.unit.standing.testimonies import (
    BY_START,
    HANOI,
    IN_1990,
    IN_1991,
    LIMA,
    MANY,
    NEVER,
    ON_1_APRIL_1990,
    PARIS,
    fact_of,
    said,
)

CLAIM, OPINION = ClaimKind.CLAIM, ClaimKind.OPINION


def only(slot: list[testimony.Testimony], policy: object = NEVER, *, settled: bool = False) -> Contradiction:
    (found,) = contradictions_in(slot, policy, settled=settled)  # type: ignore[arg-type]
    return found


def years(found: Contradiction) -> tuple[int | None, int | None]:
    start, end = found.valid_from, found.valid_to
    return start.year if start else None, end.year if end else None


def test_rivals_that_overlap_are_one_contradiction_over_the_overlap_the_heavier_side_first() -> None:
    found = only([said(PARIS, 2010, 2016, confidence=0.9), said(HANOI, 2012, 2020, confidence=1.0)])
    assert (found.kind, found.open, years(found)) == (ContradictionKind.RIVALS, True, (2012, 2016))
    assert [(s.fact_id, s.grade.score) for s in found.stances] == [(fact_of(HANOI), 1.0), (fact_of(PARIS), 0.9)]


def test_a_many_valued_predicate_is_never_in_contradiction_with_itself() -> None:
    assert contradictions_in([said(PARIS), said(HANOI)], MANY, settled=True) == []


def test_values_that_follow_each_other_and_values_that_refine_each_other_are_no_contradiction() -> None:
    assert contradictions_in([said(PARIS, 2010), said(HANOI, 2015)], BY_START, settled=True) == []
    assert contradictions_in([said(IN_1990), said(ON_1_APRIL_1990)], NEVER, settled=True) == []


def test_who_says_it_more_exactly_stands_on_the_same_side() -> None:
    found = only([said(IN_1990, confidence=0.9), said(ON_1_APRIL_1990, confidence=0.9), said(IN_1991)])
    weights = {s.fact_id: (round(s.grade.score, 6), s.grade.sources) for s in found.stances}
    assert weights == {fact_of(IN_1990): (0.99, 2), fact_of(ON_1_APRIL_1990): (0.9, 1), fact_of(IN_1991): (1.0, 1)}


def test_support_and_denial_of_one_fact_are_two_sides_of_it() -> None:
    found = only([said(PARIS), said(PARIS, denied=True, confidence=0.9)], MANY)
    assert (found.kind, found.open, found.facts) == (ContradictionKind.DENIAL, True, (fact_of(PARIS),))
    assert [(s.polarity, s.grade.score) for s in found.stances] == [(Polarity.SUPPORT, 1.0), (Polarity.REFUTE, 0.9)]


def test_what_one_side_has_won_is_told_only_when_asked_for() -> None:
    slot = [said(PARIS, kind=CLAIM), said(HANOI)]
    assert contradictions_in(slot, NEVER) == []
    found = only(slot, settled=True)
    assert (found.open, [s.lifecycle for s in found.stances]) == (False, [Lifecycle.ACTIVE, Lifecycle.SUPERSEDED])
    denied = only([said(PARIS), said(PARIS, denied=True, kind=CLAIM)], MANY, settled=True)
    assert (denied.kind, denied.open, denied.stances[0].lifecycle) == (ContradictionKind.DENIAL, False, "active")


def test_a_stretch_that_is_told_twice_with_the_same_sides_is_one() -> None:
    slot = [said(PARIS, 2010, 2020), said(HANOI, 2010, 2015), said(HANOI, 2015, 2020)]
    assert years(only(slot)) == (2010, 2020)
    gap = [said(PARIS, 2010, 2020), said(HANOI, 2010, 2012), said(HANOI, 2018, 2020)]
    assert [years(c) for c in contradictions_in(gap, NEVER)] == [(2010, 2012), (2018, 2020)]
    third = [said(PARIS, 2010, 2020), said(HANOI, 2010, 2020), said(LIMA, 2015, 2017)]
    assert [(years(c), len(c.stances)) for c in contradictions_in(third, NEVER)] == [
        ((2010, 2015), 2),
        ((2015, 2017), 3),
        ((2017, 2020), 2),
    ]


def test_the_worked_example_a_fact_of_an_untrusted_blog_loses_to_a_claim_of_a_trusted_agency() -> None:
    blog, agency = said(PARIS, confidence=0.9, trust=0.3), said(HANOI, confidence=0.8, kind=CLAIM)
    found = only([blog, agency], settled=True)
    assert [(s.fact_id, round(s.grade.score, 9)) for s in found.stances] == [
        (fact_of(HANOI), 0.48),
        (fact_of(PARIS), 0.27),
    ]
    assert [s.lifecycle for s in found.stances] == [Lifecycle.ACTIVE, Lifecycle.SUPERSEDED]


def test_the_worked_example_of_three_heads_of_one_company_has_one_winner() -> None:
    slot = [
        said(HANOI, confidence=0.9),
        said(PARIS, confidence=0.7, kind=CLAIM),
        said(LIMA, confidence=0.5, kind=OPINION),
    ]
    found = only(slot, settled=True)
    assert [round(s.grade.score, 9) for s in found.stances] == [0.9, 0.42, 0.15]
    assert [s.lifecycle.value for s in found.stances] == ["active", "superseded", "superseded"]


def test_v1_a_correction_on_one_side_comes_before_every_contradiction_without_one() -> None:
    correction = said(PARIS, 2010, seen=2020, corrects=3, confidence=0.5)
    news = said(HANOI, 2010, seen=2021)
    doubted = [correction, news]
    found = only(doubted)
    assert [s.corrected for s in found.stances] == [True, False]
    even = Severity.of(False, 1.0, 1.0, 50)
    assert severity(found, doubted).value > even.value == pytest.approx(0.4)


def test_v2_the_closer_the_scores_the_more_serious() -> None:
    near, far = [said(PARIS), said(HANOI, confidence=0.99)], [said(PARIS), said(HANOI, confidence=0.85)]
    assert severity(only(near), near).closeness == 0.99
    assert severity(only(near), near).value > severity(only(far), far).value
    assert Severity.of(False, 1.0, 0.8, 1).value == pytest.approx(0.25 * 0.8)
    assert Severity.of(False, 0.0, 0.0, 1).value == 0.0


def test_v3_the_more_independent_sources_the_more_serious_and_copies_count_once() -> None:
    two, copies = [said(PARIS), said(HANOI)], [said(PARIS, source="x"), said(PARIS, source="x"), said(HANOI)]
    assert [severity(only(slot), slot).sources for slot in (two, copies)] == [2, 2]
    assert Severity.of(False, 1.0, 0.0, 10).value == Severity.of(False, 1.0, 0.0, 99).value == 0.15
    assert Severity.of(False, 1.0, 0.0, 4).value == pytest.approx(0.05)


def test_v4_support_against_denial_compares_masses() -> None:
    slot = [said(PARIS), said(PARIS, confidence=0.5), said(PARIS, denied=True)]
    found = only(slot, MANY)
    assert [s.grade.mass for s in found.stances] == [1.5, 1.0]
    assert severity(found, slot).closeness == round(1.0 / 1.5, 6)


def test_two_sets_are_compared_whoever_wins_and_a_set_does_not_contradict_itself() -> None:
    paris, hanoi, lima = said(PARIS, kind=CLAIM), said(HANOI), said(LIMA)
    first, second = {paris}, {hanoi}

    def between(*slot: testimony.Testimony) -> list[Contradiction]:
        return contradictions_between(slot, NEVER, first.__contains__, second.__contains__)

    assert [c.open for c in between(paris, hanoi)] == [False]
    assert between(paris, lima) == between(hanoi, lima) == []
