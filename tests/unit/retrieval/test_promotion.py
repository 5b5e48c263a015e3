"""What a fact lacks to be verified knowledge, and how an original stands."""

from __future__ import annotations

from types import SimpleNamespace
from typing import cast

import pytest

from domain.knowledge.assertion import AssertionState, Polarity
from domain.retrieval.explanation import ExplainedAssertion, ExplainedSegment
from domain.retrieval.promotion import OriginState, missing_for_promotion, origin_state
from domain.standing.testimony import Lifecycle, Verification

NOT_CONFIRMED = "no person confirmed it"


def segment(
    lifecycle: Lifecycle = Lifecycle.ACTIVE,
    verification: Verification = Verification.AUTO,
    *,
    refute: bool = False,
    to_revision: int | None = None,
) -> ExplainedSegment:
    told = SimpleNamespace(
        lifecycle=lifecycle, verification=verification, support=True, refute=refute, to_revision=to_revision
    )
    return cast(ExplainedSegment, told)


def said(
    tier: int,
    by: str = "human",
    state: AssertionState = AssertionState.LIVE,
    polarity: Polarity = Polarity.SUPPORT,
    to_revision: int | None = None,
) -> ExplainedAssertion:
    told = SimpleNamespace(tier=tier, principal_kind=by, state=state, polarity=polarity, to_revision=to_revision)
    return cast(ExplainedAssertion, told)


@pytest.mark.parametrize(
    ("segments", "assertions"),
    [
        ([segment()], [said(2)]),
        ([segment()], [said(4, "agent"), said(1, "system")]),
        ([segment(verification=Verification.HUMAN)], [said(4, "agent")]),
        ([segment(Lifecycle.DISPUTED, to_revision=7), segment()], [said(2)]),
        ([segment(Lifecycle.SUPERSEDED), segment()], [said(2)]),
    ],
)
def test_what_stands_confirmed_or_well_sourced_is_verified(
    segments: list[ExplainedSegment], assertions: list[ExplainedAssertion]
) -> None:
    assert missing_for_promotion(segments, assertions) == ()


@pytest.mark.parametrize(
    ("segments", "assertions", "begins"),
    [
        ([segment(Lifecycle.DISPUTED)], [said(1)], "it is contested"),
        ([segment(refute=True)], [said(1)], "it is contested"),
        ([segment(Lifecycle.PROPOSED, Verification.PENDING)], [said(1)], "it is only proposed"),
        ([segment(Lifecycle.RETRACTED)], [said(1)], "it does not stand"),
        ([segment(to_revision=9)], [said(1)], "it does not stand"),
        ([segment()], [said(3)], NOT_CONFIRMED),
        ([segment()], [said(2, "agent")], NOT_CONFIRMED),
        ([segment()], [said(1, state=AssertionState.WITHDRAWN), said(3)], NOT_CONFIRMED),
        ([segment()], [said(1, to_revision=5), said(3)], NOT_CONFIRMED),
        ([segment()], [said(1, polarity=Polarity.REFUTE), said(4)], NOT_CONFIRMED),
    ],
)
def test_what_is_missing_is_said(
    segments: list[ExplainedSegment], assertions: list[ExplainedAssertion], begins: str
) -> None:
    assert missing_for_promotion(segments, assertions)[0].startswith(begins)


def test_the_best_tier_that_there_is_is_named() -> None:
    assert missing_for_promotion([segment()], [said(4), said(3)])[1].endswith("supports it (the best has tier 3)")


@pytest.mark.parametrize(
    ("lifecycles", "state"),
    [
        ([Lifecycle.ACTIVE, Lifecycle.SUPERSEDED], OriginState.STANDS),
        ([Lifecycle.ACTIVE, Lifecycle.DISPUTED], OriginState.CONTESTED),
        ([Lifecycle.RETRACTED], OriginState.GONE),
        ([], OriginState.GONE),
    ],
)
def test_an_original_stands_is_contested_or_gone(lifecycles: list[Lifecycle], state: OriginState) -> None:
    assert origin_state(lifecycles) is state
