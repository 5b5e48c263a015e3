"""What is known about one entity, and which predicates are in use."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime

from domain.identity.ids import DocumentId, EntityId, GroupId
from domain.retrieval.facts import StandingFact


@dataclass(frozen=True, slots=True)
class ProfiledEntity:
    """One of the entities that are the same thing. ``standing`` is curated or mentioned."""

    entity_id: EntityId
    group_id: GroupId
    name: str
    kind: str | None
    standing: str


@dataclass(frozen=True, slots=True)
class PredicateTotal:
    """How many facts the entity has under a predicate, on either side."""

    predicate: str
    as_subject: int
    as_object: int


@dataclass(frozen=True, slots=True)
class LinkedDocument:
    """A document that names the entity."""

    document_id: DocumentId
    title: str | None
    uri: str | None
    published_at: datetime | None


@dataclass(frozen=True, slots=True)
class EntitySummary:
    """The entity without its facts. ``aliases`` are all its names, each once, as they were first written."""

    entities: tuple[ProfiledEntity, ...]
    aliases: tuple[str, ...]
    totals: tuple[PredicateTotal, ...]
    documents: tuple[LinkedDocument, ...]


@dataclass(frozen=True, slots=True)
class EntityProfile:
    """Everything known about one entity: its summary and its facts on either side, corrections first."""

    summary: EntitySummary
    facts: tuple[StandingFact, ...]


@dataclass(frozen=True, slots=True)
class PredicateUse:
    """A stored predicate and how many facts in force it has."""

    predicate: str
    facts: int
