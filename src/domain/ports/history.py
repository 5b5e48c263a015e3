"""What one mutation did to the record, so that another can put it back."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol

from domain.identity.ids import GroupId, Revision, SourceId
from domain.knowledge.assertion import AssertionState
from domain.ports.journal import Mutation
from domain.ports.record import PlacedAssertion


@dataclass(frozen=True, slots=True)
class Flip:
    """An assertion whose state a mutation set: the state before, None when it was new, and where it stands now.

    ``last`` is the revision that set its present state; later than the mutation's, something has built on it.
    """

    before: AssertionState | None
    approved: bool
    present: PlacedAssertion
    last: Revision


@dataclass(frozen=True, slots=True)
class FormerGrade:
    """The grade that a source had before a mutation set another, and the revision of its present one."""

    source_id: SourceId
    tier: int
    trust: float | None
    last: Revision


class History(Protocol):
    """Reads of single mutations, and the reopening of what they closed. Restricted to the readable scopes."""

    async def mutation(self, revision: Revision) -> tuple[Mutation, GroupId] | None:
        """A mutation and the scope that it was made in; None for one that is unknown or elsewhere."""
        ...

    async def flips(self, revision: Revision) -> list[Flip]:
        """The assertions that a mutation added or changed the state of, by id."""
        ...

    async def later_states(self, revision: Revision) -> Sequence[Revision]:
        """Later revisions that changed a document's status or a source's grade which the mutation had set."""
        ...

    async def grade_before(self, revision: Revision) -> FormerGrade | None:
        """The source that a mutation graded, with its former grade; None for a mutation that graded none."""
        ...

    async def put_back(self, revision: Revision, now: Revision) -> None:
        """Give documents, their passages and sources what they had before a mutation, from the revision ``now``.

        A passage comes back under a new id, since its row says when it was gone.
        """
        ...
