"""One test a rule of the table in ``domain.standing.assess``, named after it; R22 to R32 are in the files beside it."""

from __future__ import annotations

import re
from dataclasses import replace
from datetime import timedelta
from pathlib import Path

import pytest

from domain.errors import InvalidInput
from domain.knowledge.assertion import AssertionState, ClaimKind
from domain.knowledge.time import OPEN_BOUND
from domain.standing import assess as module
from domain.standing.assess import assess
from tests.unit.standing.testimonies import (
    BY_OBSERVATION,
    BY_START,
    FIVE,
    FIVE_USD,
    HANOI,
    IN_1990,
    IN_1991,
    LIMA,
    MANY,
    NEVER,
    ON_1_APRIL_1990,
    PARIS,
    fact_of,
    in_state,
    outline,
    said,
)

PENDING, WITHDRAWN, REJECTED = AssertionState.PENDING, AssertionState.WITHDRAWN, AssertionState.REJECTED
CLAIM, OPINION = ClaimKind.CLAIM, ClaimKind.OPINION


def test_every_rule_of_the_table_has_a_test_of_its_name() -> None:
    rules = re.findall(r"^R(\d+) ", module.__doc__ or "", re.MULTILINE)
    assert rules == [str(n) for n in range(1, len(rules) + 1)]
    text = "".join(p.read_text(encoding="utf-8") for p in sorted(Path(__file__).parent.glob("test_assess_*.py")))
    tested = set(re.findall(r"^def test_r(\d+)_", text, re.MULTILINE))
    assert tested == set(rules)


def test_r1_pending_testimonies_never_move_what_is_live() -> None:
    live = said(HANOI, 2010)
    others = [
        said(PARIS, 2012, state=PENDING),
        said(HANOI, 2005, state=PENDING),
        said(HANOI, denied=True, state=PENDING),
    ]
    segments = assess([live, *others], BY_START)
    hanoi = [s for s in segments if s.fact_id == fact_of(HANOI)]
    assert hanoi == list(assess([live], BY_START))


def test_r2_a_fact_without_a_live_testimony_is_proposed_or_retracted() -> None:
    segments = assess(
        [
            said(HANOI, 2010, 2012, state=PENDING),
            said(HANOI, 2000, 2001, state=REJECTED),
            said(PARIS, 2005, state=WITHDRAWN),
        ],
        MANY,
    )
    assert outline(segments) == [("Hanoi", 2010, 2012, "proposed"), ("Paris", 2005, None, "retracted")]
    assert [(s.support, s.refute, s.confidence, s.support_mass, s.score) for s in segments] == [
        (False, False, 0, 0, 0)
    ] * 2
    assert [s.reason for s in segments] == ["pending", "withdrawn"]


def test_r3_withdrawing_one_of_two_sources_keeps_the_fact_and_withdrawing_both_retracts_it() -> None:
    one, two = said(HANOI, 2010), said(HANOI, 2010)
    assert assess([one, in_state(two, WITHDRAWN)], MANY) == assess([one], MANY)
    both = [in_state(one, WITHDRAWN), in_state(two, WITHDRAWN)]
    assert outline(assess(both, MANY)) == [("Hanoi", 2010, None, "retracted")]


def test_r4_a_stated_bound_is_never_stretched_and_an_open_one_is_unbounded() -> None:
    assert outline(assess([said(HANOI, 2010, 2012), said(PARIS, 2015)], BY_START)) == [
        ("Hanoi", 2010, 2012, "active"),
        ("Paris", 2015, None, "active"),
    ]
    assert outline(assess([said(HANOI, OPEN_BOUND, OPEN_BOUND)], BY_START)) == [("Hanoi", None, None, "active")]


def test_r4_a_testimony_that_ends_before_it_starts_is_refused_by_name() -> None:
    with pytest.raises(InvalidInput, match="starts before it ends"):
        assess([said(HANOI, 2012, 2010)], MANY)


@pytest.mark.parametrize("policy", [MANY, NEVER], ids=["many-valued", "never"])
def test_r5_an_unknown_start_is_unbounded_below(policy: object) -> None:
    assert outline(assess([said(HANOI, seen=2020, published=2015)], policy)) == [("Hanoi", None, None, "active")]  # type: ignore[arg-type]


def test_r6_an_unknown_start_is_inferred_by_the_succession_rule() -> None:
    published, observed = said(HANOI, seen=2020, published=2015), said(HANOI, seen=2020)
    assert outline(assess([published], BY_START)) == [("Hanoi", 2015, None, "active")]
    assert outline(assess([observed], BY_START)) == [("Hanoi", 2020, None, "active")]
    assert outline(assess([published], BY_OBSERVATION)) == [("Hanoi", 2020, None, "active")]
    assert assess([published], BY_START)[0].reason == "supported from=inferred"
    assert assess([said(HANOI, 2015)], BY_START)[0].reason == "supported"


def test_r7_a_former_value_begins_where_the_last_rival_before_it_is_known() -> None:
    former = said(HANOI, None, 2018, seen=2020)
    assert outline(assess([former], BY_START)) == [("Hanoi", None, 2018, "active")]
    assert outline(assess([former, said(PARIS, 2005, 2011), said(LIMA, 2018)], BY_START)) == [
        ("Hanoi", 2011, 2018, "active"),
        ("Paris", 2005, 2011, "active"),
        ("Lima", 2018, None, "active"),
    ]


def test_r8_an_unknown_end_lasts_until_the_next_start_of_a_rival() -> None:
    segments = assess([said(HANOI, 2010), said(LIMA, 2018), said(PARIS, 2014)], BY_START)
    assert outline(segments) == [
        ("Hanoi", 2010, 2014, "active"),
        ("Paris", 2014, 2018, "active"),
        ("Lima", 2018, None, "active"),
    ]
    assert segments[0].reason == f"supported until={fact_of(PARIS)}"


def test_r8_a_late_message_about_the_past_does_not_replace_the_present() -> None:
    present, late = said(PARIS, 2018, seen=2018), said(HANOI, 2010, seen=2025)
    assert outline(assess([present, late], BY_START)) == [
        ("Hanoi", 2010, 2018, "active"),
        ("Paris", 2018, None, "active"),
    ]


def test_r9_by_observation_a_value_lasts_until_a_rival_is_observed() -> None:
    up, down = said(HANOI, seen=2010), said(PARIS, seen=2012)
    assert outline(assess([down, up], BY_OBSERVATION)) == [
        ("Hanoi", 2010, 2012, "active"),
        ("Paris", 2012, None, "active"),
    ]


def test_r9_a_rival_observed_later_ends_a_value_from_its_own_start_if_that_is_later() -> None:
    up, down = said(HANOI, seen=2010), said(PARIS, 2011, seen=2015)
    assert outline(assess([up, down], BY_OBSERVATION)) == [
        ("Hanoi", 2010, 2011, "active"),
        ("Paris", 2011, None, "active"),
    ]


def test_r9_what_was_over_when_observed_does_not_end_the_present() -> None:
    up, late = said(HANOI, 2012, seen=2013), said(PARIS, 2005, 2008, seen=2020)
    assert outline(assess([up, late], BY_OBSERVATION)) == [
        ("Hanoi", 2012, None, "active"),
        ("Paris", 2005, 2008, "active"),
    ]


def test_r10_without_succession_an_unknown_end_is_unbounded() -> None:
    assert outline(assess([said(HANOI, 2010), said(PARIS, 2014, confidence=0.9)], NEVER)) == [
        ("Hanoi", 2010, 2014, "active"),
        ("Hanoi", 2014, None, "disputed"),
        ("Paris", 2014, None, "disputed"),
    ]


def test_r11_an_open_end_is_ended_only_by_what_was_observed_later() -> None:
    still = said(HANOI, 2010, OPEN_BOUND, seen=2020)
    assert outline(assess([still, said(PARIS, 2022, seen=2023)], BY_START)) == [
        ("Hanoi", 2010, 2022, "active"),
        ("Paris", 2022, None, "active"),
    ]
    assert outline(assess([still, said(PARIS, 2015, seen=2016)], BY_START)) == [
        ("Hanoi", 2010, 2015, "active"),
        ("Hanoi", 2015, None, "disputed"),
        ("Paris", 2015, None, "disputed"),
    ]


def test_r12_a_time_to_live_ends_an_unknown_end_only() -> None:
    policy = replace(BY_OBSERVATION, time_to_live=timedelta(days=366))
    assert outline(assess([said(HANOI, 2010, seen=2012)], policy)) == [("Hanoi", 2010, 2013, "active")]
    assert outline(assess([said(HANOI, 2016, seen=2012)], policy)) == [("Hanoi", 2016, 2017, "active")]
    assert outline(assess([said(HANOI, 2010, 2030)], policy)) == [("Hanoi", 2010, 2030, "active")]
    assert outline(assess([said(HANOI, 2010, OPEN_BOUND)], policy)) == [("Hanoi", 2010, None, "active")]
    assert assess([said(HANOI, 2010, seen=2012)], policy)[0].reason == "supported until=time_to_live"
    assert outline(assess([said(HANOI, 9999)], replace(MANY, time_to_live=timedelta(days=400)))) == [
        ("Hanoi", 9999, None, "active")
    ]


def test_r13_a_many_valued_predicate_has_no_rivals() -> None:
    segments = assess([said(HANOI, 2003, confidence=0.95), said(PARIS, 2003, confidence=0.3, kind=OPINION)], MANY)
    assert outline(segments) == [("Hanoi", 2003, None, "active"), ("Paris", 2003, None, "active")]


def test_r14_a_score_is_the_best_weight_times_the_bonus_for_independent_sources() -> None:
    lone = assess([said(HANOI, kind=CLAIM, confidence=0.9, tier=3)], MANY)[0]
    assert lone.score == pytest.approx(0.9 * 0.6 * 0.70)
    own_trust = assess([said(HANOI, kind=OPINION, confidence=0.5, tier=1, trust=0.2)], MANY)[0]
    assert own_trust.score == pytest.approx(0.5 * 0.3 * 0.2)
    copies = assess([said(HANOI, source="a"), said(HANOI, source="a"), said(HANOI, source="b")], MANY)[0]
    assert copies.score == pytest.approx(1.1)
    assert assess([said(HANOI) for _ in range(9)], MANY)[0].score == pytest.approx(1.5)


def test_r14_authority_follows_the_tier() -> None:
    assert [round(assess([said(HANOI, tier=n)], MANY)[0].score, 6) for n in (1, 2, 3, 4)] == [1.0, 0.85, 0.7, 0.4]


def test_r15_a_side_of_another_kind_wins_by_any_margin() -> None:
    segments = assess([said(HANOI, 2010, confidence=0.61), said(PARIS, 2010, kind=CLAIM)], BY_START)
    assert outline(segments) == [("Hanoi", 2010, None, "active"), ("Paris", 2010, None, "superseded")]


def test_r15_the_worked_examples_of_three_chief_executives_and_of_trust() -> None:
    three = [said(HANOI, 2010, confidence=0.9), said(PARIS, 2010, confidence=0.7, kind=CLAIM)]
    three.append(said(LIMA, 2010, confidence=0.5, kind=OPINION))
    assert [(s.lifecycle.value, round(s.score, 6)) for s in assess(three, BY_START)] == [
        ("active", 0.9),
        ("superseded", 0.42),
        ("superseded", 0.15),
    ]
    blog, paper = said(HANOI, 2010, confidence=0.9, trust=0.3), said(PARIS, 2010, confidence=0.8, kind=CLAIM, trust=1.0)
    assert [(s.lifecycle.value, round(s.score, 6)) for s in assess([blog, paper], BY_START)] == [
        ("superseded", 0.27),
        ("active", 0.48),
    ]


def test_r16_a_side_of_the_same_kind_wins_at_five_quarters() -> None:
    def outcome(loser: float) -> list[str]:
        return [s.lifecycle.value for s in assess([said(HANOI, 2010), said(PARIS, 2010, confidence=loser)], BY_START)]

    assert outcome(0.8) == ["active", "superseded"]
    assert outcome(0.800001) == ["disputed", "disputed"]


def test_r17_the_loser_is_superseded_over_the_overlap_only() -> None:
    segments = assess([said(HANOI, 2010, 2020), said(PARIS, 2015, 2025, confidence=0.5)], BY_START)
    assert outline(segments) == [
        ("Hanoi", 2010, 2015, "active"),
        ("Hanoi", 2015, 2020, "active"),
        ("Paris", 2015, 2020, "superseded"),
        ("Paris", 2020, 2025, "active"),
    ]
    assert [s.reason for s in segments] == [
        "supported",
        f"outweighs rivals={fact_of(PARIS)}",
        f"outweighed rivals={fact_of(HANOI)}",
        "supported",
    ]


def test_r17_without_a_winner_both_are_disputed_over_the_overlap() -> None:
    segments = assess([said(HANOI, 2010, 2020), said(PARIS, 2015, 2025)], BY_START)
    assert outline(segments) == [
        ("Hanoi", 2010, 2015, "active"),
        ("Hanoi", 2015, 2020, "disputed"),
        ("Paris", 2015, 2020, "disputed"),
        ("Paris", 2020, 2025, "active"),
    ]


def test_r18_the_winner_of_three_must_beat_each() -> None:
    def outcome(third: float) -> list[str]:
        slot = [said(HANOI, 2010), said(PARIS, 2010, confidence=0.5), said(LIMA, 2010, confidence=third)]
        return [s.lifecycle.value for s in assess(slot, BY_START)]

    assert outcome(0.7) == ["active", "superseded", "superseded"]
    assert outcome(0.9) == ["disputed", "disputed", "disputed"]


def test_r19_a_refining_fact_supports_the_one_it_refines_and_is_no_rival() -> None:
    segments = {s.fact_id: s for s in assess([said(IN_1990), said(ON_1_APRIL_1990)], NEVER)}
    assert {s.lifecycle.value for s in segments.values()} == {"active"}
    assert segments[fact_of(IN_1990)].score == pytest.approx(1.1)
    assert segments[fact_of(ON_1_APRIL_1990)].score == pytest.approx(1.0)


def test_r19_support_from_a_refinement_decides_against_a_rival() -> None:
    slot = [said(IN_1990, confidence=0.8), said(ON_1_APRIL_1990), said(IN_1991, confidence=0.85)]
    assert {name: life for name, _, _, life in outline(assess(slot, NEVER))} == {
        "1990": "active",
        "1990-04-01": "active",
        "1991": "superseded",
    }


def test_r19_a_compatible_number_is_no_rival_and_no_support() -> None:
    segments = assess([said(FIVE), said(FIVE_USD)], NEVER)
    assert [(s.lifecycle.value, s.score) for s in segments] == [("active", 1.0), ("active", 1.0)]


def test_r20_support_and_denial_set_both_bits_and_the_scores_decide() -> None:
    def outcome(support: float, denial: float) -> tuple[bool, bool, str]:
        (segment,) = assess([said(HANOI, confidence=support), said(HANOI, confidence=denial, denied=True)], MANY)
        return segment.support, segment.refute, segment.lifecycle.value

    assert outcome(1.0, 0.8) == (True, True, "active")
    assert outcome(0.8, 1.0) == (True, True, "refuted")
    assert outcome(0.9, 1.0) == (True, True, "disputed")


def test_r20_masses_tell_unknown_and_balanced_apart() -> None:
    (segment,) = assess([said(HANOI), said(HANOI), said(HANOI, denied=True, tier=2)], MANY)
    assert (segment.support_mass, segment.refute_mass) == (2.0, 0.85)


def test_r21_a_fact_that_is_only_denied_is_refuted_and_nobodys_rival() -> None:
    segments = assess([said(HANOI, 2010, denied=True), said(PARIS, 2010, confidence=0.1)], BY_START)
    assert outline(segments) == [("Hanoi", 2010, None, "refuted"), ("Paris", 2010, None, "active")]
    assert (segments[0].support, segments[0].refute, segments[0].confidence) == (False, True, 0.0)
