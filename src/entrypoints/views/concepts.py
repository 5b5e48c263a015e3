"""Concepts, as every entry point shows them."""

from __future__ import annotations

from uuid import UUID

import msgspec

from domain.identity.scope_name import ScopeKind, kind_of
from domain.knowledge.concept import ConceptKind
from domain.retrieval.closeness import Match
from domain.retrieval.concepts import Concept, ConceptDetails, ConceptLink, FoundConcepts
from domain.retrieval.facts import Citation, Named
from domain.standing.grounding import EpistemicStatus
from entrypoints.views.facts import FactView

BEST_QUOTES = 1
"""Quotes of a concept in a list."""
ALL_QUOTES = 50
"""Quotes of one concept that is shown by itself, at most."""


class KindView(msgspec.Struct):
    """A kind that a concept is said to be of, by how many independent sources; ``fact_id`` explains who says so."""

    kind: ConceptKind
    sources: int
    mass: float
    fact_id: UUID


class ConceptView(msgspec.Struct):
    """A claim, a definition, an event or a principle, with how well it is grounded.

    ``kind`` is the heaviest of ``kinds``; null where it is only named by a relation. ``sources`` counts the independent
    ones that put it forward, ``quotes`` are their words, the weightiest first. ``grounding`` runs from -1
    (contradicted) to +1 (supported by many independent sources): support are those that put it forward or say that
    something supports it, refutation those that say what contradicts it. It changes no fact's standing.
    """

    id: UUID
    scope: ScopeKind
    label: str
    names: list[str]
    kind: ConceptKind | None
    kinds: list[KindView]
    terms: list[str]
    sources: int
    support_mass: float
    refute_mass: float
    grounding: float
    epistemic_status: EpistemicStatus
    supported_by: list[Named]
    contradicted_by: list[Named]
    quotes: list[Citation]

    @classmethod
    def of(cls, c: Concept, quotes: int = BEST_QUOTES) -> ConceptView:
        """As it is shown, with so many quotes at most."""
        kinds = [KindView(k.kind, k.sources, k.mass, k.fact_id) for k in c.kinds]
        return cls(
            c.id, kind_of(c.group_id), c.label, list(c.names), c.kind, kinds, list(c.terms), c.sources, c.support_mass,
            c.refute_mass, c.grounding.value, c.grounding.status, list(c.supported_by), list(c.contradicted_by),
            list(c.quotes[:quotes]),
        )  # fmt: skip


class FoundConceptView(msgspec.Struct):
    """A concept with its rank score. ``likeness`` is the cosine of its nearest label or term; null without vectors."""

    concept: ConceptView
    score: float
    likeness: float | None


class FoundConceptsView(msgspec.Struct):
    """Concepts, best first. ``match`` is ``none`` when nothing close was found, and then there are no items."""

    items: list[FoundConceptView]
    match: Match
    notes: list[str]

    @classmethod
    def of(cls, found: FoundConcepts) -> FoundConceptsView:
        """As it is shown."""
        items = [FoundConceptView(ConceptView.of(each.concept), each.score, each.likeness) for each in found.concepts]
        return cls(items, found.match, list(found.notes))


class RelationView(msgspec.Struct):
    """A relation as it reads from the concept, such as SUPPORTS or SUPPORTED_BY, the other end, and the fact."""

    relation: str
    other: Named
    fact: FactView

    @classmethod
    def of(cls, link: ConceptLink) -> RelationView:
        """As it is shown."""
        return cls(link.relation, link.other, FactView.of(link.fact))


class ConceptDetailsView(msgspec.Struct):
    """A concept with its quotes and its relations in both directions; ``truncated`` when there are more of these."""

    concept: ConceptView
    relations: list[RelationView]
    truncated: bool

    @classmethod
    def of(cls, details: ConceptDetails) -> ConceptDetailsView:
        """As it is shown."""
        links = [RelationView.of(link) for link in details.links]
        return cls(ConceptView.of(details.concept, ALL_QUOTES), links, details.truncated)
