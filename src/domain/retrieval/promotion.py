"""When a fact may be promoted to a wider scope, and where a promoted one comes from."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum

from domain.identity.ids import AssertionId, FactId, PrincipalId, ProposalId, Revision
from domain.identity.scope_name import ScopeKind
from domain.knowledge.assertion import AssertionState, Polarity
from domain.retrieval.explanation import ExplainedAssertion, ExplainedSegment
from domain.standing.testimony import Lifecycle, Verification

TRUSTED_TIER = 2
"""A source of this tier or a better one verifies what it says."""
_AGENT = "agent"


class OriginState(StrEnum):
    """How the fact that was promoted stands where it came from."""

    STANDS = "stands"
    CONTESTED = "contested"
    GONE = "gone"


@dataclass(frozen=True, slots=True)
class Promotion:
    """That an assertion of a wider scope repeats a fact of a narrower one, as it was seen at a revision there."""

    assertion_id: AssertionId
    fact_id: FactId
    origin: ScopeKind
    proposal_id: ProposalId
    saw: Revision
    proposed_by: PrincipalId
    proposed_by_name: str
    approved_by: PrincipalId
    approved_by_name: str
    revision: Revision


@dataclass(frozen=True, slots=True)
class PromotedFrom:
    """A promotion with its original. ``sentence`` and ``assertions`` are only for who reads the original's scope."""

    promotion: Promotion
    state: OriginState
    sentence: str | None
    assertions: tuple[ExplainedAssertion, ...]


def missing_for_promotion(
    segments: Sequence[ExplainedSegment], assertions: Sequence[ExplainedAssertion]
) -> tuple[str, ...]:
    """What a fact lacks to be verified knowledge, in words; nothing when it is.

    It is verified when it stands uncontested, and a person confirmed it, or a source of tier 2 or better that is no
    agent's supports it. Segments and assertions are those of an explanation; only what still is counts.
    """
    current = [s for s in segments if s.to_revision is None]
    if any(s.lifecycle is Lifecycle.DISPUTED or (s.support and s.refute) for s in current):
        return ("it is contested: decide the contradiction first",)
    standing = [s for s in current if s.lifecycle is Lifecycle.ACTIVE]
    if not standing:
        if any(s.lifecycle is Lifecycle.PROPOSED for s in current):
            return ("it is only proposed: a person has to approve it first",)
        return ("it does not stand: it was retracted, refuted or superseded",)
    if any(s.verification is Verification.HUMAN for s in standing):
        return ()
    supporting = [
        a
        for a in assertions
        if a.to_revision is None and a.state is AssertionState.LIVE and a.polarity is Polarity.SUPPORT
    ]
    if any(a.tier <= TRUSTED_TIER and a.principal_kind != _AGENT for a in supporting):
        return ()
    best = min((a.tier for a in supporting), default=4)
    return (
        "no person confirmed it",
        f"no source of tier {TRUSTED_TIER} or better, apart from agents, supports it (the best has tier {best})",
    )


def origin_state(lifecycles: Sequence[Lifecycle]) -> OriginState:
    """How an original with these current segments stands."""
    if Lifecycle.DISPUTED in lifecycles:
        return OriginState.CONTESTED
    return OriginState.STANDS if Lifecycle.ACTIVE in lifecycles else OriginState.GONE
