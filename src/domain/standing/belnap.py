"""Belnap's four values: what the live assertions of a fact say, before anything is weighed."""

from __future__ import annotations

from collections.abc import Iterable
from enum import IntFlag

from domain.knowledge.assertion import Polarity


class Truth(IntFlag):
    """Two bits. ``NEITHER`` is unknown, ``BOTH`` is contested; neither one is false."""

    NEITHER = 0
    TRUE = 1
    FALSE = 2
    BOTH = 3


_OF = {Polarity.SUPPORT: Truth.TRUE, Polarity.REFUTE: Truth.FALSE}


def merge(a: Truth, b: Truth) -> Truth:
    """What two sources say together: or, by bits. Commutative, associative, idempotent; information never falls."""
    return a | b


def truth_of(polarities: Iterable[Polarity]) -> Truth:
    """The merge of what each source says."""
    truth = Truth.NEITHER
    for polarity in polarities:
        truth = merge(truth, _OF[polarity])
    return truth


def informs(more: Truth, less: Truth) -> bool:
    """Whether ``more`` says at least what ``less`` says, in the order of information."""
    return more & less == less
