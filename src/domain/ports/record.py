"""The record of what was said and how it stands: what the write path reads under its locks, and the rows it writes.

Rows are written as whole sets; a batch takes a constant number of statements. Every row gets the batch's revision.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from types import MappingProxyType
from typing import Protocol
from uuid import UUID

from domain.identity.ids import (
    AssertionId,
    DocumentId,
    EntityId,
    FactId,
    GroupId,
    MentionId,
    Revision,
    RunId,
    SlotId,
    SourceId,
    StandingId,
    VersionId,
)
from domain.knowledge.assertion import AssertionState, Claim, Evidence
from domain.knowledge.objects import TypedObject
from domain.ports.job_queue import Job
from domain.ports.journal import Entry, Head
from domain.ports.waiting import WaitingAssertion, WaitingFilter
from domain.standing.testimony import Lifecycle, Segment, Testimony


@dataclass(frozen=True, slots=True)
class NameCandidate:
    """An entity that has a name now. ``by_alias`` when an ALIAS_OF assertion gave it."""

    normal: str
    entity_id: EntityId
    kind: str | None
    group_id: GroupId
    by_alias: bool


@dataclass(frozen=True, slots=True)
class StoredAssertion:
    """An assertion as it is kept: a claim, where it is from, and who brought it.

    ``corrects`` is the fact or the entity that a person corrects by it, and the revision that they saw.
    """

    id: AssertionId
    key: bytes
    claim: Claim
    evidence: Evidence
    state: AssertionState
    document_id: DocumentId
    version_id: VersionId
    run_id: RunId
    source_id: SourceId
    tier: int
    trust: float | None
    observed_at: datetime
    published_at: datetime | None
    independence_key: str
    corrects: tuple[FactId | EntityId, Revision] | None = None


@dataclass(frozen=True, slots=True)
class EntityRow:
    """A new entity and its first name."""

    id: EntityId
    kind: str | None
    name: str
    normal: str


@dataclass(frozen=True, slots=True)
class AliasRow:
    """A further name of an entity, by an assertion; ``canonical`` when it is what the entity is called."""

    entity_id: EntityId
    name: str
    normal: str
    assertion_id: AssertionId
    canonical: bool = False


@dataclass(frozen=True, slots=True)
class MentionRow:
    """A name in a version, and the entity that it was resolved to by a rule."""

    id: MentionId
    version_id: VersionId
    document_id: DocumentId
    surface: str
    normal: str
    kind: str | None
    start: int | None
    end: int | None
    entity_id: EntityId
    rule: str


@dataclass(frozen=True, slots=True)
class Recalled:
    """What is known before a write locks anything.

    ``items`` are the stored ones, by document and key. ``mentions`` are those that the versions have of the names asked
    for, ``candidates`` the entities of the readable scopes that have one of the other names now; merged ones as what
    they became.
    """

    head: Head
    items: Mapping[tuple[DocumentId, bytes], tuple[AssertionId, RunId]]
    mentions: Sequence[MentionRow]
    candidates: Sequence[NameCandidate]


@dataclass(frozen=True, slots=True)
class FactRow:
    """A fact of a slot. ``object`` is typed; ``object_key`` is what patterns look up."""

    id: FactId
    group_id: GroupId
    key: bytes | None
    slot_id: SlotId
    subject_id: EntityId
    predicate: str
    object: TypedObject
    object_key: UUID | None
    qualifiers: Mapping[str, str]
    sentence: str | None


@dataclass(frozen=True, slots=True)
class NamedFact:
    """A fact with what its ends are called, and when it holds at present: its active and disputed segments in order.

    ``object_name`` and ``object_kind`` are None for a literal. Segments are half-open, None is unbounded.
    """

    fact: FactRow
    subject_name: str
    subject_kind: str | None
    object_name: str | None
    object_kind: str | None
    holds: tuple[tuple[datetime | None, datetime | None], ...]


@dataclass(frozen=True, slots=True)
class OpenStanding:
    """A current segment as it is stored."""

    id: StandingId
    fact_id: FactId
    standing_hash: bytes
    lifecycle: Lifecycle


@dataclass(frozen=True, slots=True)
class SlotContents:
    """Everything that bears on some locked slots: their facts, who testifies, and how they stand now."""

    facts: dict[FactId, FactRow] = field(default_factory=dict)
    testimonies: dict[FactId, list[Testimony]] = field(default_factory=dict)
    standings: dict[FactId, list[OpenStanding]] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class PlacementRow:
    """An assertion on a fact, in a state; ``approved`` when a person made it live."""

    assertion_id: AssertionId
    fact_id: FactId
    group_id: GroupId
    state: AssertionState
    approved: bool = False


@dataclass(frozen=True, slots=True)
class PlacedAssertion:
    """A current placement with its slot, for a change of state."""

    assertion_id: AssertionId
    fact_id: FactId
    slot_id: SlotId
    group_id: GroupId
    state: AssertionState
    predicate: str
    principal_kind: str
    document_id: DocumentId


@dataclass(frozen=True, slots=True)
class StandingRow:
    """A segment to be written."""

    id: StandingId
    fact: FactRow
    segment: Segment
    standing_hash: bytes


@dataclass(frozen=True, slots=True)
class Regrade:
    """The grade that a source is about to have: tier 1 to 4, trust 0 to 1 or None for the tier's authority."""

    source_id: SourceId
    tier: int
    trust: float | None


@dataclass(slots=True)
class RowSet:
    """All rows of one write, ready but for the revision."""

    entities: list[EntityRow] = field(default_factory=list)
    aliases: list[AliasRow] = field(default_factory=list)
    mentions: list[MentionRow] = field(default_factory=list)
    assertions: list[tuple[StoredAssertion, MentionId, MentionId | None]] = field(default_factory=list)
    facts: list[FactRow] = field(default_factory=list)
    close_placements: list[AssertionId] = field(default_factory=list)
    open_placements: list[PlacementRow] = field(default_factory=list)
    close_standings: list[StandingId] = field(default_factory=list)
    open_standings: list[StandingRow] = field(default_factory=list)
    close_aliases_of: list[AssertionId] = field(default_factory=list)

    @property
    def empty(self) -> bool:
        """Whether there is nothing to write."""
        return not (self.assertions or self.close_placements or self.open_placements or self.close_standings)


class Record(Protocol):
    """Reads for the write path, and its set-based writes. New rows go into the transaction's write scope."""

    async def recall(
        self, items: Sequence[tuple[DocumentId, bytes]], names: Sequence[tuple[VersionId, str, str | None]]
    ) -> Recalled:
        """What is known of the items (document, key) and of the names (version, normal form, kind), and the head."""
        ...

    async def known_items(
        self, document_id: DocumentId, keys: Sequence[bytes]
    ) -> dict[bytes, tuple[AssertionId, RunId]]:
        """Which items of the document are stored already: their assertion, and the run that stored them."""
        ...

    async def claim_entities(self, keys: Sequence[bytes]) -> dict[bytes, tuple[EntityId, bool]]:
        """The entity that each key stands for in the write scope, and whether this call made it."""
        ...

    async def lock_slots(
        self, keys: Sequence[bytes], group_id: GroupId | None = None
    ) -> dict[bytes, tuple[SlotId, bool]]:
        """Make and lock the slots in key order: id, and whether it is new (then it has no facts).

        In the write scope, or in another one of the writable scopes.
        """
        ...

    async def lock_slot_ids(self, slot_ids: Sequence[SlotId]) -> None:
        """Lock existing slots, in the same order."""
        ...

    async def slot_contents(
        self,
        slot_ids: Sequence[SlotId],
        at: Revision | None = None,
        displaced: Mapping[FactId, SlotId] = MappingProxyType({}),
        regrade: Regrade | None = None,
    ) -> SlotContents:
        """What bears on the slots, now or as it was at a revision; ``displaced`` is what lay in other slots then.

        With a ``regrade``, that source testifies as if it had the grade already.
        """
        ...

    async def displaced(self, at: Revision) -> dict[FactId, SlotId]:
        """The facts of the readable scopes that stood in another slot at the revision than now, and in which."""
        ...

    async def named_fact(self, fact_id: FactId) -> NamedFact | None:
        """A fact of the readable scopes as a person sees it now; None for an unknown one."""
        ...

    async def slot_changed_at(self, slot_id: SlotId) -> Revision:
        """The last revision at which a standing of the slot's facts was opened or closed; 0 for an empty slot."""
        ...

    async def aliases_of(self, assertion_ids: Sequence[AssertionId]) -> list[AliasRow]:
        """The names that assertions of naming predicates give while they count; a denial gives none."""
        ...

    async def placed(self, assertion_ids: Sequence[AssertionId]) -> list[PlacedAssertion]:
        """Where assertions stand now; unknown ids are left out."""
        ...

    async def waiting(self, chosen: WaitingFilter, after: AssertionId | None, limit: int) -> list[WaitingAssertion]:
        """Pending assertions of the readable scopes, by id."""
        ...

    async def placed_by_version(
        self, version_id: VersionId, states: Sequence[AssertionState], except_run: RunId | None = None
    ) -> list[PlacedAssertion]:
        """Current placements of a version's assertions in the given states."""
        ...

    async def placed_by_document(
        self, document_id: DocumentId, except_version: VersionId | None
    ) -> list[PlacedAssertion]:
        """Live and pending placements of a document's other versions."""
        ...

    async def placed_by_source(self, source_id: SourceId) -> list[PlacedAssertion]:
        """Live and pending placements of a source."""
        ...

    async def slots_of_source(self, source_id: SourceId) -> list[SlotId]:
        """The slots that a source has a say in, by id; also of what was taken back: a retracted fact shows its tier."""
        ...

    async def spoke_since(self, source_id: SourceId, revision: Revision) -> bool:
        """Whether a source has said something after the revision."""
        ...

    async def write(self, rows: RowSet, revision: Revision, group_id: GroupId | None = None) -> None:
        """Write the rows, set by set; new facts go into the write scope, or into another one of the writable scopes."""
        ...

    async def append(self, rows: RowSet, entry: Entry, jobs: Sequence[Job] = ()) -> Revision:
        """Take the next revision for the entry, write the rows with it and enqueue the jobs, in one step.

        As ``Journal.advance``, ``write`` and ``JobQueue.enqueue``; nothing of the caller's runs while the head is
        locked. Raises MovedOn, also when another transaction wrote the same item, mention or name meanwhile.
        """
        ...

    async def slot_ids(self, after: SlotId | None, limit: int) -> list[SlotId]:
        """Slots of the readable scopes in id order, for checks and rebuilds."""
        ...
