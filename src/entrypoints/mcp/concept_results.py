"""Concepts as tools return them."""

from __future__ import annotations

from uuid import UUID

from pydantic import BaseModel, Field

from domain.retrieval.closeness import Match
from domain.retrieval.concepts import Concept, ConceptDetails, FoundConcepts
from domain.retrieval.reading import ReadPoint
from entrypoints.mcp.fact_results import Entity, Fact, Quote, entity, fact, quote
from entrypoints.mcp.results import Retrieved, scope_kind
from entrypoints.mcp.sign_in import voided_by

MAX_QUOTES = 20


class ConceptResult(BaseModel):
    """A claim, definition, event or principle that sources put forward, with how well it is grounded."""

    id: UUID
    label: str
    kind: str | None = Field(
        default=None, description="claim, definition, event or principle; absent when only a relation names it."
    )
    terms: list[str] = Field(description="Words by which it is also found.")
    sources: int = Field(description="How many independent sources put it forward.")
    support: float = Field(description="Weight of the independent sources for it.")
    refute: float = Field(description="Weight of the independent sources that say what contradicts it.")
    grounding: float = Field(description="-1 (contradicted) to +1 (supported by many independent sources).")
    epistemic_status: str = Field(
        description="affirmative, contested, contradictory, insufficient_data or historical. Show both sides of what "
        "is contested."
    )
    supported_by: list[Entity] = []
    contradicted_by: list[Entity] = Field(default_factory=list, description="Concepts that cannot hold beside it.")
    quotes: list[Quote] = Field(description="The words of the sources that put it forward, the weightiest first.")
    scope: str


class FoundConceptResult(BaseModel):
    """A concept that answers, with its rank score."""

    score: float
    concept: ConceptResult


class ConceptsAnswer(Retrieved):
    """Concepts, best first, each with its best quote."""

    concepts: list[FoundConceptResult]
    match: Match = Field(description="`close`; `weak`: perhaps near in meaning; `none`: nothing was found.")
    notes: list[str] = Field(default_factory=list, description="What could not be used for this answer, and why.")


class ConceptRelationResult(BaseModel):
    """A relation as it reads from the concept, with the fact that says so."""

    relation: str = Field(description="Such as SUPPORTS, SUPPORTED_BY, CONTRADICTS or IMPLIES.")
    other: Entity
    fact: Fact


class ConceptAnswer(Retrieved):
    """One concept with its quotes and its relations in both directions."""

    concept: ConceptResult
    relations: list[ConceptRelationResult]
    truncated: bool = Field(description="Whether there are more relations.")


def concepts_answer(found: FoundConcepts, point: ReadPoint) -> ConceptsAnswer:
    """For the wire."""
    return ConceptsAnswer(
        concepts=[
            FoundConceptResult(score=round(each.score, 6), concept=_concept(each.concept, 1)) for each in found.concepts
        ],
        match=found.match,
        notes=list(found.notes),
        known_at=point.known_at,
        voided_by=voided_by(point),
    )


def concept_answer(details: ConceptDetails, point: ReadPoint) -> ConceptAnswer:
    """For the wire."""
    return ConceptAnswer(
        concept=_concept(details.concept, MAX_QUOTES),
        relations=[
            ConceptRelationResult(relation=link.relation, other=entity(link.other), fact=fact(link.fact))
            for link in details.links
        ],
        truncated=details.truncated,
        known_at=point.known_at,
        voided_by=voided_by(point),
    )


def _concept(found: Concept, quotes: int) -> ConceptResult:
    return ConceptResult(
        id=found.id,
        label=found.label,
        kind=found.kind.value if found.kind else None,
        terms=list(found.terms),
        sources=found.sources,
        support=round(found.support_mass, 6),
        refute=round(found.refute_mass, 6),
        grounding=round(found.grounding.value, 6),
        epistemic_status=found.grounding.status.value,
        supported_by=[entity(other) for other in found.supported_by],
        contradicted_by=[entity(other) for other in found.contradicted_by],
        quotes=[quote(citation, around=False) for citation in found.quotes[:quotes]],
        scope=scope_kind(found.group_id),
    )
