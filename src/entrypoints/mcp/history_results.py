"""Timelines and changes as tools return them."""

from __future__ import annotations

from datetime import datetime
from uuid import UUID

from pydantic import BaseModel, Field

from application.journal.timelines import EntityTimeline, FactTimeline
from domain.journal.entries import JournalEntry, Step
from domain.retrieval.timeline import TimelineEvent
from entrypoints.mcp.fact_results import Fact, fact
from entrypoints.mcp.results import Retrieved, scope_kind


class Effect(BaseModel):
    """How a fact stood in a period, from a change on or up to it."""

    fact_id: UUID
    sentence: str | None = None
    stands: bool = Field(description="True: it stands so since this change; false: it stood so until this change.")
    lifecycle: str
    valid_from: datetime | None = None
    valid_to: datetime | None = None
    confidence: float
    reason: str
    sources: list[str] = Field(description="Whose word was added, withdrawn or moved.")


class Change(BaseModel):
    """One write: who, why, and what it did to which facts."""

    revision: int
    kind: str
    by: str
    at: datetime
    reason: str | None = None
    scope: str
    effects: list[Effect]
    more_effects: int = Field(description="How many are not shown.")


class Changes(Retrieved):
    """Changes, oldest first."""

    changes: list[Change]
    next: int | None = Field(default=None, description="Pass it as `since` for more; absent when this is all.")


class Event(BaseModel):
    """Something that happened to a fact."""

    at: datetime | None = Field(default=None, description="Absent: before all memory.")
    what: str
    until: datetime | None = None
    fact_id: UUID
    sentence: str | None = None
    succeeded_by: str | None = None


class Timeline(Retrieved):
    """Of a thing: events by valid time. Of a fact: its periods, and the changes that made them."""

    events: list[Event] = Field(default_factory=list)
    segments: list[Fact] = Field(default_factory=list)
    changes: list[Change] = Field(default_factory=list)
    truncated: bool = False


def change(found: JournalEntry) -> Change:
    """An entry for the wire."""
    mutation = found.mutation
    return Change(
        revision=mutation.revision,
        kind=mutation.kind,
        by=found.principal_name or mutation.principal_kind,
        at=mutation.committed_at,
        reason=mutation.reason,
        scope=scope_kind(found.group_id),
        effects=[_effect(step) for step in found.did],
        more_effects=found.steps - len(found.did),
    )


def changes(found: list[JournalEntry], limit: int) -> Changes:
    """Entries for the wire."""
    following = found[-1].mutation.revision if len(found) == limit else None
    return Changes(changes=[change(each) for each in found], next=following)


def fact_timeline_result(found: FactTimeline, limit: int, known_at: int | None) -> Timeline:
    """A fact's timeline for the wire."""
    return Timeline(
        segments=[fact(each) for each in found.segments],
        changes=[change(each) for each in found.entries],
        truncated=len(found.entries) == limit,
        known_at=known_at,
    )


def entity_timeline_result(found: EntityTimeline, limit: int, known_at: int | None) -> Timeline:
    """A thing's timeline for the wire: the latest events."""
    events = [_event(each) for each in found.events[-limit:]]
    return Timeline(events=events, truncated=found.truncated or len(found.events) > limit, known_at=known_at)


def _effect(step: Step) -> Effect:
    return Effect(
        fact_id=step.fact_id,
        sentence=step.sentence,
        stands=step.opened,
        lifecycle=step.lifecycle.value,
        valid_from=step.valid_from,
        valid_to=step.valid_to,
        confidence=round(step.confidence, 4),
        reason=step.reason,
        sources=list(step.sources),
    )


def _event(event: TimelineEvent) -> Event:
    return Event(
        at=event.at,
        what=event.what.value,
        until=event.until,
        fact_id=event.fact.fact_id,
        sentence=event.fact.sentence,
        succeeded_by=event.by.sentence if event.by else None,
    )
