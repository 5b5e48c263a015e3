"""Which values a judge is asked about, and which verdicts can be."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, datetime
from uuid import UUID

from domain.identity.ids import FactId
from domain.knowledge.replacement import HeldTogether, HeldValue, replacement, unjudged, worth_judging


def value(number: int, quote: str | None = None, since: int | None = None, seen: int = 2024) -> HeldValue:
    start = datetime(since, 1, 1, tzinfo=UTC) if since else None
    return HeldValue(FactId(UUID(int=number)), f"V{number}", start, datetime(seen, 1, 1, tzinfo=UTC), None, quote)


def held(*values: HeldValue) -> HeldTogether:
    return HeldTogether("Brik", "uses", values)


def test_dates_or_wording_that_tell_of_a_change_are_worth_a_question() -> None:
    assert not worth_judging(held(value(1, "Brik uses Kafka."), value(2, "Brik uses Redis.")))
    assert worth_judging(held(value(1), value(2, "Brik moved from Kafka to Redis.")))
    assert worth_judging(held(value(1, since=2020), value(2, since=2023)))
    assert worth_judging(held(value(1, seen=2020), value(2, seen=2023)))
    assert not worth_judging(held(*(value(n, since=2000 + n) for n in range(7)))), "it plainly takes several"
    assert not worth_judging(held(value(1, "moved")))


def test_a_verdict_is_about_two_of_the_values_and_the_newer_one_is_not_older() -> None:
    question = held(value(1, since=2020), value(2, since=2023))
    one, two, stranger = (FactId(UUID(int=n)) for n in (1, 2, 3))
    assert replacement(question, one, two) == (question.values[0], question.values[1])
    assert replacement(question, one, stranger) == "it names a fact that it was not asked about"
    assert replacement(question, one, one) == "it names one fact twice"
    assert replacement(question, two, one) == "the value that would have ended begins later"
    undated = held(replace(value(1), valid_from=None), value(2, seen=2025))
    assert not isinstance(replacement(undated, one, two), str)


def test_what_was_judged_is_not_asked_again_while_other_pairs_are() -> None:
    one, two = FactId(UUID(int=1)), FactId(UUID(int=2))
    assert unjudged(held(value(1), value(2)), [])
    assert not unjudged(held(value(1), value(2)), [(two, one)])
    assert unjudged(held(value(1), value(2), value(3)), [(two, one)])
