"""Why a fact stands as it does, as a tool returns it."""

from __future__ import annotations

from datetime import datetime
from uuid import UUID

from pydantic import BaseModel, Field

from domain.knowledge.assertion import Polarity
from domain.retrieval.explanation import ExplainedAssertion, ExplainedMutation, ExplainedSegment
from domain.retrieval.grounds import GroundedExplanation, Grounds, IndependentSource
from domain.retrieval.promotion import PromotedFrom
from entrypoints.mcp.fact_results import Quote
from entrypoints.mcp.results import Retrieved, scope_kind

MAX_LISTED = 100


class Assertion(BaseModel):
    """One source saying, or denying, it."""

    assertion_id: UUID
    says: str = Field(description="'so' or 'not so'.")
    state: str = Field(description="Only 'live' counts; 'pending' waits for a person.")
    kind: str
    confidence: float
    weight: float = Field(description="What it counts for alone: confidence x kind x trust.")
    stated: str = Field(description="Subject, predicate and object as they were stated.")
    stated_from: datetime | None = None
    stated_to: datetime | None = None
    is_correction: bool
    quote: Quote
    stated_by: str = Field(description="human, agent or system: who brought it.")
    extractor: str


class Segment(BaseModel):
    """How it stood in a period, from a revision on."""

    valid_from: datetime | None = None
    valid_to: datetime | None = None
    lifecycle: str
    confidence: float
    support: float
    refute: float
    score: float
    reason: str
    tier: int
    verification: str
    from_revision: int
    to_revision: int | None = Field(default=None, description="Absent while it still stands so.")


class Mutation(BaseModel):
    """A write that touched it."""

    revision: int
    kind: str
    by: str
    at: datetime
    reason: str | None = None


class CountedVoice(BaseModel):
    """One assertion of an independent source."""

    assertion_id: UUID
    source: str
    weight: float
    counts: bool = Field(description="Only the weightiest of an independent source counts.")
    why: str | None = Field(
        default=None, description="By what it is the same as the others, e.g. 'near-duplicate of …, 0.93'."
    )


class Independent(BaseModel):
    """Assertions that count once together."""

    says: str = Field(description="'so' or 'not so'.")
    mass: float = Field(description="What it counts for: the weight of its best assertion.")
    source: str
    voices: list[CountedVoice]


class Grounded(BaseModel):
    """What it is grounded on at a moment."""

    as_of: datetime | None = Field(default=None, description="The asked moment; absent for now.")
    grounding: float = Field(description="-1 contradicted to +1 supported by many independent sources.")
    epistemic_status: str = Field(description="affirmative, contested, contradictory, insufficient_data or historical.")
    support: float
    refute: float
    source_diversity: float = Field(description="0 for one named source; towards 1 the more share in it evenly.")
    sources: list[Independent] = Field(description="The independent sources; copies are together in one.")


class Origin(BaseModel):
    """A fact of a narrower scope that it repeats."""

    fact_id: UUID
    scope: str
    state: str = Field(description="How the original stands there: stands, contested or gone.")
    proposed_by: str
    approved_by: str
    revision: int
    sentence: str | None = Field(default=None, description="For who reads the original's scope.")
    assertions: list[Assertion] = Field(description="Its evidence, for who reads the original's scope.")


class Explanation(Retrieved):
    """A fact with everyone who speaks for or against it, how it stood, and what changed it; oldest first."""

    fact_id: UUID
    merged_from: UUID | None = Field(
        default=None, description="The id that was asked for, when it was merged into this fact."
    )
    sentence: str | None = None
    predicate: str
    scope: str
    tainted: bool = Field(default=False, description="Only agents and sources of tier 4 say so: nobody confirmed it.")
    grounds: Grounded
    assertions: list[Assertion]
    segments: list[Segment]
    mutations: list[Mutation]
    promoted_from: list[Origin] | None = Field(default=None, description="Facts of narrower scopes that it repeats.")
    truncated: bool = Field(
        default=False, description=f"Whether a list is longer than {MAX_LISTED}; the newest are shown."
    )


def explanation(found: GroundedExplanation, known_at: int | None) -> Explanation:
    """An explanation for the wire."""
    lists = (found.assertions, found.segments, found.mutations, found.grounds.sources)
    return Explanation(
        fact_id=found.fact_id,
        merged_from=found.asked_id if found.asked_id != found.fact_id else None,
        sentence=found.sentence,
        predicate=found.predicate,
        scope=scope_kind(found.group_id),
        tainted=found.tainted,
        grounds=_grounds(found.grounds),
        assertions=[_assertion(each) for each in found.assertions[-MAX_LISTED:]],
        segments=[_segment(each) for each in found.segments[-MAX_LISTED:]],
        mutations=[_mutation(each) for each in found.mutations[-MAX_LISTED:]],
        promoted_from=[_origin(each) for each in found.promoted_from] or None,
        truncated=any(len(each) > MAX_LISTED for each in lists),
        known_at=known_at,
    )


def _origin(found: PromotedFrom) -> Origin:
    promotion = found.promotion
    return Origin(
        fact_id=promotion.fact_id,
        scope=promotion.origin.value,
        state=found.state.value,
        proposed_by=promotion.proposed_by_name,
        approved_by=promotion.approved_by_name,
        revision=promotion.revision,
        sentence=found.sentence,
        assertions=[_assertion(each) for each in found.assertions[-MAX_LISTED:]],
    )


def _grounds(found: Grounds) -> Grounded:
    return Grounded(
        as_of=found.as_of,
        grounding=round(found.grounding.value, 4),
        epistemic_status=found.grounding.status.value,
        support=round(found.support_mass, 4),
        refute=round(found.refute_mass, 4),
        source_diversity=round(found.source_diversity, 4),
        sources=[_independent(each) for each in found.sources[:MAX_LISTED]],
    )


def _independent(found: IndependentSource) -> Independent:
    return Independent(
        says="so" if found.polarity is Polarity.SUPPORT else "not so",
        mass=round(found.mass, 4),
        source=found.source_name,
        voices=[
            CountedVoice(
                assertion_id=v.assertion_id, source=v.source_name, weight=round(v.weight, 4), counts=v.counts, why=v.why
            )
            for v in found.voices[:MAX_LISTED]
        ],
    )


def _assertion(found: ExplainedAssertion) -> Assertion:
    literal = (found.object_literal or {}).get("value")
    return Assertion(
        assertion_id=found.assertion_id,
        says="so" if found.polarity is Polarity.SUPPORT else "not so",
        state=found.state.value,
        kind=found.kind.value,
        confidence=found.confidence,
        weight=round(found.weight, 4),
        stated=f"{found.subject} | {found.predicate} | {found.object or literal or ''}",
        stated_from=found.valid_from.value,
        stated_to=found.valid_to.value,
        is_correction=found.corrects_revision is not None,
        quote=Quote(
            source=found.source_name,
            tier=found.tier,
            text=found.excerpt,
            asserter=found.asserter,
            title=found.title,
            uri=found.uri,
            document_id=found.document_id,
            version_id=found.version_id,
            start=found.start,
            end=found.end,
            pointer=found.pointer,
            published_at=found.published_at,
            observed_at=found.observed_at,
        ),
        stated_by=found.principal_kind,
        extractor=found.extractor,
    )


def _segment(found: ExplainedSegment) -> Segment:
    return Segment(
        valid_from=found.valid_from,
        valid_to=found.valid_to,
        lifecycle=found.lifecycle.value,
        confidence=round(found.confidence, 4),
        support=round(found.support_mass, 4),
        refute=round(found.refute_mass, 4),
        score=round(found.score, 4),
        reason=found.reason,
        tier=found.tier,
        verification=found.verification.value,
        from_revision=found.from_revision,
        to_revision=found.to_revision,
    )


def _mutation(found: ExplainedMutation) -> Mutation:
    return Mutation(
        revision=found.revision,
        kind=found.kind,
        by=found.principal_name or found.principal_kind,
        at=found.committed_at,
        reason=found.reason,
    )
