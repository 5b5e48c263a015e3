"""What changed, whose history it is, timelines, and whether the journal is whole."""

from __future__ import annotations

from datetime import datetime
from typing import Annotated
from uuid import UUID

import msgspec
from litestar import get
from litestar.params import FromPath, QueryParameter

from application.journal.queries import entity_target, journal_entries, row_target
from application.journal.timelines import entity_timeline, fact_timeline
from application.retrieval.queries import Term
from application.retrieval.system_time import revision_of
from domain.errors import InvalidInput
from domain.identity.access import Access
from domain.identity.ids import OPEN, EntityId, FactId, OrganizationId, PrincipalId, Revision
from domain.journal.entries import START, EntriesRead, Target, TargetKind
from domain.journal.verification import Anchor
from entrypoints.api.paging import LAST_NUMBER, Limit, Page, RevisionParameter
from entrypoints.api.reading import KnownAt, needed_term, reached
from entrypoints.api.sign_in import App, Caller, HttpRequest
from entrypoints.application import Application
from entrypoints.views.journal import EntityTimelineView, EntryView, FactTimelineView, VerificationView

Bound = Annotated[int, msgspec.Meta(ge=0, le=LAST_NUMBER)] | datetime | None


@get("/changes", tags=["changes"])
async def changes(
    app: App,
    access: Caller,
    since: Annotated[Bound, QueryParameter(description="After this revision or time: the last that was seen.")] = 0,
    until: Annotated[Bound, QueryParameter(description="Up to this revision or time, inclusive.")] = None,
    entity: Annotated[str | None, QueryParameter(description="The history of an entity, by a name or alias.")] = None,
    entity_id: Annotated[UUID | None, QueryParameter(description="The same by id.")] = None,
    fact: Annotated[UUID | None, QueryParameter(description="The history of a fact.")] = None,
    assertion: Annotated[UUID | None, QueryParameter(description="Of an assertion.")] = None,
    document: Annotated[UUID | None, QueryParameter(description="Of a document.")] = None,
    source: Annotated[UUID | None, QueryParameter(description="Of a source.")] = None,
    predicate: Annotated[str | None, QueryParameter(description="Of a predicate's policy.")] = None,
    actor: Annotated[UUID | None, QueryParameter(description="What this principal did.")] = None,
    kind: Annotated[str | None, QueryParameter(description="Mutations of this kind.")] = None,
    steps: Annotated[
        int, QueryParameter(ge=0, le=1_000, description="How many opened and closed segments of each to show.")
    ] = 20,
    limit: Limit = 100,
) -> Page[EntryView]:
    """Mutations of the caller's scopes in order, each with its cause and what it did to which facts.

    `next` is the revision to go on from.
    """
    rows = {"fact": fact, "assertion": assertion, "document": document, "source": source, "predicate": predicate}
    named = {TargetKind(name): value for name, value in rows.items() if value is not None}
    target = await _target(app, access, named, entity, entity_id)
    read = EntriesRead(
        await _bound(app, access, since, "since") or START,
        OPEN if until is None else await _bound(app, access, until, "until") or START,
        target,
        None if actor is None else PrincipalId(actor),
        kind,
        limit,
    )
    found = await journal_entries(app.unit_of_work, access, read, steps)
    return Page([EntryView.of(entry) for entry in found], str(found[-1].mutation.revision) if found else None)


async def _bound(app: Application, access: Access, asked: int | datetime | None, field: str) -> Revision | None:
    moment = Revision(asked) if isinstance(asked, int) else asked
    return await revision_of(app.unit_of_work, app.operations, access, moment, field)


async def _target(
    app: Application,
    access: Access,
    named: dict[TargetKind, UUID | str],
    entity: str | None,
    entity_id: UUID | None,
) -> Target | None:
    asked = entity is not None or entity_id is not None
    if len(named) + asked > 1:
        raise InvalidInput("ask for the history of one thing at a time", field=next(iter(named)).value)
    if asked:
        return await entity_target(app.retrieval.facts, access, needed_term(entity, entity_id, "entity"))
    return next((row_target(kind, value) for kind, value in named.items()), None)


@get("/facts/{fact_id:uuid}/timeline", tags=["facts"])
async def timeline_of_fact(
    app: App,
    access: Caller,
    request: HttpRequest,
    fact_id: FromPath[UUID],
    known_at: KnownAt = None,
    since: Annotated[int, RevisionParameter("Mutations after this revision.")] = 0,
    limit: Limit = 100,
) -> FactTimelineView:
    """A fact over both times: its segments by valid time, and each mutation that changed them, with its cause."""
    revision = await reached(app, access, request, known_at)
    if revision is not None and since > revision:
        raise InvalidInput(f"since {since} is later than known_at, revision {revision}", field="since")
    found = await fact_timeline(
        app.retrieval.facts, app.unit_of_work, access, FactId(fact_id), revision, Revision(since), limit
    )
    return FactTimelineView.of(found, limit)


@get("/entities/{entity_id:uuid}/timeline", tags=["entities"])
async def timeline_of_entity(
    app: App, access: Caller, request: HttpRequest, entity_id: FromPath[UUID], known_at: KnownAt = None
) -> EntityTimelineView:
    """What happened to the facts of an entity, by valid time."""
    revision = await reached(app, access, request, known_at)
    term = Term(id=EntityId(entity_id))
    return EntityTimelineView.of(await entity_timeline(app.retrieval.facts, access, term, revision))


@get("/timeline", tags=["entities"])
async def timeline(
    app: App,
    access: Caller,
    request: HttpRequest,
    name: Annotated[str, QueryParameter(description="A name or alias.")],
    known_at: KnownAt = None,
) -> EntityTimelineView:
    """The same by name."""
    revision = await reached(app, access, request, known_at)
    term = needed_term(name, None, "name")
    return EntityTimelineView.of(await entity_timeline(app.retrieval.facts, access, term, revision))


@get("/journal/verification", tags=["journal"])
async def verification(
    app: App,
    access: Caller,
    anchor_revision: Annotated[int | None, RevisionParameter("The revision of an anchor that was kept.")] = None,
    anchor_hash: Annotated[str | None, QueryParameter(description="Its hash, as hexadecimal digits.")] = None,
) -> VerificationView:
    """Recompute the organization's journal and name what is wrong with it. For who operates it."""
    if (anchor_revision is None) != (anchor_hash is None):
        raise InvalidInput("an anchor is a revision and a hash; give both, or neither", field="anchor_hash")
    anchor = None
    if anchor_revision is not None and anchor_hash is not None:
        anchor = anchor_of(access, anchor_revision, anchor_hash)
    return VerificationView.of(await app.journal.verify(access, anchor))


def anchor_of(access: Access, revision: int, digits: str) -> Anchor:
    """An anchor of the caller's organization. Raises InvalidInput."""
    try:
        digest = bytes.fromhex(digits)
    except ValueError:
        raise InvalidInput("anchor_hash is not hexadecimal digits; copy it whole", field="anchor_hash") from None
    return Anchor(OrganizationId(access.organization_id), Revision(revision), digest, None)
