"""Kinds that a policy names hold back what is stated of others; what nobody stated fits."""

from __future__ import annotations

import pytest

from domain.knowledge.assertion import Claim, Mention
from domain.knowledge.kinds import kinds_fit
from domain.knowledge.objects import TextValue
from domain.knowledge.predicate import PredicatePolicy, Vocabulary

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
    ],
)
def test_kinds_are_asked_in_the_direction_of_the_policy(
    subject: Mention, predicate: str, target: Mention | TextValue, fits: bool
) -> None:
    assert kinds_fit(Claim(subject, predicate, target, 1.0), VOCABULARY) is fits
