"""What the masses for and against something say of it: one test a rule, and laws for what no example shows."""

from __future__ import annotations

from datetime import UTC, datetime
from math import log

import pytest
from hypothesis import given
from hypothesis import strategies as st

from domain.errors import InvalidInput
from domain.standing.assess import assess
from domain.standing.grounding import (
    CUTOFFS,
    Contest,
    Cutoffs,
    EpistemicStatus,
    Grounding,
    grounded,
    grounded_segment,
    grounding_value,
    masses,
    neighbourhood_diversity,
    source_diversity,
    sums,
)
from domain.standing.testimony import Lifecycle
from tests.unit.standing.testimonies import HANOI, MANY, said

NOW = datetime(2024, 6, 1, tzinfo=UTC)
PAST = datetime(2020, 1, 1, tzinfo=UTC)
MASS = st.floats(0.0, 1000.0)
COUNTS = st.dictionaries(st.text(max_size=3), st.integers(1, 1000), min_size=1, max_size=20)


@pytest.mark.parametrize(
    ("support", "refute", "value"),
    [(0.0, 0.0, 0.0), (2.0, 0.0, 0.5), (0.0, 2.0, -0.5), (0.5, 0.0, 0.2), (1.5, 1.5, 0.0), (8.0, 0.0, 0.8)],
)
def test_g0_the_number_rises_from_no_evidence_to_one_and_falls_to_minus_one(
    support: float, refute: float, value: float
) -> None:
    assert grounding_value(support, refute) == value


def test_g0_one_document_grounds_little_and_many_ground_well() -> None:
    assert grounding_value(0.85, 0.0) == pytest.approx(0.298, abs=1e-3)
    assert grounding_value(10 * 0.85, 0.0) == pytest.approx(0.810, abs=1e-3)


@pytest.mark.parametrize("lifecycle", [Lifecycle.PROPOSED, Lifecycle.RETRACTED])
def test_g1_nothing_live_is_insufficient_data_also_when_it_is_over(lifecycle: Lifecycle) -> None:
    found = grounded_segment(lifecycle, False, 0.0, 0.0, PAST, NOW)
    assert found == Grounding(0.0, EpistemicStatus.INSUFFICIENT_DATA)


@pytest.mark.parametrize("lifecycle", [Lifecycle.SUPERSEDED, Lifecycle.REFUTED])
def test_g2_what_lost_is_contradictory_also_with_support_of_its_own(lifecycle: Lifecycle) -> None:
    assert grounded_segment(lifecycle, False, 1.7, 0.0, None, NOW).status is EpistemicStatus.CONTRADICTORY
    assert grounded_segment(lifecycle, True, 1.7, 0.0, PAST, NOW).status is EpistemicStatus.CONTRADICTORY


def test_g3_a_disputed_fact_is_contested_also_when_nobody_denies_it() -> None:
    found = grounded_segment(Lifecycle.DISPUTED, False, 2.0, 0.0, None, NOW)
    assert found == Grounding(0.5, EpistemicStatus.CONTESTED)
    assert grounded_segment(Lifecycle.DISPUTED, True, 2.0, 0.0, PAST, NOW).status is EpistemicStatus.CONTESTED


def test_g4_masses_that_are_alike_are_contested_and_a_larger_refutation_contradicts() -> None:
    assert grounded(1.0, 0.5).status is EpistemicStatus.CONTESTED
    assert grounded(0.5, 1.0).status is EpistemicStatus.CONTESTED
    assert grounded(3.0, 1.0).status is EpistemicStatus.AFFIRMATIVE
    assert grounded(1.0, 3.0).status is EpistemicStatus.CONTRADICTORY
    assert grounded(0.0, 0.3).status is EpistemicStatus.CONTRADICTORY


def test_g4_does_not_hold_where_a_person_decided() -> None:
    assert grounded(0.85, 5.0, Contest.DECIDED).status is EpistemicStatus.AFFIRMATIVE
    found = grounded_segment(Lifecycle.ACTIVE, True, 0.85, 5.0, None, NOW)
    assert (found.status, found.value < 0) == (EpistemicStatus.AFFIRMATIVE, True)


def test_g5_what_was_over_at_the_asked_time_is_historical_and_at_another_time_is_not() -> None:
    assert grounded_segment(Lifecycle.ACTIVE, False, 2.0, 0.0, PAST, NOW).status is EpistemicStatus.HISTORICAL
    assert grounded_segment(Lifecycle.ACTIVE, False, 2.0, 0.0, NOW, NOW).status is EpistemicStatus.HISTORICAL
    assert grounded_segment(Lifecycle.ACTIVE, True, 2.0, 0.0, PAST, NOW).status is EpistemicStatus.HISTORICAL
    assert grounded_segment(Lifecycle.ACTIVE, False, 2.0, 0.0, NOW, PAST).status is EpistemicStatus.AFFIRMATIVE


def test_g6_the_number_makes_it_affirmative_from_the_cut_off_on() -> None:
    assert grounded(0.5, 0.0).status is EpistemicStatus.AFFIRMATIVE
    assert grounded(0.49, 0.0).status is EpistemicStatus.INSUFFICIENT_DATA
    assert grounded(0.1, 0.0, Contest.DECIDED).status is EpistemicStatus.AFFIRMATIVE


def test_every_cut_off_is_a_setting() -> None:
    strict = Cutoffs(prior=1.0, affirmative=0.6, contested=0.9)
    assert grounded(1.0, 0.0, cutoffs=strict) == Grounding(0.5, EpistemicStatus.INSUFFICIENT_DATA)
    assert grounded(9.0, 1.0, cutoffs=strict).status is EpistemicStatus.CONTESTED


@pytest.mark.parametrize("wrong", [{"prior": 0.0}, {"affirmative": 1.1}, {"contested": -0.1}])
def test_a_cut_off_that_means_nothing_is_refused(wrong: dict[str, float]) -> None:
    with pytest.raises(InvalidInput):
        Cutoffs(**wrong)


@given(MASS, MASS)
def test_the_number_is_bounded_and_changes_its_sign_with_the_sides(support: float, refute: float) -> None:
    value = grounding_value(support, refute)
    assert -1.0 < value < 1.0
    assert value == -grounding_value(refute, support)


@given(MASS, MASS, st.floats(0.001, 1000.0))
def test_more_support_never_lowers_it_and_more_refutation_never_raises_it(
    support: float, refute: float, more: float
) -> None:
    value = grounding_value(support, refute)
    assert grounding_value(support + more, refute) >= value
    assert grounding_value(support, refute + more) <= value


@given(st.integers(1, 5), st.integers(1, 5))
def test_copies_change_neither_the_masses_nor_the_number(sources: int, copies: int) -> None:
    own = [said(HANOI, source=f"key-{n}", confidence=(n + 1) / 10) for n in range(sources)]
    again = [said(HANOI, source=f"key-{n % sources}", confidence=0.05) for n in range(copies)]
    (once,), (repeated,) = assess(own, MANY), assess([*own, *again], MANY)
    assert (repeated.support_mass, repeated.refute_mass) == (once.support_mass, once.refute_mass)
    assert grounding_value(repeated.support_mass, 0.0) == grounding_value(once.support_mass, 0.0)


def test_the_mass_of_a_source_is_the_best_of_its_copies() -> None:
    assert masses([("a", 0.4), ("b", 0.7), ("a", 0.6), ("c", 0.0)]) == {"a": 0.6, "b": 0.7, "c": 0.0}
    assert sums([("x", 0.25), ("y", 0.5), ("x", 0.5)]) == {"x": 0.75, "y": 0.5}


def test_source_diversity_is_none_for_one_source_and_grows_with_sources_that_weigh_alike() -> None:
    assert source_diversity({}) == 0.0
    assert source_diversity({"a": 0.7}) == 0.0
    assert source_diversity({"a": 0.5, "b": 0.5}) == 0.5
    assert source_diversity(dict.fromkeys(range(4), 0.85)) == pytest.approx(0.75)
    assert source_diversity({"a": 0.9, "b": 0.1}) == pytest.approx(0.18)


def test_neighbourhood_diversity_grows_with_the_sorts_of_neighbours_and_not_with_their_number() -> None:
    assert neighbourhood_diversity({}) == 0.0
    assert neighbourhood_diversity({("RUNS_ON", "host"): 40}) == 0.0
    two = log(2) / (1 + log(2))
    assert neighbourhood_diversity({("RUNS_ON", "host"): 3, ("OWNED_BY", "team"): 3}) == pytest.approx(two)
    assert neighbourhood_diversity({"a": 30, "b": 30}) == pytest.approx(two)
    assert neighbourhood_diversity(dict.fromkeys(range(10), 1)) == pytest.approx(0.697, abs=1e-3)


@given(COUNTS, st.integers(1, 1000))
def test_a_new_sort_of_neighbour_that_is_not_the_most_frequent_makes_it_broader(
    counts: dict[str, int], more: int
) -> None:
    value = neighbourhood_diversity(counts)
    assert 0.0 <= value < 1.0
    added = min(more, min(counts.values()))
    assert neighbourhood_diversity({**counts, "a new sort": added}) > value


@given(st.lists(st.floats(0.01, 1.0), min_size=1, max_size=20))
def test_source_diversity_is_bounded_by_the_number_of_sources(weights: list[float]) -> None:
    value = source_diversity(dict(enumerate(weights)))
    assert 0.0 <= value <= 1.0 - 1.0 / len(weights) + 1e-9


def test_the_defaults_are_what_the_documentation_says() -> None:
    assert Cutoffs(2.0, 0.2, 0.5) == CUTOFFS
