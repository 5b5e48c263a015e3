"""What scopes say against each other: each keeps its own reading of time."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, datetime
from uuid import UUID

from domain.identity.ids import AssertionId, FactId
from domain.knowledge.assertion import AssertionState, ClaimKind, Polarity
from domain.knowledge.objects import EntityRef
from domain.knowledge.predicate import Cardinality, PredicatePolicy
from domain.knowledge.time import UNKNOWN_BOUND, TimeBound
from domain.standing import testimony as spoken
from domain.standing.across import contradictions_across
from domain.standing.contradiction import ContradictionKind

ONE = PredicatePolicy("HAS_CEO", Cardinality.ONE)
MANY = PredicatePolicy("USES")


def year(number: int) -> datetime:
    return datetime(number, 1, 1, tzinfo=UTC)


def said(number: int, fact: int, observed: int, since: int | None = None) -> spoken.Testimony:
    return spoken.Testimony(
        AssertionId(UUID(int=number)), FactId(UUID(int=fact)), EntityRef(UUID(int=fact)), AssertionState.LIVE,  # type: ignore[arg-type]
        Polarity.SUPPORT, ClaimKind.FACT, 1.0, TimeBound.stated(year(since)) if since else UNKNOWN_BOUND, UNKNOWN_BOUND,
        year(observed), None, 2, None, str(number),
    )  # fmt: skip


def test_a_newer_value_of_one_scope_does_not_end_that_of_another() -> None:
    (found,) = contradictions_across([[said(1, 10, 2020)], [said(2, 11, 2022)]], ONE)
    assert (found.kind, found.valid_from, found.valid_to) == (ContradictionKind.RIVALS, year(2022), None)
    assert {int(stance.fact_id) for stance in found.stances} == {10, 11}


def test_succession_inside_a_scope_holds_and_what_it_ended_meets_nothing_later() -> None:
    old_and_new = [said(1, 10, 2020, 2000), said(2, 11, 2020, 2010)]
    assert contradictions_across([old_and_new, [said(3, 11, 2020, 2010)]], ONE) == []
    (found,) = contradictions_across([old_and_new, [said(3, 12, 2020, 2005)]], ONE)[:1]
    assert (found.valid_from, found.valid_to) == (year(2005), year(2010))
    assert {int(stance.fact_id) for stance in found.stances} == {10, 12}


def test_what_one_scope_disputes_alone_and_several_values_are_no_contradiction_of_scopes() -> None:
    rivals = [said(1, 10, 2020, 2000), said(2, 11, 2020, 2000)]
    assert contradictions_across([rivals], ONE) == []
    assert contradictions_across([[said(1, 10, 2020)], [said(2, 11, 2020)]], MANY) == []


def test_one_fact_said_here_and_denied_there() -> None:
    denied = replace(said(2, 10, 2020, 2000), polarity=Polarity.REFUTE)
    (found,) = contradictions_across([[said(1, 10, 2020, 2000)], [denied]], MANY)
    assert found.kind is ContradictionKind.DENIAL
