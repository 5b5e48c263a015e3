"""Where vectors lie: one index a model and build, one active an organization."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import Protocol
from uuid import UUID

from domain.identity.access import Access
from domain.identity.ids import Revision
from domain.ports.embedder import Vectors


class VectorKind(StrEnum):
    """What a vector stands for: a fact's sentence, a chunk's text, an entity's name, a concept's label and terms."""

    FACT = "fact"
    CHUNK = "chunk"
    ENTITY = "entity"
    CONCEPT = "concept"


@dataclass(frozen=True, slots=True)
class VectorIndex:
    """One build of one model's vectors. ``watermark`` is the last revision whose texts are all embedded."""

    id: int
    model: str
    dimension: int
    watermark: Revision


@dataclass(frozen=True, slots=True)
class OrganizationIndexes:
    """The index that searches read, and the one that is filled beside it, if any."""

    active: VectorIndex | None
    building: VectorIndex | None


@dataclass(frozen=True, slots=True)
class PendingText:
    """A text that has no vector in an index yet."""

    id: UUID
    revision: Revision
    text: str


class VectorStore(Protocol):
    """Vectors of an organization. Writes need the scopes of what they embed among the access's write scopes.

    Raises Unavailable when the database does not answer.
    """

    async def indexes(self, access: Access) -> OrganizationIndexes:
        """What the organization has."""
        ...

    async def ensure(self, access: Access, model: str, dimension: int) -> OrganizationIndexes:
        """Make an index of the model active where none is, or start building one beside another model's; idempotent.

        An index of the same model and dimension that other organizations use is shared. Raises InvalidInput for a
        dimension outside 1 to 4,000.
        """
        ...

    async def rebuild(self, access: Access, model: str, dimension: int) -> VectorIndex:
        """Start a fresh build beside the active index, also of the same model; replaces an unfinished one."""
        ...

    async def pending(
        self, access: Access, index: VectorIndex, kind: VectorKind, after: Revision, limit: int
    ) -> list[PendingText]:
        """Current texts of revisions above ``after`` without a vector in the index, by revision and id."""
        ...

    async def store(
        self, access: Access, index: VectorIndex, kind: VectorKind, ids: Sequence[UUID], vectors: Vectors
    ) -> int:
        """Write vectors, shape (n, dimension), row ``i`` for ``ids[i]``; again replaces. Says how many were written.

        An id that the access does not see is left out. Raises DimensionMismatch, then nothing is written.
        """
        ...

    async def advance(self, access: Access, index: VectorIndex, watermark: Revision) -> None:
        """Say that everything up to the revision is embedded; never goes back."""
        ...

    async def build_graphs(self, index: VectorIndex, least: int = 2_000) -> int:
        """Build the search graph of every part that has ``least`` rows and none yet; how many were built.

        Filling first and building then is several times faster than inserting into a live graph.
        """
        ...

    async def expect(self, access: Access, index: VectorIndex, kind: VectorKind, after: Revision) -> None:
        """Make ready for the texts of revisions above ``after``.

        Where more are coming than the part holds, its search graph goes, and ``build_graphs`` makes it anew: searches
        find the same until then, and take longer.
        """
        ...

    async def switch(self, access: Access) -> VectorIndex:
        """Make the index that is building the active one. Raises NotFound when none is building."""
        ...
