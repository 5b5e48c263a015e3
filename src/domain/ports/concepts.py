"""Reads of concepts."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Protocol
from uuid import UUID

import numpy as np
from numpy.typing import NDArray

from domain.identity.access import Access
from domain.identity.ids import EntityId
from domain.retrieval.concepts import ConceptRecord
from domain.retrieval.reading import FactFilter, ReadPoint


@dataclass(frozen=True, slots=True)
class ConceptPredicates:
    """The stored names of what is read of concepts."""

    kind: str
    term: str
    supports: str
    contradicts: str


@dataclass(frozen=True, slots=True)
class ConceptSearch:
    """What to look for: a text with its vector of shape (d,) by the model named, or by words only.

    ``kinds`` are the keys of the kinds' literals; empty is any. ``limit`` is that of each list.
    """

    text: str
    vector: NDArray[np.float32] | None
    model: str | None
    kinds: tuple[UUID, ...]
    point: ReadPoint
    filter: FactFilter
    limit: int


@dataclass(frozen=True, slots=True)
class ConceptCandidates:
    """Ranked ids by list, best first. ``cosines`` are those of the nearest label or term of each that has a vector;
    None where there are no vectors of the model.
    """

    lists: Mapping[str, tuple[EntityId, ...]]
    cosines: Mapping[EntityId, float] | None


class ConceptReader(Protocol):
    """Reads in the scopes of the access; what it may not see reads as what is not there.

    Raises Unavailable when the database does not answer.
    """

    async def candidates(
        self, access: Access, search: ConceptSearch, predicates: ConceptPredicates
    ) -> ConceptCandidates:
        """Concepts by name, by words, and by meaning of label and terms. Time, kinds and filter come before limits."""
        ...

    async def concepts(
        self, access: Access, ids: Sequence[EntityId], point: ReadPoint, predicates: ConceptPredicates
    ) -> list[ConceptRecord]:
        """The concepts in the order asked, with all that bears on them; what is no concept is left out."""
        ...
