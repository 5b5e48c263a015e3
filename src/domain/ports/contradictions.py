"""Reads of what contradicts itself."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import datetime
from typing import Protocol
from uuid import UUID

from domain.errors import InvalidInput, shown
from domain.identity.access import Access
from domain.identity.ids import DocumentId, FactId, StandingId
from domain.retrieval.contradictions import Compared, Contested
from domain.retrieval.reading import MAX_FILTER, MAX_ROWS, FactFilter, ReadPoint
from domain.retrieval.reading import Side as Named
from domain.retrieval.scopes import ScopedSlot


@dataclass(frozen=True, slots=True)
class ContestedCursor:
    """Where a page ended: pages go by severity, the most severe first, then by id."""

    severity: float
    about: UUID


@dataclass(frozen=True, slots=True)
class ContestedRead:
    """One page of what is contested.

    ``settled`` asks for what one side has won too. ``predicates`` are stored names; ``entity`` is on any side.
    ``about`` is one slot or fact. The filter is passed when one side's fact passes it.
    """

    point: ReadPoint = field(default_factory=ReadPoint)
    settled: bool = False
    predicates: tuple[str, ...] | None = None
    entity: Named | None = None
    about: UUID | None = None
    filter: FactFilter = field(default_factory=FactFilter)
    limit: int = 50
    after: ContestedCursor | None = None

    def __post_init__(self) -> None:
        if not 1 <= self.limit <= MAX_ROWS:
            raise InvalidInput(f"limit is 1 to {MAX_ROWS}, not {self.limit}", field="limit")


@dataclass(frozen=True, slots=True)
class DocumentSet:
    """Some documents, by id or as whole collections by name; at least one."""

    documents: tuple[DocumentId, ...] = ()
    collections: tuple[str, ...] = ()

    def __post_init__(self) -> None:
        if not self.documents and not self.collections:
            raise InvalidInput("name a document or a collection on each side of a comparison", field="documents")
        if len(self.documents) + len(self.collections) > MAX_FILTER:
            raise InvalidInput(f"at most {MAX_FILTER} documents and collections in one set", field="documents")


@dataclass(frozen=True, slots=True)
class TogetherCursor:
    """Where a list of values that hold together ended: it goes by subject, then predicate."""

    subject: UUID
    predicate: str

    @classmethod
    def parse(cls, text: str) -> TogetherCursor:
        """What was given out as "subject.predicate". Raises InvalidInput."""
        subject, _, predicate = text.partition(".")
        try:
            return cls(UUID(subject), predicate)
        except ValueError:
            raise InvalidInput(f"{shown(text)} is no place of a run; start without it", field="after") from None


@dataclass(frozen=True, slots=True)
class Together:
    """The standings of one subject's values of one predicate that hold together."""

    cursor: TogetherCursor
    standings: tuple[StandingId, ...]


class ContradictionReader(Protocol):
    """Reads in the scopes of the access, each in one round trip. Raises Unavailable when nothing answers."""

    async def contested(self, access: Access, read: ContestedRead) -> list[Contested]:
        """What is contested, the most severe first. A slot counts once, whatever the number of its stretches."""
        ...

    async def compared(
        self,
        access: Access,
        first: DocumentSet,
        second: DocumentSet,
        point: ReadPoint,
        predicates: Sequence[str] | None,
        limit: int,
    ) -> list[Compared]:
        """The slots in which two sets of documents say more than one thing, by slot id, up to a limit."""
        ...

    async def differing(
        self, access: Access, point: ReadPoint, predicates: Sequence[str] | None, limit: int
    ) -> list[ScopedSlot]:
        """The slots that readable scopes fill otherwise at the moment, up to a limit: of each, a row a scope.

        Rows of one key stand together, the narrowest scope first.
        """
        ...

    async def together(
        self,
        access: Access,
        moment: datetime,
        predicates: Sequence[str] | None,
        one_valued: Sequence[str],
        most: int,
        after: TogetherCursor | None,
        limit: int,
    ) -> list[Together]:
        """Subjects of the write scope with 2 to ``most`` values in force of a predicate that is not one-valued."""
        ...

    async def judged(self, access: Access, facts: Sequence[FactId]) -> list[tuple[FactId, FactId]]:
        """Which of the facts a judge proposed to end before, and in favour of which, however that was decided."""
        ...
