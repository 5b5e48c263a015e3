"""The job that follows every write: bring the graph up to the head."""

from __future__ import annotations

from application.identity.access import AccessResolver
from application.projection.projector import Projected, Projector
from application.projection.tenant import organization_wide
from domain.identity.access import Access


class ProjectFacts:
    """Brings an organization's graph up to the head of its record.

    - It carries no payload: what to do is read from the record, in the order of revisions.
    - Again, or late, or twice at once, it gives the same graph.
    - Another worker that is at it already is left to it.
    - A graph that was lost, or is not what its watermark says, is built anew.
    """

    def __init__(self, resolver: AccessResolver, projector: Projector) -> None:
        self._resolver = resolver
        self._projector = projector

    async def __call__(self, access: Access) -> Projected:
        """Raises Unavailable when the graph or the database does not answer; the backlog waits."""
        return await self._projector(await organization_wide(self._resolver, access))
