"""The rules of what a segment carries, R29 to R32 of ``domain.standing.assess``."""

from __future__ import annotations

from dataclasses import replace

import pytest

from domain.knowledge.assertion import AssertionState, ClaimKind
from domain.standing.assess import assess
from domain.standing.testimony import Verification
from tests.unit.standing.testimonies import BY_START, HANOI, MANY, PARIS, outline, said, year

PENDING, CLAIM = AssertionState.PENDING, ClaimKind.CLAIM


def test_r29_confidence_is_the_noisy_or_of_independent_sources() -> None:
    halves = [said(HANOI, confidence=0.5), said(HANOI, confidence=0.5)]
    assert assess(halves, MANY)[0].confidence == 0.75
    assert assess([*halves, said(HANOI, confidence=0.5, source=halves[0].independence_key)], MANY)[0].confidence == 0.75
    assert assess([said(HANOI, confidence=0.9, kind=CLAIM)], MANY)[0].confidence == pytest.approx(0.54)


def test_r30_adjacent_equal_segments_are_one_and_gaps_stay() -> None:
    source = "one"
    slot = [said(HANOI, 2010, 2012, source=source), said(HANOI, 2012, 2014, source=source), said(HANOI, 2016, 2018)]
    assert outline(assess(slot, MANY)) == [("Hanoi", 2010, 2014, "active"), ("Hanoi", 2016, 2018, "active")]


def test_r31_a_source_under_the_minimum_tier_counts_as_pending_unless_it_corrects() -> None:
    strict = replace(BY_START, minimum_tier=2)
    assert outline(assess([said(HANOI, 2010, tier=3), said(PARIS, 2010, tier=2)], strict)) == [
        ("Hanoi", 2010, None, "proposed"),
        ("Paris", 2010, None, "active"),
    ]
    assert outline(assess([said(HANOI, 2010, tier=3, corrects=1)], strict)) == [("Hanoi", 2010, None, "active")]


def test_r32_verification_tier_kind_and_observation_come_from_the_live_testimonies() -> None:
    (auto,) = assess([said(HANOI, tier=3, kind=CLAIM, seen=2015), said(HANOI, tier=2, seen=2012)], MANY)
    assert (auto.verification, auto.tier, auto.kind, auto.observed_at) == (
        Verification.AUTO,
        2,
        ClaimKind.FACT,
        year(2015),
    )
    assert assess([said(HANOI, approved=True)], MANY)[0].verification is Verification.HUMAN
    assert assess([said(HANOI, corrects=4)], MANY)[0].verification is Verification.HUMAN
    assert assess([said(HANOI, state=PENDING)], MANY)[0].verification is Verification.PENDING
