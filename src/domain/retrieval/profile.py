"""What is known about one entity, and which predicates are in use."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime

from domain.identity.ids import DocumentId, EntityId, GroupId
from domain.retrieval.facts import StandingFact
from domain.standing.grounding import neighbourhood_diversity


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
class NeighbourSort:
    """How many facts lead to neighbours of a kind under a predicate, on one side. A value's kind is ``value``."""

    predicate: str
    as_subject: bool
    kind: str | None
    facts: int


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
    neighbours: tuple[NeighbourSort, ...] = ()

    @property
    def neighbourhood_diversity(self) -> float:
        """How broadly it is connected, 0 to 1, by the predicates and kinds of its neighbours at the read point."""
        return neighbourhood_diversity({(n.predicate, n.as_subject, n.kind): n.facts for n in self.neighbours})


@dataclass(frozen=True, slots=True)
class EntityProfile:
    """Everything known about one entity: its summary and its facts on either side, corrections first."""

    summary: EntitySummary
    facts: tuple[StandingFact, ...]


@dataclass(frozen=True, slots=True)
class PredicateUse:
    """A stored predicate, how many facts in force it has, and some of them as sentences.

    ``reviewed`` is false for one that nobody gave a policy: it takes several values, and never contradicts itself.
    """

    predicate: str
    facts: int
    examples: tuple[str, ...] = ()
    reviewed: bool = True
