"""What is asked of the journal, and its entries with what they did to facts."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum
from uuid import UUID

from domain.errors import InvalidInput
from domain.identity.ids import OPEN, FactId, GroupId, PrincipalId, Revision, StandingId
from domain.ports.journal import Mutation
from domain.standing.testimony import Lifecycle

KINDS = frozenset({
    "add_collection", "add_principal", "add_source", "append", "approve", "approve_document", "break_glass",
    "change_vocabulary", "configure_collection", "correct", "create_organization", "create_personal",
    "create_project", "create_workspace", "decide", "disable_principal", "discard_document", "edit_entity",
    "enable_principal", "erase_document", "erase_entity", "erase_source", "fail_document",
    "follow_claims", "ingest", "ingest_part", "issue_key", "keep_audit", "leave", "lift_hold", "make_snapshot",
    "open_stream", "place_hold", "promote", "propose_correction", "propose_document",
    "propose_entity_edit", "propose_promotion", "propose_vocabulary", "provision_principal", "rebuild_standings",
    "regrade_source", "reject", "reject_document", "remove_membership", "retract_assertion", "retract_document",
    "retract_source", "revoke_key", "rotate_key", "set_membership", "set_monthly_limit", "set_quotas", "store_pack",
    "submit_document", "treat_sensitive", "undo",
})  # fmt: skip
"""What mutations are of."""
START = Revision(0)
MAX_ENTRIES = 1_000
"""Entries of one page."""
SHOWN_STEPS = 100
"""Segments opened and closed that are shown of one entry."""


class TargetKind(StrEnum):
    """What a history can be of."""

    ENTITY = "entity"
    FACT = "fact"
    ASSERTION = "assertion"
    DOCUMENT = "document"
    SOURCE = "source"
    PREDICATE = "predicate"


@dataclass(frozen=True, slots=True)
class Target:
    """Whose history: ids, or the name of a predicate."""

    kind: TargetKind
    ids: tuple[UUID, ...] = ()
    name: str | None = None


@dataclass(frozen=True, slots=True)
class EntriesRead:
    """Entries in ``(after, up_to]``, in order, that meet everything given."""

    after: Revision = START
    up_to: Revision = OPEN
    target: Target | None = None
    actor: PrincipalId | None = None
    kind: str | None = None
    limit: int = 100

    def __post_init__(self) -> None:
        if not 1 <= self.limit <= MAX_ENTRIES:
            raise InvalidInput(f"limit is 1 to {MAX_ENTRIES}, not {self.limit}", field="limit")
        if self.after > self.up_to:
            raise InvalidInput(
                f"since (revision {self.after}) is later than until (revision {self.up_to}); exchange them",
                field="since",
            )


@dataclass(frozen=True, slots=True)
class Step:
    """A segment that an entry opened or closed. ``sources`` are those whose word it added, withdrew or moved."""

    fact_id: FactId
    sentence: str | None
    opened: bool
    standing_id: StandingId
    valid_from: datetime | None
    valid_to: datetime | None
    lifecycle: Lifecycle
    confidence: float
    reason: str
    sources: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class JournalEntry:
    """One mutation: who, why, and what it did. ``steps`` is how many segments it opened and closed in all."""

    mutation: Mutation
    group_id: GroupId
    principal_name: str | None
    steps: int = 0
    did: Sequence[Step] = ()
