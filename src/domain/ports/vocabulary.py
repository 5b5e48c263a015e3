"""The organization's own predicates, and what is needed to place its facts anew when they change."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Protocol
from uuid import UUID

from domain.identity.ids import AssertionId, EntityId, FactId, GroupId, ProposalId, Revision, SlotId
from domain.knowledge.assertion import AssertionState
from domain.knowledge.near_synonyms import NearSynonym, SharedEnds
from domain.knowledge.objects import TypedObject
from domain.knowledge.predicate import PredicatePolicy


@dataclass(frozen=True, slots=True)
class Said:
    """What an assertion says as its names are resolved now, merged ones as what they became, and where it is placed."""

    assertion_id: AssertionId
    fact_id: FactId
    group_id: GroupId
    slot_id: SlotId
    state: AssertionState
    approved: bool
    predicate: str
    subject_id: EntityId
    subject_name: str
    object: TypedObject
    object_name: str | None
    qualifiers: Mapping[str, str]


@dataclass(slots=True)
class Rehoused:
    """Facts that changed their slot, emptied ones with what they became, and ones that are filled again."""

    slots: list[tuple[FactId, SlotId]] = field(default_factory=list)
    became: list[tuple[FactId, GroupId, FactId]] = field(default_factory=list)
    filled: list[FactId] = field(default_factory=list)


@dataclass(frozen=True, slots=True)
class PredicatesCompared:
    """Of some facts of the rarer of two predicates: how many have their ends under the other too, and how many only
    other ends at the same time; facts that show both, and whether the kinds of the ends have something in common."""

    sampled: int
    shared: int
    different: int
    alike: tuple[FactId, ...]
    apart: tuple[FactId, ...]
    kinds_fit: bool | None


@dataclass(frozen=True, slots=True)
class SuggestedBefore:
    """A proposal to merge two predicates, however it was decided."""

    proposal_id: ProposalId
    merge_id: UUID
    state: str
    payload: Mapping[str, object]


class PredicateRecord(Protocol):
    """Reads and set-based writes for changes of the vocabulary. It spans every readable scope."""

    async def policies(self, at: Revision | None = None) -> list[PredicatePolicy]:
        """The organization's own predicates, by name: the current ones, or those of a revision."""
        ...

    async def facts_of(self, predicates: Sequence[str], after: FactId | None, limit: int) -> list[FactId]:
        """Facts of the predicates that stand in some way now, in id order, from the readable scopes."""
        ...

    async def has_objects(self, predicate: str, *, literal: bool) -> bool:
        """Whether a fact of the predicate that holds now has a literal, or a thing, as its object."""
        ...

    async def said(self, fact_ids: Sequence[FactId]) -> list[Said]:
        """What is placed on the facts now, in any state."""
        ...

    async def slots_of(self, group_id: GroupId, fact_keys: Sequence[bytes]) -> list[SlotId]:
        """Where the facts with these keys are kept, also those that nothing makes any more."""
        ...

    async def predicates_changed_since(self, predicates: Sequence[str], revision: Revision) -> bool:
        """Whether a fact of the predicates came to stand otherwise after the revision."""
        ...

    async def set_policies(self, policies: Sequence[PredicatePolicy], revision: Revision) -> None:
        """Close what the predicates had, and give each its new policy."""
        ...

    async def unset_policies(self, names: Sequence[str], revision: Revision) -> None:
        """Close the organization's own policies of the predicates, so that the built-in ones hold, if any."""
        ...

    async def rehouse(self, rows: Rehoused, revision: Revision) -> None:
        """Move facts to other slots, and say what emptied facts became."""
        ...

    async def used(self, limit: int) -> dict[str, int]:
        """The predicates that facts in force have, with how many, the most used first."""
        ...

    async def shared_ends(self, crowd: int, limit: int) -> dict[tuple[str, str], SharedEnds]:
        """By sorted pair of predicates, on how many pairs of ends both have facts in force, the most first.

        Ends on which more than ``crowd`` predicates meet do not count. One pass over the facts.
        """
        ...

    async def compare(self, merges: Sequence[NearSynonym], sample: int) -> list[PredicatesCompared]:
        """In the order of the merges, by at most ``sample`` facts of the rarer predicate of each."""
        ...

    async def suggested(self, merge_ids: Sequence[UUID]) -> list[SuggestedBefore]:
        """The proposals for these merges, oldest first."""
        ...

    async def sentences(self, fact_ids: Sequence[FactId]) -> dict[FactId, str]:
        """Facts of the readable scopes as sentences; what was erased is left out."""
        ...
