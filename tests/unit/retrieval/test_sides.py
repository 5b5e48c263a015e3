"""Sides of one disputed slot that answer alike come by their standing; nothing else moves."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, datetime
from uuid import UUID

from domain.identity.ids import EntityId
from domain.retrieval.facts import Named, StandingFact
from domain.retrieval.question import Asked, Question, Side, Span
from domain.retrieval.question_words import Wanted
from domain.retrieval.sides import in_order_of_standing
from domain.standing.testimony import Lifecycle
from tests.unit.retrieval.test_packing import against, fact

ACME = EntityId(UUID(int=1))
WHERE = Question(
    Wanted.PLACE, (Span(2, 3, frozenset({ACME})),), (Asked("SEAT", (Side.SUBJECT,), 1.0), Asked("OWNS", (None,), 0.1))
)
NOTHING_READ = Question(Wanted.ANYTHING, (), ())


def seat(number: int, city: str, score: float, **changed: object) -> StandingFact:
    place = Named(EntityId(UUID(int=100 + number)), city, "place")
    return fact(
        number, f"Acme is seated in {city}", predicate="SEAT", object=place, lifecycle=Lifecycle.DISPUTED, score=score,
        **changed,
    )  # fmt: skip


def disputing(*facts: StandingFact) -> list[StandingFact]:
    return [replace(each, rivals=tuple(against(other) for other in facts if other is not each)) for each in facts]


def told(facts: list[StandingFact], query: str, question: Question = WHERE) -> list[str]:
    return [str(facts[at].sentence).split()[-1] for at in in_order_of_standing(facts, query, question)]


def test_the_better_graded_side_comes_first_over_the_places_that_the_sides_have() -> None:
    low, high = disputing(seat(1, "Lyon", 0.4), seat(2, "Hull", 0.6))
    between = fact(9, "Acme owns Umbra", score=0.9)
    assert told([low, between, high], "where is Acme seated") == ["Hull", "Umbra", "Lyon"]
    assert told([low, between, high], "Acme", NOTHING_READ) == ["Hull", "Umbra", "Lyon"]


def test_a_corrected_side_comes_before_a_higher_score() -> None:
    sides = disputing(seat(1, "Lyon", 0.9), seat(2, "Hull", 0.6), seat(3, "Bonn", 0.2, corrected=True))
    assert told(sides, "where is Acme seated") == ["Bonn", "Lyon", "Hull"]


def test_a_place_of_unknown_kind_answers_as_well() -> None:
    low, high = disputing(seat(1, "Lyon", 0.4), seat(2, "Hull", 0.6))
    assert isinstance(high.object, Named)
    assert told([low, replace(high, object=replace(high.object, kind=None))], "where is Acme seated")[0] == "Hull"
    assert told([low, replace(high, object=replace(high.object, kind="song"))], "where is Acme seated")[0] == "Lyon"


def test_the_side_that_the_question_names_stays_before_a_better_graded_one() -> None:
    low, high = disputing(seat(1, "Lyon", 0.4), seat(2, "Hull", 0.6))
    assert told([low, high], "is Acme seated in Lyon", NOTHING_READ) == ["Lyon", "Hull"]
    named = replace(WHERE, spans=(*WHERE.spans, Span(5, 6, frozenset({EntityId(UUID(int=101))}))))
    named = replace(named, asked=(Asked("SEAT", (Side.SUBJECT, Side.OBJECT), 1.0),))
    assert told([low, high], "is Acme seated in the city of two rivers", named) == ["Lyon", "Hull"]


def test_what_does_not_dispute_one_slot_at_one_time_keeps_its_place() -> None:
    plain = [seat(1, "Lyon", 0.4), seat(2, "Hull", 0.6)]
    assert told(plain, "where is Acme seated") == ["Lyon", "Hull"]
    low, high = disputing(*plain)
    elsewhere = replace(low, rivals=(replace(low.rivals[0], differs_by_scope=True),))
    assert told([elsewhere, replace(high, rivals=())], "where is Acme seated") == ["Lyon", "Hull"]
    turn = datetime(2020, 1, 1, tzinfo=UTC)
    assert told([replace(low, valid_from=turn), replace(high, valid_to=turn)], "where is Acme seated")[0] == "Lyon"
