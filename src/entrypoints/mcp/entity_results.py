"""Profiles, neighbourhoods, paths and vocabularies as tools return them."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime
from uuid import UUID

from pydantic import BaseModel, Field

from application.retrieval.traversal import Connection, Surroundings
from domain.ports.search_index import FoundEntity
from domain.retrieval.profile import EntityProfile, LinkedDocument, ProfiledEntity
from entrypoints.mcp.fact_results import Entity, Fact, entity, fact
from entrypoints.mcp.results import Retrieved, scope_kind


class KnownEntity(BaseModel):
    """One of the entities that are the same thing."""

    id: UUID
    name: str
    kind: str | None = None
    standing: str = Field(description="curated or mentioned.")
    scope: str


class PredicateTotal(BaseModel):
    """How many facts it has under a predicate."""

    predicate: str
    as_subject: int
    as_object: int


class NamingDocument(BaseModel):
    """A document that names it."""

    document_id: UUID
    title: str | None = None
    uri: str | None = None
    published_at: datetime | None = None


class Suggestion(BaseModel):
    """An entity with a name like the one asked for."""

    entity: Entity
    matched: str
    likeness: float


class ProfileAnswer(Retrieved):
    """Everything known about one thing; `entities` is empty when nothing is."""

    entities: list[KnownEntity]
    aliases: list[str]
    neighbourhood_diversity: float = Field(
        description="How broadly it is connected: 0 for one sort of neighbour, towards 1 for many predicates and kinds."
    )
    totals: list[PredicateTotal] = Field(description="All its facts by predicate, also those beyond the limit.")
    facts: list[Fact] = Field(description="Corrections first.")
    documents: list[NamingDocument]
    did_you_mean: list[Suggestion] = Field(default_factory=list)


class NeighbourFact(BaseModel):
    """A fact and how far away it is, from 1."""

    hop: int
    fact: Fact


class NeighboursAnswer(Retrieved):
    """Facts around a thing, nearest first."""

    facts: list[NeighbourFact]
    truncated: bool = Field(description="Whether there is more than the limit.")
    engine: str = Field(description="What walked.")
    notes: list[str] = Field(default_factory=list)


class PathAnswer(Retrieved):
    """The shortest chain of facts between two things."""

    connected: bool
    facts: list[Fact] = Field(description="In order; empty when not connected, or when the two are the same thing.")
    engine: str
    notes: list[str] = Field(default_factory=list)


class PredicateUse(BaseModel):
    """A predicate and how many facts in force it has."""

    predicate: str
    facts: int
    examples: list[str] = Field(default_factory=list, description="Some of them, as sentences.")
    reviewed: bool = Field(description="False for one that nobody gave a policy yet.")


class PredicatesAnswer(BaseModel):
    """Predicates, the most used first."""

    predicates: list[PredicateUse]
    truncated: bool = False
    known_at: int | None = None


def profile(found: EntityProfile, suggestions: Sequence[FoundEntity], known_at: int | None) -> ProfileAnswer:
    """A profile for the wire."""
    summary = found.summary
    return ProfileAnswer(
        entities=[_known(each) for each in summary.entities],
        aliases=list(summary.aliases),
        neighbourhood_diversity=round(summary.neighbourhood_diversity, 4),
        totals=[
            PredicateTotal(predicate=total.predicate, as_subject=total.as_subject, as_object=total.as_object)
            for total in summary.totals
        ],
        facts=[fact(each) for each in found.facts],
        documents=[_document(each) for each in summary.documents],
        did_you_mean=[
            Suggestion(entity=entity(each.entity), matched=each.matched, likeness=round(each.likeness, 3))
            for each in suggestions
        ],
        known_at=known_at,
    )


def neighbours(found: Surroundings, known_at: int | None) -> NeighboursAnswer:
    """A neighbourhood for the wire."""
    return NeighboursAnswer(
        facts=[NeighbourFact(hop=each.hop, fact=fact(each.fact)) for each in found.facts],
        truncated=found.truncated,
        engine=found.engine,
        notes=list(found.notes),
        known_at=known_at,
    )


def path(found: Connection, known_at: int | None) -> PathAnswer:
    """A path for the wire."""
    return PathAnswer(
        connected=found.facts is not None,
        facts=[fact(each) for each in found.facts or ()],
        engine=found.engine,
        notes=list(found.notes),
        known_at=known_at,
    )


def _known(found: ProfiledEntity) -> KnownEntity:
    return KnownEntity(
        id=found.entity_id,
        name=found.name,
        kind=found.kind,
        standing=found.standing,
        scope=scope_kind(found.group_id),
    )


def _document(found: LinkedDocument) -> NamingDocument:
    return NamingDocument(
        document_id=found.document_id, title=found.title, uri=found.uri, published_at=found.published_at
    )
