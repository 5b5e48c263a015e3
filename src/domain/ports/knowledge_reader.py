"""Reads of the record that decide nothing."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime
from typing import Protocol
from uuid import UUID

from domain.identity.access import Access
from domain.identity.ids import FactId, Revision, StandingId
from domain.knowledge.predicate import PredicatePolicy
from domain.retrieval.facts import StandingFact
from domain.retrieval.grounds import GroundedExplanation
from domain.retrieval.profile import EntitySummary, PredicateUse
from domain.retrieval.reading import PatternRead, ReadPoint, Side


class KnowledgeReader(Protocol):
    """Reads in the scopes of the access, each in one round trip.

    What the access may not see reads as what does not exist. Raises Unavailable when the database does not answer.
    """

    async def facts_by_pattern(self, access: Access, read: PatternRead) -> list[StandingFact]:
        """The segments that a pattern finds: corrections first, then by fact id and start.

        Names are taken in any spelling of their entity and of what ALIAS_OF facts say is the same. Of one fact in
        several scopes the narrowest is returned, and what the others say differently is among its rivals.
        """
        ...

    async def load(self, access: Access, standings: Sequence[StandingId], point: ReadPoint) -> list[StandingFact]:
        """The segments by id, in the order asked; unknown ones are left out."""
        ...

    async def fact(
        self, access: Access, fact_id: FactId, known_at: Revision | None, asked: datetime | None = None
    ) -> list[StandingFact]:
        """All current segments of a fact by valid time, of any lifecycle; of what it was merged into, if it was.

        They are grounded as of ``asked``; None is now. Empty when there is no such fact.
        """
        ...

    async def explain(
        self, access: Access, fact_id: FactId, known_at: Revision | None, asked: datetime | None = None
    ) -> GroundedExplanation | None:
        """Every assertion, segment and mutation of a fact up to a revision, and its grounds as of ``asked``.

        ``asked`` None is now. None when there is no such fact.
        """
        ...

    async def summary(self, access: Access, side: Side, point: ReadPoint, documents: int) -> EntitySummary:
        """Names, totals and at most ``documents`` documents of an entity and its aliases; empty when unknown."""
        ...

    async def erasure_of(self, access: Access, item: UUID) -> tuple[UUID, datetime] | None:
        """The erasure that took a fact, an assertion, an entity or a document, and when; None for anything else."""
        ...

    async def predicates_in_use(self, access: Access, point: ReadPoint) -> list[PredicateUse]:
        """Stored predicates with the number of their facts in force and up to three of them, most first, by name."""
        ...

    async def policies(self, access: Access, known_at: Revision | None = None) -> list[PredicatePolicy]:
        """The organization's own predicates, as they were at a revision; None is the present."""
        ...
