"""The rules by which predicates are found to be one, each by itself."""

from __future__ import annotations

from dataclasses import replace
from typing import Any
from uuid import UUID

import numpy as np
import pytest

from domain.knowledge.core_vocabulary import CORE_VOCABULARY
from domain.knowledge.near_synonyms import (
    Candidate,
    Factors,
    Merge,
    NearSynonym,
    SharedEnds,
    candidate,
    grew,
    meaning,
    merge_id,
    policies_of,
    score,
    scored,
)
from domain.knowledge.predicate import PredicatePolicy, Vocabulary
from domain.knowledge.predicate_forms import Likeness, edit_distance, form_of, likeness, opposites_in, told_apart
from domain.knowledge.predicate_pairs import UNMEASURED, marks_of, near_synonyms

NOTHING = SharedEnds()
MARKS = (0.5, 0.9)


def unreviewed(name: str, facts: int = 10) -> Candidate:
    return candidate(PredicatePolicy(name, reviewed=False), facts)


def reviewed(name: str, facts: int = 10, *inverses: str, **policy: Any) -> Candidate:
    turned = tuple(PredicatePolicy(other, inverse_of=name) for other in inverses)
    return candidate(PredicatePolicy(name, **policy), facts, turned)


def near(a: Candidate, b: Candidate, cosine: float | None = None, ends: SharedEnds = NOTHING) -> NearSynonym:
    found = scored(a, b, cosine, MARKS, ends)
    assert found is not None
    return found


@pytest.mark.parametrize(
    ("a", "b", "alike"),
    [
        ("WORKS_AT", "WORKED_AT", 1.0),
        ("works at", "isWorkingAt", 1.0),
        ("WORKS_AT", "WORKS_FOR", 1.0),
        ("HEADQUATERED_IN", "HEADQUARTERED_IN", 0.9 * (1 - 1 / 11)),
        ("HAS_CEO", "HAS_CTO", 0.0),
        ("FLIES_TO", "FLIES_FROM", 0.0),
        ("APPROVED_BY", "APPROVED_ON", 0.0),
        ("USED_BY", "NOT_USED_BY", 0.0),
        ("LOCATED_NEAR", "LOCATED_IN", 0.6 * 2 / 3),
        ("WORKS", "WORKS_WITH", 0.6),
    ],
)
def test_n2_names_are_compared_as_words_without_their_inflection(a: str, b: str, alike: float) -> None:
    assert likeness(form_of(a), form_of(b)).value == pytest.approx(alike)


def test_n1_every_kind_of_evidence_raises_the_score_and_none_gives_it_alone() -> None:
    none = Factors(Likeness(False, 0.0, 0.0), None, 0.0, 0, 10)
    assert score(none) == 0.0
    assert score(replace(none, likeness=Likeness(True, 1.0, 1.0))) == 0.7
    assert score(replace(none, meaning=1.0)) == 0.6
    assert score(replace(none, shared=8)) == pytest.approx(0.8 * 0.8 * 0.8, abs=1e-6)
    assert score(Factors(Likeness(True, 1.0, 1.0), 1.0, 1.0, 8, 10)) == pytest.approx(
        1 - 0.2 * 0.4 * (1 - 0.8 * 0.64), abs=1e-6
    )


def test_n3_a_cosine_counts_between_the_marks_that_reviewed_predicates_set() -> None:
    assert [meaning(each, MARKS) for each in (None, 0.4, 0.5, 0.7, 0.9, 1.0)] == [0.0, 0.0, 0.0, 0.5, 1.0, 1.0]
    apart = [reviewed(f"R{chr(65 + n)}") for n in range(26)]
    assert marks_of(apart, np.eye(26, dtype=np.float32)) == (0.0, 0.01)
    assert marks_of(apart[:5], np.eye(5, dtype=np.float32)) == UNMEASURED


def test_n4_two_predicates_without_a_common_word_are_found_by_what_their_facts_share() -> None:
    found = near(unreviewed("STEERS", 12), unreviewed("PILOTS", 10), None, SharedEnds(straight=10))
    assert (found.source, found.target, found.merge, found.factors.shared) == (
        "PILOTS", "STEERS", Merge.SYNONYM, 10,
    )  # fmt: skip
    assert found.score == pytest.approx(0.8 * 10 / 12, abs=1e-6)


def test_n5_different_objects_at_one_time_and_kinds_that_do_not_fit_speak_against_it() -> None:
    found = near(unreviewed("WORKS_AT"), unreviewed("WORKING_AT")).factors
    assert score(replace(found, sampled=10, different=0)) == 0.7
    assert score(replace(found, sampled=10, different=10)) == pytest.approx(0.7 * (1 - 0.8 * 10 / 13), abs=1e-6)
    assert score(replace(found, kinds_fit=True)) == 0.7
    assert score(replace(found, kinds_fit=False)) == 0.21


def test_n6_opposite_words_are_no_synonyms_but_may_be_an_inverse() -> None:
    assert opposites_in(form_of("SOLD_TO"), form_of("BOUGHT_FROM")) is not None
    assert opposites_in(form_of("LIKES"), form_of("DISLIKES")) == ("lik", "dislik")
    assert scored(unreviewed("SOLD_TO"), unreviewed("BOUGHT_FROM"), 1.0, MARKS, SharedEnds(straight=9)) is None
    found = near(unreviewed("SOLD_TO"), unreviewed("BOUGHT_FROM"), 1.0, SharedEnds(turned=9))
    assert (found.merge, found.factors.shared, found.factors.meaning) == (Merge.INVERSE, 9, 0.0)


@pytest.mark.parametrize(
    ("a", "b"), [("MENTORS", "MENTORED_BY"), ("HAS_MAINTAINER", "MAINTAINER_OF"), ("TEACHES", "TAUGHT_BY")]
)
def test_n7_names_that_are_each_other_turned_round_are_an_inverse(a: str, b: str) -> None:
    assert near(unreviewed(a), unreviewed(b)).merge is Merge.INVERSE
    straight = near(unreviewed(a), unreviewed(b), None, SharedEnds(straight=30))
    assert (straight.merge, straight.factors.likeness.value) == (Merge.SYNONYM, 0.0), "the facts say otherwise"


def test_n7_a_wording_of_a_reviewed_inverse_turns_too() -> None:
    founded = reviewed("FOUNDED_BY", 10, "FOUNDED", synonyms=("started by",))
    assert near(unreviewed("STARTED"), founded).merge is Merge.INVERSE
    assert near(unreviewed("IS_STARTED_BY"), founded).merge is Merge.SYNONYM


def test_n8_what_people_told_apart_is_left_alone() -> None:
    assert scored(reviewed("WORKS_AT"), reviewed("WORKED_AT"), 1.0, MARKS, SharedEnds(straight=50)) is None


def test_n9_the_reviewed_one_stays_then_the_one_with_more_facts_then_the_shorter() -> None:
    assert near(reviewed("WORKS_AT", 1), unreviewed("WORKED_AT", 99)).target == "WORKS_AT"
    assert near(unreviewed("WORKS_AT", 1), unreviewed("WORKED_AT", 99)).target == "WORKED_AT"
    assert near(unreviewed("WORKS_AT"), unreviewed("WORKED_AT")).target == "WORKS_AT"


def test_n10_a_predicate_is_proposed_for_one_merge_and_rather_with_a_reviewed_one() -> None:
    names = [unreviewed("OWNING"), unreviewed("OWN", 50), reviewed("OWNS", 0)]
    found = near_synonyms(names, None, {("OWN", "OWNING"): SharedEnds(straight=10)})
    assert [(each.source, each.target) for each in found] == [("OWN", "OWNS"), ("OWNING", "OWNS")]


def test_n11_what_was_decided_comes_again_when_the_evidence_at_least_doubled_and_grew_by_five() -> None:
    assert [grew(now, 0) for now in (0, 4, 5)] == [False, False, True]
    assert [grew(now, 10) for now in (15, 19, 20)] == [False, False, True]
    assert not grew(6, 3)


@pytest.mark.parametrize(("a", "b"), [
    ("WORKED_AT", "WORKS_FOR"), ("WORK_AT", "WORKED_AT"), ("LED", "LEADS"), ("HAD_CEO", "HAS_CEO"),
    ("WAS_MEMBER_OF", "MEMBER_OF"), ("WAS_LOCATED_IN", "IS_LOCATED_IN"), ("WAS_LED_BY", "LEADS"),
])  # fmt: skip
def test_n12_what_was_is_not_proposed_as_what_is_by_name_alone(a: str, b: str) -> None:
    alone = near(unreviewed(a), unreviewed(b), 1.0)
    assert (alone.factors.likeness.tenses_differ, alone.score) == (True, 0.5)
    assert near_synonyms([unreviewed(a), unreviewed(b)], None, {}) == []
    assert near(unreviewed(a), unreviewed(b), None, SharedEnds(straight=4, turned=4)).score > 0.8


@pytest.mark.parametrize(("a", "b"), [
    ("IS_DEPLOYED_TO", "DEPLOYED_TO"), ("WAS_FOUNDED_NEAR", "FOUNDED_NEAR"), ("HAS_FOUNDED", "FOUNDED"),
    ("IS_CEO_OF", "CEO_OF"), ("WORKS_AT", "WORKING_AT"), ("IS_LED_BY", "LEADS"), ("NEEDS", "NEED"),
])  # fmt: skip
def test_n12_names_of_one_tense_alone_score_at_most_0_7(a: str, b: str) -> None:
    assert (near(unreviewed(a), unreviewed(b), 1.0).score, near(unreviewed(a), unreviewed(b)).score) == (0.7, 0.7)


def test_n12_a_wording_of_the_same_tense_counts_rather() -> None:
    policy = reviewed("WORKS_FOR", synonyms=("worked for",))
    assert not near(policy, unreviewed("WORKED_FOR")).factors.likeness.tenses_differ


def test_n13_by_names_alone_an_inverse_is_an_active_and_its_passive() -> None:
    as_by = near(unreviewed("REJECTED_AS"), unreviewed("REJECTED_BY"), 1.0)
    assert (as_by.merge, as_by.score) == (Merge.SYNONYM, 0.0)
    assert near_synonyms([unreviewed("REJECTED_AS"), reviewed("REJECTED_BY", 10, "REJECTED")], None, {}) == []
    assert scored(unreviewed("MENTERS"), unreviewed("MENTORED_BY"), 1.0, MARKS, NOTHING) is None
    assert scored(unreviewed("DRAFTS_TEXT"), unreviewed("DRAFTED_BY"), 1.0, MARKS, NOTHING) is None
    assert near(unreviewed("MENTORS"), unreviewed("MENTORED_BY")).merge is Merge.INVERSE
    assert near(unreviewed("REJECTED_AS"), unreviewed("REJECTED_BY"), None, SharedEnds(turned=8)).merge is Merge.INVERSE
    assert form_of("HAS_AS_CUSTOMER").stems == form_of("CUSTOMER_OF").stems
    assert not form_of("HAS_AS_CUSTOMER").prepositions


def test_of_the_built_in_vocabulary_nothing_is_proposed() -> None:
    names = [candidate(policy, 10) for policy in CORE_VOCABULARY]
    assert near_synonyms(names, None, {}) == []


def test_a_merge_is_one_policy_of_the_source_alone() -> None:
    vocabulary = Vocabulary.of(CORE_VOCABULARY)
    found = near(unreviewed("HEADQUATERED_IN"), reviewed("HEADQUARTERED_IN"))
    now, then = policies_of(found, vocabulary)
    assert (now.reviewed, then.name, then.replaced_by) == (False, "HEADQUATERED_IN", "HEADQUARTERED_IN")
    turned = policies_of(replace(found, merge=Merge.INVERSE), vocabulary)[1]
    assert (turned.inverse_of, turned.replaced_by) == ("HEADQUARTERED_IN", None)
    one = UUID(int=1)
    assert merge_id(one, "A", "B", Merge.SYNONYM) == merge_id(one, "B", "A", Merge.SYNONYM)
    assert merge_id(one, "A", "B", Merge.SYNONYM) != merge_id(UUID(int=2), "A", "B", Merge.SYNONYM)


def test_pairs_stay_in_proportion_to_the_predicates() -> None:
    """Two thousand predicates that all have one word in common, of which two are one."""
    many = [
        unreviewed(f"HAS_{chr(65 + n // 26 % 26)}{chr(65 + n % 26)}{chr(65 + n // 676)}Q_VALUE") for n in range(2000)
    ]
    found = near_synonyms([*many, unreviewed("SAILS_TO"), unreviewed("SAILING_TO")], None, {})
    assert [(each.source, each.target) for each in found if "SAIL" in each.source] == [("SAILING_TO", "SAILS_TO")]


def test_edits_are_counted_with_swaps() -> None:
    assert [edit_distance(*each) for each in (("", "ab"), ("abc", "acb"), ("kitten", "sitting"))] == [2, 1, 3]
    assert told_apart(form_of("RELEASED_BY"), form_of("RELEASED_ON"))
    assert not told_apart(form_of("FOUNDED_BY"), form_of("FOUNDED"))
