from __future__ import annotations

from hypothesis import given, settings
from hypothesis import strategies as st

from domain.knowledge.assertion import Polarity
from domain.standing.belnap import Truth, informs, merge, truth_of

LAW = settings(deadline=None, max_examples=64)
TRUTHS = st.sampled_from([Truth.NEITHER, Truth.TRUE, Truth.FALSE, Truth.BOTH])


@LAW
@given(TRUTHS, TRUTHS, TRUTHS)
def test_merge_is_commutative_associative_and_idempotent(a: Truth, b: Truth, c: Truth) -> None:
    assert merge(a, b) == merge(b, a)
    assert merge(a, merge(b, c)) == merge(merge(a, b), c)
    assert merge(a, a) == a
    assert merge(a, Truth.NEITHER) == a


@LAW
@given(TRUTHS, TRUTHS, TRUTHS)
def test_merge_is_monotone_in_information(a: Truth, b: Truth, c: Truth) -> None:
    assert informs(merge(a, b), a)
    if informs(a, b):
        assert informs(merge(a, c), merge(b, c))


def test_unknown_and_contested_are_told_apart() -> None:
    assert truth_of([]) is Truth.NEITHER
    assert truth_of([Polarity.SUPPORT, Polarity.SUPPORT]) is Truth.TRUE
    assert truth_of([Polarity.REFUTE]) is Truth.FALSE
    assert truth_of([Polarity.REFUTE, Polarity.SUPPORT]) is Truth.BOTH
    assert not informs(Truth.TRUE, Truth.FALSE)
