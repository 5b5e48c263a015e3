"""Tools about change: how something came to stand as it does, and what is new."""

from __future__ import annotations

from datetime import datetime
from typing import Annotated
from uuid import UUID

from pydantic import Field

from application.journal.queries import entity_target, journal_entries, row_target
from application.journal.timelines import entity_timeline, fact_timeline
from domain.errors import InvalidInput
from domain.identity.ids import OPEN, FactId
from domain.journal.entries import START, EntriesRead, TargetKind
from entrypoints.application import Application
from entrypoints.mcp.arguments import KnownAt, Limit, Scope, term
from entrypoints.mcp.history_results import (
    Changes,
    Timeline,
    changes,
    entity_timeline_result,
    fact_timeline_result,
)
from entrypoints.mcp.sign_in import Call, SignIn

_EFFECTS = 20
_Revision = Annotated[int, Field(ge=0, le=2**62)]
_Name = Annotated[str | None, Field(description="A thing, by name, alias or entity id.", max_length=500)]
_Fact = Annotated[UUID | None, Field(description="`fact_id` of an earlier result.")]


class HistoryTools:
    """Timelines and changes."""

    def __init__(self, app: Application, sign_in: SignIn) -> None:
        self._retrieval = app.retrieval
        self._unit_of_work = app.unit_of_work
        self._sign_in = sign_in

    async def get_timeline(
        self,
        call: Call,
        entity: _Name = None,
        fact_id: _Fact = None,
        limit: Limit = 50,
        known_at: KnownAt = None,
        scope: Scope = None,
    ) -> Timeline:
        """What happened when. Of a thing: when its facts began, ended, were succeeded, disputed or corrected, in the \
order of the world's time. Of a fact: its periods, and every change that made them, with who made it and why.

        Give one of entity and fact_id."""
        access = await self._sign_in.access(call, scope)
        revision = await self._sign_in.reached(access, known_at)
        facts = self._retrieval.facts
        if entity is not None and fact_id is None:
            return entity_timeline_result(await entity_timeline(facts, access, term(entity), revision), limit, revision)
        if fact_id is None or entity is not None:
            raise InvalidInput("give one of entity and fact_id", field="entity")
        found = await fact_timeline(facts, self._unit_of_work, access, FactId(fact_id), revision, limit=limit)
        return fact_timeline_result(found, limit, revision)

    async def get_changes(
        self,
        call: Call,
        since: Annotated[
            _Revision | datetime,
            Field(description="Changes after this revision (`next` or a revision of an earlier result) or time."),
        ] = 0,
        until: Annotated[_Revision | datetime | None, Field(description="Up to this revision or time.")] = None,
        entity: _Name = None,
        fact_id: _Fact = None,
        limit: Limit = 20,
        scope: Scope = None,
    ) -> Changes:
        """What the memory learned or gave up between two moments, each change with who made it, why, and what it did \
to which facts. Use it to catch up since your last visit, or to see what became of one thing or one fact."""
        access = await self._sign_in.access(call, scope)
        if entity is not None and fact_id is not None:
            raise InvalidInput("give entity or fact_id, not both", field="entity")
        target = None if fact_id is None else row_target(TargetKind.FACT, fact_id)
        if entity is not None:
            target = await entity_target(self._retrieval.facts, access, term(entity))
        first = await self._sign_in.reached(access, since, "since") or START
        last = OPEN if until is None else await self._sign_in.reached(access, until, "until") or START
        read = EntriesRead(first, last, target, limit=limit)
        return changes(await journal_entries(self._unit_of_work, access, read, _EFFECTS), limit)
