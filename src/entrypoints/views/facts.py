"""Facts and why they stand."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime
from typing import Any
from uuid import UUID

import msgspec

from domain.identity.scope_name import ScopeKind, kind_of
from domain.knowledge.assertion import ClaimKind
from domain.knowledge.object_wire import to_wire
from domain.knowledge.objects import Literal
from domain.retrieval.explanation import ExplainedAssertion, ExplainedMutation, ExplainedSegment
from domain.retrieval.facts import Citation, Named, Rival, StandingFact
from domain.retrieval.grounds import GroundedExplanation, Grounds, IndependentSource
from domain.retrieval.promotion import OriginState, PromotedFrom
from domain.standing.grounding import EpistemicStatus
from domain.standing.testimony import Lifecycle, Verification


class RivalView(msgspec.Struct):
    """Another fact in the same slot, or what another scope says (``differs_by_scope``), with its best source."""

    fact_id: UUID
    standing_id: UUID
    scope: ScopeKind
    sentence: str | None
    lifecycle: Lifecycle
    confidence: float
    support_mass: float
    refute_mass: float
    tier: int
    valid_from: datetime | None
    valid_to: datetime | None
    differs_by_scope: bool
    source_name: str | None
    excerpt: str | None


class FactView(msgspec.Struct):
    """One segment of a fact, graded, dated and cited.

    Valid time is half-open; null is unbounded. A segment ends where the grade changes; ``holds_from`` and ``holds_to``
    are the whole stretch around it in which the fact stands like this without a gap. ``grounding`` is −1 (contradicted)
    to +1 (supported by many independent sources), ``epistemic_status`` how far it can be relied on at the asked time:
    docs/grounding.md has the rules. It is ``tainted`` while only agents and sources of tier 4 speak for it; ``flags``
    say what its words are suspected of, such as being an instruction to a model: docs/untrusted-input.md. ``scope`` is
    the kind of the scope that holds it: of each kind the caller reads at most one. ``object`` has a ``type``: entity,
    with id, name and kind, or that of a literal. ``revision`` is when it came to stand like this. ``denial`` is the
    best word against a fact that is said and denied.
    """

    id: UUID
    standing_id: UUID
    scope: ScopeKind
    sentence: str | None
    subject: Named
    predicate: str
    object: dict[str, Any] | None
    qualifiers: dict[str, str]
    valid_from: datetime | None
    valid_to: datetime | None
    holds_from: datetime | None
    holds_to: datetime | None
    lifecycle: Lifecycle
    grounding: float
    epistemic_status: EpistemicStatus
    support: bool
    refute: bool
    confidence: float
    support_mass: float
    refute_mass: float
    score: float
    reason: str
    tier: int
    verification: Verification
    kind: ClaimKind
    corrected: bool
    observed_at: datetime
    revision: int
    citation: Citation | None
    denial: Citation | None
    helpful: int
    unhelpful: int
    differs_by_scope: bool
    rivals: list[RivalView]
    tainted: bool
    flags: list[str]

    @classmethod
    def of(cls, f: StandingFact) -> FactView:
        """As it is shown."""
        return cls(
            f.fact_id, f.standing_id, kind_of(f.group_id), f.sentence, f.subject, f.predicate, _object(f.object),
            dict(f.qualifiers), f.valid_from, f.valid_to, f.holds_from, f.holds_to, f.lifecycle,
            f.grounding.value, f.grounding.status, f.support, f.refute, f.confidence, f.support_mass, f.refute_mass,
            f.score, f.reason, f.tier, f.verification, f.kind, f.corrected, f.observed_at, f.from_revision, f.citation,
            f.denial, f.helpful, f.unhelpful, f.differs_by_scope, [rival_view(r) for r in f.rivals],
            f.tainted, list(f.flags),
        )  # fmt: skip


def _object(target: Named | Literal | None) -> dict[str, Any] | None:
    if isinstance(target, Named):
        return {"type": "entity", "id": target.id, "name": target.name, "kind": target.kind}
    return None if target is None else dict(to_wire(target))


def rival_view(r: Rival) -> RivalView:
    """A rival as it is shown."""
    return RivalView(
        r.fact_id, r.standing_id, kind_of(r.group_id), r.sentence, r.lifecycle, r.confidence, r.support_mass,
        r.refute_mass, r.tier, r.valid_from, r.valid_to, r.differs_by_scope, r.source_name, r.excerpt,
    )  # fmt: skip


def fact_views(facts: Sequence[StandingFact]) -> list[FactView]:
    """Facts as they are shown."""
    return [FactView.of(fact) for fact in facts]


class GroundsView(msgspec.Struct):
    """What a fact is grounded on at a moment; ``as_of`` null is now.

    The masses are those of its segment then. ``source_diversity`` is 1 − Σ p² over the named sources' shares of what
    supports it. ``sources`` are the independent ones of all its live assertions; of each only the weightiest voice
    counts, and ``why`` says by what the others are the same.
    """

    as_of: datetime | None
    grounding: float
    epistemic_status: EpistemicStatus
    support_mass: float
    refute_mass: float
    source_diversity: float
    sources: list[IndependentSource]

    @classmethod
    def of(cls, g: Grounds) -> GroundsView:
        """As they are shown."""
        return cls(
            g.as_of, g.grounding.value, g.grounding.status, g.support_mass, g.refute_mass, g.source_diversity,
            list(g.sources),
        )  # fmt: skip


class PromotedFromView(msgspec.Struct):
    """A fact of a narrower scope that this one repeats, by one of its assertions: who proposed it, and who approved it.

    ``state`` is how the original stands there: stands, contested or gone. ``sentence`` and ``assertions``, with their
    excerpts, are for who reads the original's scope; to others they are null and empty.
    """

    fact_id: UUID
    scope: ScopeKind
    state: OriginState
    assertion_id: UUID
    proposal_id: UUID
    proposed_by: UUID
    proposed_by_name: str
    approved_by: UUID
    approved_by_name: str
    revision: int
    sentence: str | None
    assertions: list[ExplainedAssertion]

    @classmethod
    def of(cls, found: PromotedFrom) -> PromotedFromView:
        """As it is shown."""
        p = found.promotion
        return cls(
            p.fact_id, p.origin, found.state, p.assertion_id, p.proposal_id, p.proposed_by, p.proposed_by_name,
            p.approved_by, p.approved_by_name, p.revision, found.sentence, list(found.assertions),
        )  # fmt: skip


class Explanation(msgspec.Struct):
    """Why a fact stands as it does. ``asked_id`` differs from ``id`` when it was merged into this one.

    ``grounds`` are its independent sources and what they add up to at the asked time. It is ``tainted`` while only
    agents and sources of tier 4 speak for it.
    """

    asked_id: UUID
    id: UUID
    scope: ScopeKind
    sentence: str | None
    predicate: str
    grounds: GroundsView
    segments: list[ExplainedSegment]
    assertions: list[ExplainedAssertion]
    mutations: list[ExplainedMutation]
    promoted_from: list[PromotedFromView]
    tainted: bool

    @classmethod
    def of(cls, e: GroundedExplanation) -> Explanation:
        """As it is shown."""
        return cls(
            e.asked_id, e.fact_id, kind_of(e.group_id), e.sentence, e.predicate, GroundsView.of(e.grounds),
            list(e.segments), list(e.assertions), list(e.mutations),
            [PromotedFromView.of(each) for each in e.promoted_from], e.tainted,
        )  # fmt: skip
