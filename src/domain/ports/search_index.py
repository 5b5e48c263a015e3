"""Finding candidates: by words, by meaning and by the names that a question contains."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from domain.identity.access import Access
from domain.identity.ids import ChunkId, DocumentId, EntityId, Revision, StandingId
from domain.retrieval.facts import Named, Outline, StandingFact
from domain.retrieval.fusion import Fusing
from domain.retrieval.passages import Passage
from domain.retrieval.reading import FactFilter, ReadPoint


@dataclass(frozen=True, slots=True)
class CandidateQuery:
    """What to look for. ``vector`` is the query's, of shape (d,), by the model named; None searches by words only.

    ``facts`` and ``chunks`` are how many of each list are wanted; 0 leaves the lists out. ``as_of`` is the moment
    that segments must hold at; None is all of time. ``asked`` are stored predicates that the question may ask for,
    ``answering`` all those that it may be answered by. With ``fusing`` what ranking looks at comes along.
    """

    text: str
    names: tuple[str, ...]
    vector: NDArray[np.float32] | None
    model: str | None
    facts: int
    chunks: int
    point: ReadPoint
    as_of: datetime | None
    filter: FactFilter = field(default_factory=FactFilter)
    predicates: tuple[str, ...] = ()
    asked: tuple[str, ...] = ()
    answering: tuple[str, ...] = ()
    fusing: Fusing | None = None


@dataclass(frozen=True, slots=True)
class Candidates:
    """Ranked ids, best first: segments by text, by vector, and about the entities that the text names; chunks.

    ``entities`` are those entities with their aliases; ``named`` are those that the text itself names, with the name
    out of the query's. ``asked`` are segments about them under an asked predicate. ``outlines`` hold what ranking looks
    at of the first segments of the fused lists, but for those that a narrower scope speaks for; their subjects and
    objects are known where the query says that they may answer. ``embedded`` says whether the
    organization has vectors of the model that was asked with, ``nearest`` and
    ``nearest_chunk`` the cosines of the nearest segment and chunk.
    """

    text: tuple[StandingId, ...] = ()
    vector: tuple[StandingId, ...] = ()
    about: tuple[StandingId, ...] = ()
    asked: tuple[StandingId, ...] = ()
    entities: tuple[EntityId, ...] = ()
    named: dict[EntityId, str] = field(default_factory=dict)
    outlines: Mapping[StandingId, Outline] = field(default_factory=dict)
    chunk_text: tuple[ChunkId, ...] = ()
    chunk_vector: tuple[ChunkId, ...] = ()
    chunk_documents: dict[ChunkId, DocumentId] = field(default_factory=dict)
    embedded: bool = False
    nearest: float | None = None
    nearest_chunk: float | None = None


@dataclass(frozen=True, slots=True)
class FoundEntity:
    """An entity by name or meaning; ``likeness`` in [0, 1], 1 for its exact name; ``matched`` is the name that did."""

    entity: Named
    likeness: float
    matched: str


class SearchIndex(Protocol):
    """Search in the scopes of the access. Time, lifecycle and filters are applied before every limit.

    A point with pins is answered by what was counted and embedded then, by reading every vector: always the same.

    Words are found with and without accents. Raises Unavailable when the database does not answer.
    """

    async def candidates(self, access: Access, query: CandidateQuery) -> Candidates:
        """All lists in one round trip, with what ranking looks at."""
        ...

    async def load(
        self, access: Access, standings: Sequence[StandingId], point: ReadPoint, chosen: FactFilter
    ) -> list[StandingFact]:
        """Segments in the order asked, without those that a narrower scope speaks for or that fail the filter."""
        ...

    async def passages(self, access: Access, chunks: Sequence[ChunkId], point: ReadPoint) -> list[Passage]:
        """Chunks in the order asked, with their documents and the tiers of then; unknown ones are left out."""
        ...

    async def find_entities(
        self,
        access: Access,
        name: str,
        limit: int,
        point: ReadPoint,
        vector: NDArray[np.float32] | None = None,
        model: str | None = None,
    ) -> list[FoundEntity]:
        """Entities with a name like the one given, the most alike first, then by meaning where there is a vector."""
        ...

    async def refresh(self, access: Access) -> None:
        """Count the words of the organization anew, so that frequent ones are told from rare ones."""
        ...

    async def committed_at(self, access: Access, revision: Revision) -> datetime | None:
        """When the last visible revision up to this one was committed; None when there is none."""
        ...
