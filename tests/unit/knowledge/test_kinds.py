"""Kinds that a policy names hold back what is stated of others; what nobody stated fits."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest

from domain.knowledge.assertion import Claim, Mention
from domain.knowledge.kinds import kinds_fit
from domain.knowledge.objects import DateValue, TextValue
from domain.knowledge.predicate import PredicatePolicy, Vocabulary
from domain.knowledge.time import Precision

VOCABULARY = Vocabulary.of(
    (
        PredicatePolicy("MENTORS", subject_kinds=frozenset({"Person"}), object_kinds=frozenset({"person", "text"})),
        PredicatePolicy("MENTORED_BY", inverse_of="MENTORS"),
    )
)


@pytest.mark.parametrize(
    ("subject", "predicate", "target", "fits"),
    [
        (Mention("Ann", "person"), "mentors", Mention("Bob", "PERSON"), True),
        (Mention("Ann"), "mentors", Mention("Bob"), True),
        (Mention("Rex", "dog"), "mentors", Mention("Bob"), False),
        (Mention("Ann"), "mentors", Mention("Rex", "dog"), False),
        (Mention("Ann"), "mentors", TextValue("somebody"), True),
        (Mention("Bob"), "mentored by", Mention("Rex", "dog"), False),
        (Mention("Rex", "dog"), "owned by", Mention("Ann", "tree"), True),
        (Mention("Ann", "individual"), "mentors", Mention("Bob", "human"), True),
    ],
)
def test_kinds_are_asked_in_the_direction_of_the_policy(
    subject: Mention, predicate: str, target: Mention | TextValue, fits: bool
) -> None:
    assert kinds_fit(Claim(subject, predicate, target, 1.0), VOCABULARY) is fits


def test_a_date_is_asked_of_the_predicate_for_when() -> None:
    """ "Founded" says that a person founded something; a date under it is no such thing and is not held back."""
    who = PredicatePolicy("FOUNDED", subject_kinds=frozenset({"person"}), object_kinds=frozenset({"organization"}))
    vocabulary = Vocabulary.of((who, PredicatePolicy("FOUNDED_ON")))
    year = DateValue(datetime(1999, 1, 1, tzinfo=UTC), Precision.YEAR)
    assert kinds_fit(Claim(Mention("Acme", "organization"), "founded", year, 1.0), vocabulary)
    assert not kinds_fit(Claim(Mention("Acme", "organization"), "founded", Mention("Beta"), 1.0), vocabulary)
