"""How one fact stood and came to stand so, and what happened around one entity."""

from __future__ import annotations

from dataclasses import dataclass

from application.journal.queries import journal_entries
from application.retrieval.queries import FactReads, Term, get_fact, missing
from domain.errors import InvalidInput
from domain.identity.access import Access
from domain.identity.ids import OPEN, FactId, Revision, StandingId
from domain.identity.permissions import Action, permit
from domain.journal.entries import START, EntriesRead, JournalEntry, Target, TargetKind
from domain.ports.unit_of_work import UnitOfWork
from domain.retrieval.facts import StandingFact
from domain.retrieval.reading import MAX_ROWS, PatternRead, ReadPoint, Side, StoredPattern
from domain.retrieval.timeline import TimelineEvent, events_of
from domain.standing.testimony import Lifecycle


@dataclass(frozen=True, slots=True)
class FactTimeline:
    """The segments of a fact by valid time, as known at a revision, and every entry that touched it, oldest first."""

    segments: tuple[StandingFact, ...]
    entries: tuple[JournalEntry, ...]


@dataclass(frozen=True, slots=True)
class EntityTimeline:
    """What happened to the facts of an entity by valid time. ``truncated`` when it has more than are looked at."""

    events: tuple[TimelineEvent, ...]
    truncated: bool


async def fact_timeline(
    reads: FactReads,
    unit_of_work: UnitOfWork,
    access: Access,
    fact_id: FactId,
    known_at: Revision | None = None,
    after: Revision = START,
    limit: int = 100,
) -> FactTimeline:
    """A fact over both times, with entries after a revision, at most ``limit``. Raises NotFound."""
    segments = await get_fact(reads, access, fact_id, known_at)
    target = Target(TargetKind.FACT, tuple({fact_id, segments[0].fact_id}))
    read = EntriesRead(after, OPEN if known_at is None else known_at, target, limit=limit)
    return FactTimeline(tuple(segments), tuple(await journal_entries(unit_of_work, access, read)))


async def entity_timeline(
    reads: FactReads, access: Access, entity: Term, known_at: Revision | None = None
) -> EntityTimeline:
    """What happened around an entity and what is the same as it, in facts of it and in facts that are about it.

    Nothing for a name that nothing bears. Raises NotFound for an id that is nobody's, ContentErased.
    """
    permit(access, Action.READ)
    if entity.literal is not None:
        raise InvalidInput("a literal has no timeline; give the id or the name of an entity", field="entity")
    side = Side(ids=(entity.id,)) if entity.id is not None else Side(names=(entity.name or "",))
    point = ReadPoint(known_at=known_at, lifecycles=tuple(Lifecycle), all_time=True)
    found: dict[StandingId, StandingFact] = {}
    truncated = False
    for pattern in (StoredPattern(subject=side, backward=()), StoredPattern(object=side, backward=())):
        facts = await reads.reader.facts_by_pattern(access, PatternRead(pattern, point, limit=MAX_ROWS))
        found |= {fact.standing_id: fact for fact in facts}
        truncated = truncated or len(facts) == MAX_ROWS
    if not found and entity.id is not None:
        summary = await reads.reader.summary(access, side, ReadPoint(known_at=known_at), 0)
        erased = await reads.reader.erasure_of(access, entity.id)
        if erased is not None or not summary.entities:
            raise missing("entity", entity.id, erased)
    return EntityTimeline(tuple(events_of(list(found.values()))), truncated)
