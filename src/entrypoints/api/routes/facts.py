"""Facts by triple patterns, one fact with its reasons, and the predicates in use."""

from __future__ import annotations

from datetime import datetime
from typing import Annotated, TypeAlias
from uuid import UUID

import msgspec
from litestar import get
from litestar.params import FromPath, QueryParameter

from application.retrieval import queries
from application.retrieval.queries import FactsQuery, Term
from domain.errors import InvalidInput, shown
from domain.identity.ids import FactId
from domain.knowledge.object_wire import from_wire
from domain.retrieval.profile import PredicateUse
from domain.retrieval.reading import Cursor as Place
from domain.retrieval.reading import ReadPoint
from entrypoints.api.paging import Cursor, CursorOf, Limit, Page, cursor_refused
from entrypoints.api.reading import AtLeast, BySnapshot, Chosen, KnownAt, Point, pinned, reached, settled, term
from entrypoints.api.sign_in import HELD, NARROWING, App, Caller, HttpRequest
from entrypoints.json_text import from_json
from entrypoints.views.facts import Explanation, FactView, fact_views

GroundedAsOf: TypeAlias = Annotated[
    datetime | None, QueryParameter(description="The moment at which grounding is read; now when left out.")
]


class FactSegments(msgspec.Struct):
    """All segments of one fact, by valid time."""

    id: UUID
    segments: list[FactView]


class Predicates(msgspec.Struct):
    """Predicates with how many facts in force each has, most first."""

    items: list[PredicateUse]


@get("/facts", tags=["facts"], opt={HELD: True}, dependencies=NARROWING)
async def facts(
    app: App,
    access: Caller,
    point: Point,
    chosen: Chosen,
    subject: Annotated[str | None, QueryParameter(description="A name or alias.")] = None,
    subject_id: Annotated[UUID | None, QueryParameter(description="An entity's id.")] = None,
    predicate: Annotated[list[str] | None, QueryParameter(description="In any spelling, either direction.")] = None,
    object_name: Annotated[str | None, QueryParameter(name="object", description="A name or alias.")] = None,
    object_id: Annotated[UUID | None, QueryParameter(description="An entity's id.")] = None,
    object_literal: Annotated[str | None, QueryParameter(description='As JSON: {"type":"text","value":"…"}.')] = None,
    limit: Limit = 50,
    cursor: Cursor = None,
    at_least: AtLeast = None,
) -> Page[FactView]:
    """Facts by any of the six triple patterns: give one side or two. Corrections come first."""
    await settled(app, access, at_least)
    target = _literal(object_literal) if object_literal else term(object_name, object_id, "object")
    asked = (subject, subject_id, predicate, object_name, object_id, object_literal)
    cursors = CursorOf("facts", access.read_scopes, *asked, point, chosen)
    query = FactsQuery(
        term(subject, subject_id, "subject"), tuple(predicate or ()), target, point, chosen, limit,
        _place(cursor, cursors.place(cursor)),
    )  # fmt: skip
    page = await queries.facts_by_pattern(app.retrieval.facts, access, query)
    following = cursors.at(_text(page.next)) if page.next else None
    return Page(fact_views(page.facts), following)


def _literal(text: str) -> Term:
    try:
        return Term(literal=from_wire(from_json(text, dict)))
    except (msgspec.DecodeError, KeyError, ValueError, TypeError) as error:
        raise InvalidInput(
            f'{shown(text)} is no literal; write {{"type":"text","value":"…"}} or another type', field="object_literal"
        ) from error


def _text(place: Place) -> str:
    start = place.valid_from.isoformat() if place.valid_from else ""
    return f"{int(place.corrected)} {place.fact_id} {start}"


def _place(cursor: str | None, text: str | None) -> Place | None:
    if text is None:
        return None
    try:
        corrected, fact_id, start = text.split(" ", 2)
        return Place(corrected == "1", FactId(UUID(fact_id)), datetime.fromisoformat(start) if start else None)
    except ValueError:
        raise cursor_refused(cursor) from None


@get("/facts/{fact_id:uuid}", tags=["facts"], dependencies=NARROWING)
async def fact(
    app: App,
    access: Caller,
    request: HttpRequest,
    fact_id: FromPath[UUID],
    known_at: KnownAt = None,
    as_of: GroundedAsOf = None,
    snapshot: BySnapshot = None,
) -> FactSegments:
    """One fact with all its segments, whatever their lifecycle."""
    revision = await reached(app, access, request, known_at)
    point = await pinned(app, access, request, snapshot, ReadPoint(as_of, revision))
    found = await queries.get_fact(app.retrieval.facts, access, FactId(fact_id), point.known_at, point.as_of)
    return FactSegments(found[0].fact_id, fact_views(found))


@get("/facts/{fact_id:uuid}/explanation", tags=["facts"], dependencies=NARROWING)
async def explanation(
    app: App,
    access: Caller,
    request: HttpRequest,
    fact_id: FromPath[UUID],
    known_at: KnownAt = None,
    as_of: GroundedAsOf = None,
    snapshot: BySnapshot = None,
) -> Explanation:
    """Every assertion that bears on a fact, with its evidence and weight; its independent sources, with why some
    assertions count once; its segments and what changed them."""
    revision = await reached(app, access, request, known_at)
    point = await pinned(app, access, request, snapshot, ReadPoint(as_of, revision))
    found = await queries.explain_fact(app.retrieval.facts, access, FactId(fact_id), point.known_at, point.as_of)
    return Explanation.of(found)


@get("/predicates", tags=["facts"], opt={HELD: True}, dependencies=NARROWING)
async def predicates(app: App, access: Caller, point: Point) -> Predicates:
    """Predicates in use, with how many facts in force each has, and some of them; those without a policy are not
    reviewed yet."""
    return Predicates(await queries.predicates_in_use(app.retrieval.facts, access, point))
