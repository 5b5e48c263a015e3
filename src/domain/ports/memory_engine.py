"""The graph that traversal walks: a projection of the record that can be dropped and built again."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol

from domain.identity.ids import OrganizationId, Revision, StandingId
from domain.retrieval.graph import (
    Batch,
    GraphCounts,
    Neighbourhood,
    NeighbourhoodQuery,
    Path,
    PathQuery,
    Subgraph,
    SubgraphQuery,
)


class MemoryEngine(Protocol):
    """One graph an organization, in numbered generations of which at most one is live.

    Reads see the live generation only. An element is returned when its scope and, for an edge, the scopes of both
    its ends are among the view's. An organization without a live generation reads as empty, and no read makes a
    graph. Who may ask for an organization is the caller's decision, taken before. Every method raises Unavailable
    when the engine does not answer in time.

    ``name`` appears in messages and answers. ``reads_history`` says whether ``known_at`` is answered; other engines
    refuse it with InvalidInput. ``projected`` says whether the engine holds a copy that must be fed by ``apply``; one
    that reads the record itself accepts and ignores batches, swaps and drops. ``swaps_atomically`` says whether a
    read during a swap sees one whole generation.
    """

    name: str
    reads_history: bool
    projected: bool
    swaps_atomically: bool

    async def ping(self) -> None:
        """Returns when the engine answers."""
        ...

    async def prepare(self, organization_id: OrganizationId, generation: int) -> None:
        """Make an empty generation, from 1, with its indexes usable; keeps what a prepared one holds."""
        ...

    async def apply(self, organization_id: OrganizationId, generation: int, batch: Batch) -> None:
        """Change a prepared generation, live or not. Again gives the same graph; in any number of parts, too.

        An edge whose standing is known replaces it, wherever its ends were. A literal disappears with its last
        edge, and an entity or a document takes its edges or mentions with it. Raises EdgeEndMissing when an edge or
        a mention names what the graph does not hold, and NotFound for a generation that is not prepared; then the
        batch may be applied in part, and must be applied again.
        """
        ...

    async def mark(self, organization_id: OrganizationId, generation: int, watermark: Revision) -> None:
        """The prepared generation has everything up to the revision; kept beside what it holds.

        Called after the batches that brought it there. Raises NotFound for a generation that is not prepared.
        """
        ...

    async def watermark(self, organization_id: OrganizationId, generation: int | None = None) -> Revision | None:
        """How far a generation says itself that it has come, from 0; None means the live one, or that there is none.

        A graph that came back from an older copy of itself says less than the record remembers, and is right.
        """
        ...

    async def neighbourhood(self, query: NeighbourhoodQuery) -> Neighbourhood:
        """Edges within some hops of the start entities, by (hop, fact id, standing id), cut at the limit."""
        ...

    async def shortest_path(self, query: PathQuery) -> Path | None:
        """The shortest path, of equals the one with the smallest sequence of fact ids; None when there is none.

        Raises LimitExceeded when the search touches more than ``MAX_VISITED`` entities.
        """
        ...

    async def subgraph(self, query: SubgraphQuery) -> Subgraph:
        """The edges between the entities."""
        ...

    async def digest(self, organization_id: OrganizationId, generation: int | None = None) -> list[bytes]:
        """256 digests over (standing id, standing hash), as ``domain.standing.digest``; None means the live one."""
        ...

    async def elements_in_bucket(
        self, organization_id: OrganizationId, bucket_number: int, generation: int | None = None
    ) -> Sequence[tuple[StandingId, bytes]]:
        """What one bucket's digest is made of, by id: to name a difference."""
        ...

    async def counts(self, organization_id: OrganizationId, generation: int | None = None) -> GraphCounts:
        """How many elements a generation holds; None means the live one."""
        ...

    async def live_generation(self, organization_id: OrganizationId) -> int | None:
        """The generation that reads see; None when there is none."""
        ...

    async def swap(self, organization_id: OrganizationId, generation: int) -> None:
        """Make a prepared generation the live one and remove all others; again does nothing.

        Raises NotFound for a generation that is not prepared.
        """
        ...

    async def drop(self, organization_id: OrganizationId) -> None:
        """Remove every generation; an unknown organization is no error."""
        ...
