"""Reads of the record that decide nothing."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol

from domain.identity.access import Access
from domain.identity.ids import StandingId
from domain.retrieval.facts import StandingFact
from domain.retrieval.reading import PatternRead, ReadPoint


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
