"""Contradictions as a tool returns them."""

from __future__ import annotations

from datetime import datetime
from uuid import UUID

from pydantic import BaseModel, Field

from application.retrieval.contradictions import ContradictionsPage
from domain.knowledge.assertion import Polarity
from domain.retrieval.contradictions import Factor, FoundContradiction, Side
from entrypoints.mcp.fact_results import Entity, Fact, Quote, entity, fact
from entrypoints.mcp.results import Retrieved, scope_kind

MAX_FACTORS = 20


class Weighed(BaseModel):
    """One assertion and what it weighs: confidence x kind_weight x authority."""

    weight: float
    confidence: float
    kind: str
    kind_weight: float
    authority: float = Field(description="The source's own trust, or that of its tier.")
    counts: bool = Field(description="False for a copy of a source that counts already.")
    is_correction: bool
    set: str | None = Field(default=None, description="first, second or both, or the scope, where sets are compared.")
    quote: Quote


class ContradictionSide(BaseModel):
    """One side, with how its score comes about: best_weight x bonus for the number of independent sources."""

    says: str = Field(description="'so' or 'not so'.")
    fact: Fact
    score: float
    best_weight: float
    bonus: float
    sources: int
    corrected: bool = Field(description="Whether a person's correction stands on this side.")
    weighed: list[Weighed] = Field(description=f"Its assertions, the weightiest first, at most {MAX_FACTORS}.")


class Contradiction(BaseModel):
    """Sides that cannot hold together over a period, the heaviest first. Show all of them."""

    id: UUID
    kind: str = Field(description="'rivals': facts that exclude each other; 'denial': one fact, said and denied.")
    subject: Entity
    predicate: str
    valid_from: datetime | None = None
    valid_to: datetime | None = None
    open: bool = Field(description="False when one side has won.")
    winner: UUID | None = None
    severity: float = Field(description="0 to 1; higher is more serious.")
    closeness: float = Field(description="The second side's weight over the best one's.")
    correction_doubted: bool
    independent_sources: int
    between_scopes: bool
    scope: str
    sides: list[ContradictionSide]


class Contradictions(Retrieved):
    """Contradictions, the most severe first."""

    contradictions: list[Contradiction]
    total: int = Field(description="How many slots and facts are contested in all.")
    next: str | None = Field(default=None, description="Pass it as `after` for more; absent on the last page.")


class ProposedCorrection(BaseModel):
    """A correction that waits for a person; nothing has changed yet."""

    proposal_id: UUID
    fact_id: UUID
    revision: int | None = Field(default=None, description="Absent when you had proposed the same already.")


class ProposedEntityEdit(BaseModel):
    """An edit of a thing that waits for a person; nothing has changed yet."""

    proposal_id: UUID
    entity_id: UUID
    revision: int | None = Field(default=None, description="Absent when you had proposed the same already.")


def contradictions_result(page: ContradictionsPage, following: str | None, known_at: int | None) -> Contradictions:
    """A page for the wire."""
    found = [_contradiction(each) for each in page.contradictions]
    return Contradictions(contradictions=found, total=page.total, next=following, known_at=known_at)


def _contradiction(found: FoundContradiction) -> Contradiction:
    severity = found.severity
    return Contradiction(
        id=found.id,
        kind=found.kind.value,
        subject=entity(found.subject),
        predicate=found.predicate,
        valid_from=found.valid_from,
        valid_to=found.valid_to,
        open=found.open,
        winner=found.winner,
        severity=severity.value,
        closeness=severity.closeness,
        correction_doubted=severity.corrected,
        independent_sources=severity.sources,
        between_scopes=found.between_scopes,
        scope=scope_kind(found.group_id),
        sides=[_side(side) for side in found.sides],
    )


def _side(side: Side) -> ContradictionSide:
    return ContradictionSide(
        says="so" if side.polarity is Polarity.SUPPORT else "not so",
        fact=fact(side.fact),
        score=round(side.score, 6),
        best_weight=round(side.best_weight, 6),
        bonus=side.bonus,
        sources=side.sources,
        corrected=side.corrected,
        weighed=[_weighed(factor) for factor in side.factors[:MAX_FACTORS]],
    )


def _weighed(factor: Factor) -> Weighed:
    said = factor.saying
    return Weighed(
        weight=round(factor.weight, 6),
        confidence=said.confidence,
        kind=said.kind.value,
        kind_weight=factor.kind_weight,
        authority=factor.authority,
        counts=factor.counts,
        is_correction=said.corrects_revision is not None,
        set=factor.set,
        quote=Quote(
            source=said.source_name,
            tier=said.tier,
            text=said.excerpt,
            asserter=said.asserter,
            title=said.title,
            uri=said.uri,
            document_id=said.document_id,
            version_id=said.version_id,
            start=said.start,
            end=said.end,
            pointer=said.pointer,
            published_at=said.published_at,
            observed_at=said.observed_at,
        ),
    )
