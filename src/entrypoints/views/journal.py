"""The journal and timelines as they are shown."""

from __future__ import annotations

from datetime import datetime
from typing import Any
from uuid import UUID

import msgspec

from application.journal.timelines import EntityTimeline, FactTimeline
from domain.identity.scope_name import ScopeKind, kind_of
from domain.journal.entries import JournalEntry, Step
from domain.journal.verification import Anchor, JournalVerified
from domain.retrieval.timeline import Happening, TimelineEvent
from domain.standing.testimony import Lifecycle
from entrypoints.views.facts import FactView, fact_views


class StepView(msgspec.Struct):
    """A segment that a mutation opened or closed, and the sources whose word it added, withdrew or moved."""

    fact_id: UUID
    sentence: str | None
    opened: bool
    valid_from: datetime | None
    valid_to: datetime | None
    lifecycle: Lifecycle
    confidence: float
    reason: str
    sources: list[str]

    @classmethod
    def of(cls, s: Step) -> StepView:
        """As it is shown."""
        return cls(
            s.fact_id, s.sentence, s.opened, s.valid_from, s.valid_to, s.lifecycle, s.confidence, s.reason,
            list(s.sources),
        )  # fmt: skip


class EntryView(msgspec.Struct):
    """One mutation: who, why, and what it did to which facts.

    ``steps`` counts the segments it opened and closed, ``did`` shows the first of them. A null ``payload`` was erased.
    """

    revision: int
    kind: str
    scope: ScopeKind
    principal_id: str
    principal_kind: str
    principal_name: str | None
    connection_id: str | None
    reason: str | None
    committed_at: datetime
    payload: dict[str, Any] | None
    steps: int
    did: list[StepView]

    @classmethod
    def of(cls, e: JournalEntry) -> EntryView:
        """As it is shown."""
        m = e.mutation
        return cls(
            m.revision, m.kind, kind_of(e.group_id), m.principal_id, m.principal_kind, e.principal_name,
            m.connection_id, m.reason, m.committed_at, None if m.payload is None else dict(m.payload), e.steps,
            [StepView.of(s) for s in e.did],
        )  # fmt: skip


class EventView(msgspec.Struct):
    """What happened to a fact when; ``at`` null is before all memory. ``by`` is the fact that succeeded it."""

    at: datetime | None
    what: Happening
    until: datetime | None
    fact_id: UUID
    sentence: str | None
    by: UUID | None
    by_sentence: str | None

    @classmethod
    def of(cls, e: TimelineEvent) -> EventView:
        """As it is shown."""
        by = e.by
        return cls(
            e.at, e.what, e.until, e.fact.fact_id, e.fact.sentence, by.fact_id if by else None,
            by.sentence if by else None,
        )  # fmt: skip


class EntityTimelineView(msgspec.Struct):
    """What happened around an entity, by valid time."""

    events: list[EventView]
    truncated: bool

    @classmethod
    def of(cls, t: EntityTimeline) -> EntityTimelineView:
        """As it is shown."""
        return cls([EventView.of(event) for event in t.events], t.truncated)


class FactTimelineView(msgspec.Struct):
    """A fact's segments by valid time, and the mutations that made it so; ``next`` is the revision to go on from."""

    id: UUID
    segments: list[FactView]
    entries: list[EntryView]
    next: int | None

    @classmethod
    def of(cls, t: FactTimeline, limit: int) -> FactTimelineView:
        """As it is shown."""
        entries = [EntryView.of(entry) for entry in t.entries]
        following = entries[-1].revision if len(entries) == limit else None
        return cls(t.segments[0].fact_id, fact_views(t.segments), entries, following)


class AnchorView(msgspec.Struct):
    """The hash of an entry. Kept elsewhere, it shows later whether what leads to it was rewritten."""

    organization_id: UUID
    revision: int
    hash: str
    committed_at: datetime | None

    @classmethod
    def of(cls, a: Anchor) -> AnchorView:
        """As it is shown."""
        return cls(a.organization_id, a.revision, a.hash.hex(), a.committed_at)


class FaultView(msgspec.Struct):
    """What is wrong from a revision to another."""

    revision: int
    last: int
    kind: str
    detail: str


class VerificationView(msgspec.Struct):
    """Whether the journal is ``whole``; ``head`` is an anchor to keep."""

    whole: bool
    head: AnchorView
    entries: int
    erased: int
    faults: list[FaultView]

    @classmethod
    def of(cls, v: JournalVerified) -> VerificationView:
        """As it is shown."""
        faults = [FaultView(f.revision, f.last, f.kind.value, f.detail) for f in v.faults]
        return cls(not faults, AnchorView.of(v.head), v.entries, v.erased, faults)
