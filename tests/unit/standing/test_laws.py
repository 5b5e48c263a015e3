"""Laws of ``assess`` over generated slots."""

from __future__ import annotations

import random
from dataclasses import replace
from datetime import datetime
from itertools import pairwise
from uuid import UUID

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from domain.identity.ids import EntityId
from domain.knowledge.assertion import AssertionState, ClaimKind, Polarity
from domain.knowledge.objects import TypedObject
from domain.knowledge.predicate import Cardinality, PredicatePolicy, Vocabulary
from domain.knowledge.time import OPEN_BOUND, UNKNOWN_BOUND, BoundState
from domain.standing.assess import assess, assess_by_rules
from domain.standing.belnap import Truth, informs, merge
from domain.standing.extents import EARLIEST, LATEST, own_extent
from domain.standing.place import place
from domain.standing.testimony import Lifecycle, Segment
from domain.standing.testimony import Testimony as Said  # pytest would take the class for a test
from tests.unit.standing.testimonies import (
    BY_OBSERVATION,
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
    in_state,
    outline,
    said,
    year,
)

LAW = settings(deadline=None, max_examples=40)

POLICIES = st.sampled_from([MANY, BY_START, BY_OBSERVATION, NEVER])
ONE_VALUED = st.sampled_from([BY_START, BY_OBSERVATION, NEVER])
VALUES: st.SearchStrategy[TypedObject] = st.sampled_from([HANOI, PARIS, LIMA])
DATES: st.SearchStrategy[TypedObject] = st.sampled_from([IN_1990, ON_1_APRIL_1990, IN_1991])
YEARS = st.integers(2000, 2012)
STATES = st.sampled_from(list(AssertionState))


@st.composite
def a_testimony(draw: st.DrawFn, values: st.SearchStrategy[TypedObject] = VALUES, corrects: bool = True) -> Said:
    since = draw(st.one_of(st.none(), YEARS, st.just(OPEN_BOUND)))
    floor = since if isinstance(since, int) else 1999
    until = draw(st.one_of(st.none(), st.integers(floor + 1, 2014), st.just(OPEN_BOUND)))
    return said(
        draw(values),
        since,
        until,
        seen=draw(YEARS),
        published=draw(st.none() | YEARS),
        confidence=draw(st.sampled_from([0.0, 0.4, 0.5, 0.8, 1.0])),
        kind=draw(st.sampled_from(list(ClaimKind))),
        tier=draw(st.integers(1, 4)),
        trust=draw(st.none() | st.sampled_from([0.0, 0.5, 1.0])),
        source=draw(st.sampled_from("abc")),
        denied=draw(st.sampled_from([False, False, False, True])),
        state=draw(STATES),
        corrects=draw(st.sampled_from([None, None, None, 1, 2])) if corrects else None,
    )


def slots(values: st.SearchStrategy[TypedObject] = VALUES, corrects: bool = True) -> st.SearchStrategy[list[Said]]:
    return st.lists(a_testimony(values, corrects), max_size=7)


ANY_SLOT = slots() | slots(DATES)


def truth_at(segments: tuple[Segment, ...], fact: UUID, at: datetime) -> Truth:
    for s in segments:
        if s.fact_id == fact and (s.valid_from or EARLIEST) <= at < (s.valid_to or LATEST):
            return merge(Truth(s.support), Truth(2 * s.refute))
    return Truth.NEITHER


def moments() -> list[datetime]:
    return [EARLIEST, *(year(n).replace(month=m) for n in range(1999, 2016) for m in (1, 6)), year(2100)]


@LAW
@given(ANY_SLOT, POLICIES, st.randoms(use_true_random=False))
def test_the_order_of_assertions_does_not_matter(slot: list[Said], policy: PredicatePolicy, rng: random.Random) -> None:
    shuffled = slot[:]
    rng.shuffle(shuffled)
    assert assess(shuffled, policy) == assess(slot, policy)


@LAW
@given(ANY_SLOT, POLICIES, a_testimony() | a_testimony(DATES))
def test_adding_a_live_source_never_lowers_what_is_known_of_its_own_fact(
    slot: list[Said], policy: PredicatePolicy, extra: Said
) -> None:
    extra = in_state(extra, AssertionState.LIVE)
    before, after = assess(slot, policy), assess([*slot, extra], policy)
    for at in moments():
        assert informs(truth_at(after, extra.fact_id, at), truth_at(before, extra.fact_id, at))


@LAW
@given(ANY_SLOT, a_testimony() | a_testimony(DATES))
def test_without_succession_adding_a_live_source_never_lowers_what_is_known_of_any_fact(
    slot: list[Said], extra: Said
) -> None:
    extra = in_state(extra, AssertionState.LIVE)
    for policy in (MANY, NEVER):
        before, after = assess(slot, policy), assess([*slot, extra], policy)
        for fact in {t.fact_id for t in slot}:
            for at in moments():
                assert informs(truth_at(after, fact, at), truth_at(before, fact, at))


@LAW
@given(ANY_SLOT, ONE_VALUED, a_testimony() | a_testimony(DATES))
def test_a_live_source_only_ever_moves_bounds_that_were_not_stated(
    slot: list[Said], policy: PredicatePolicy, extra: Said
) -> None:
    fixed = [t for t in slot if BoundState.STATED is t.valid_from.state is t.valid_to.state]
    extra = in_state(extra, AssertionState.LIVE)
    before, after = assess(fixed, policy), assess([*fixed, extra], policy)
    for fact in {t.fact_id for t in fixed}:
        for at in moments():
            assert informs(truth_at(after, fact, at), truth_at(before, fact, at))


@LAW
@given(ANY_SLOT, POLICIES, st.data())
def test_withdrawing_equals_never_having_had_it_for_facts_that_keep_a_live_assertion(
    slot: list[Said], policy: PredicatePolicy, data: st.DataObject
) -> None:
    gone = data.draw(st.sets(st.integers(0, max(len(slot) - 1, 0))))
    withdrawn = [in_state(t, AssertionState.WITHDRAWN) if i in gone else t for i, t in enumerate(slot)]
    never_had = [t for i, t in enumerate(slot) if i not in gone]
    kept = {t.fact_id for t in never_had if t.state is AssertionState.LIVE}
    assert [s for s in assess(withdrawn, policy) if s.fact_id in kept] == [
        s for s in assess(never_had, policy) if s.fact_id in kept
    ]


@LAW
@given(slots(), POLICIES, st.data())
def test_moving_a_placement_and_back_changes_nothing(
    slot: list[Said], policy: PredicatePolicy, data: st.DataObject
) -> None:
    before = assess(slot, policy)
    if slot:
        index = data.draw(st.integers(0, len(slot) - 1))
        home = slot[index]
        away = replace(home, fact_id=fact_of(LIMA), object=LIMA)
        assess([*slot[:index], away, *slot[index + 1 :]], policy)
        slot = [*slot[:index], replace(away, fact_id=home.fact_id, object=home.object), *slot[index + 1 :]]
    assert assess(slot, policy) == before


@LAW
@given(ANY_SLOT, POLICIES)
def test_segments_are_sorted_and_never_overlap_within_a_fact(slot: list[Said], policy: PredicatePolicy) -> None:
    segments = assess(slot, policy)
    keys = [(s.fact_id, s.valid_from or EARLIEST) for s in segments]
    assert keys == sorted(keys)
    for a, b in pairwise(segments):
        if a.fact_id == b.fact_id:
            assert (a.valid_to or LATEST) <= (b.valid_from or EARLIEST)
            if a.valid_to == b.valid_from:
                assert replace(a, valid_from=None, valid_to=None) != replace(b, valid_from=None, valid_to=None)
    assert {s.fact_id for s in segments} == {t.fact_id for t in slot}


@LAW
@given(ANY_SLOT, POLICIES)
def test_stated_bounds_are_never_stretched(slot: list[Said], policy: PredicatePolicy) -> None:
    live = {t.fact_id for t in slot if t.state is AssertionState.LIVE}
    for segment in assess(slot, policy):
        own = [t for t in slot if t.fact_id == segment.fact_id]
        shown = [t for t in own if t.state is AssertionState.LIVE] if segment.fact_id in live else own
        ends, starts = [t.valid_to.value for t in shown], [t.valid_from.value for t in shown]
        if None not in ends:
            assert (segment.valid_to or LATEST) <= max(e for e in ends if e)
        if None not in starts:
            assert (segment.valid_from or EARLIEST) >= min(s for s in starts if s)


@LAW
@given(ANY_SLOT)
def test_a_many_valued_predicate_never_disputes_rivals(slot: list[Said]) -> None:
    segments = assess(slot, MANY)
    assert Lifecycle.SUPERSEDED not in {s.lifecycle for s in segments}
    for fact in {t.fact_id for t in slot}:
        alone = assess([t for t in slot if t.fact_id == fact], MANY)
        assert tuple(s for s in segments if s.fact_id == fact) == alone


@LAW
@given(slots(corrects=False), ONE_VALUED)
def test_two_rivals_are_never_both_active_at_one_time(slot: list[Said], policy: PredicatePolicy) -> None:
    segments = [s for s in assess(slot, policy) if s.lifecycle is Lifecycle.ACTIVE]
    for at in moments():
        held = [s for s in segments if (s.valid_from or EARLIEST) <= at < (s.valid_to or LATEST)]
        assert len(held) <= 1


@LAW
@given(a_testimony(), POLICIES)
def test_the_short_cut_equals_the_rules(testimony: Said, policy: PredicatePolicy) -> None:
    for one in (testimony, in_state(testimony, AssertionState.LIVE)):
        assert assess([one], policy) == assess_by_rules([one], policy)


@LAW
@given(ANY_SLOT, POLICIES)
def test_confidence_and_masses_stay_in_their_bounds(slot: list[Said], policy: PredicatePolicy) -> None:
    for s in assess(slot, policy):
        assert 0.0 <= s.confidence <= 1.0
        assert 0.0 <= s.score <= 1.5
        assert s.confidence <= s.support_mass + 1e-12


@LAW
@given(VALUES, VALUES, YEARS, st.integers(1, 5), st.integers(0, 5))
def test_two_values_at_different_stated_times_are_no_contradiction(
    first: TypedObject, second: TypedObject, start: int, length: int, gap: int
) -> None:
    one = said(first, start, start + length)
    two = said(second, start + length + gap, start + length + gap + 3)
    for policy in (BY_START, BY_OBSERVATION, NEVER):
        assert {s.lifecycle for s in assess([one, two], policy)} == {Lifecycle.ACTIVE}


@LAW
@given(a_testimony(), ONE_VALUED)
def test_a_bound_by_itself_keeps_what_was_stated(testimony: Said, policy: PredicatePolicy) -> None:
    extent = own_extent(testimony, policy)
    assert testimony.valid_from.value in (None, extent.start)
    assert testimony.valid_to.value in (None, extent.end)
    assert extent.start < extent.end


def test_two_hundred_unrelated_facts_on_one_entity_invalidate_none() -> None:
    subject, key = EntityId(UUID(int=1)), bytes(32)
    names = [f"HAS_PROPERTY_{n}" for n in range(200)]
    vocabulary = Vocabulary.of(tuple(PredicatePolicy(n, Cardinality.ONE) for n in names[:100]))
    placed = [place(subject, name, HANOI if n % 2 else PARIS, {}, vocabulary, key) for n, name in enumerate(names)]
    assert len({p.slot_key for p in placed}) == 200
    for placement in placed:
        said_so = said(placement.object, 2010)
        assert outline(assess([said_so], placement.policy))[0][1:] == (2010, None, "active")


def test_testimonies_are_not_touched() -> None:
    slot = [said(HANOI, 2010), said(PARIS, 2012)]
    copies = [replace(t) for t in slot]
    assess(slot, BY_START)
    assert slot == copies


@pytest.mark.parametrize("policy", [MANY, BY_START, BY_OBSERVATION, NEVER])
def test_an_empty_slot_has_no_segments(policy: PredicatePolicy) -> None:
    assert assess([], policy) == ()


def test_an_unknown_bound_is_shared_and_says_nothing() -> None:
    assert UNKNOWN_BOUND.value is None
    assert said(HANOI).polarity is Polarity.SUPPORT
