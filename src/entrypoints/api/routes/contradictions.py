"""What contradicts itself: listed with every factor of the scores, and decided."""

from __future__ import annotations

from datetime import datetime
from typing import Annotated
from uuid import UUID

import msgspec
from litestar import get, post
from litestar.params import FromPath, JSONBody, QueryParameter

from application.knowledge.decide_contradiction import Choice, ContradictionDecided, Decision
from application.retrieval.contradictions import ContradictionsQuery, contradictions
from domain.identity.ids import DocumentId, FactId, Revision
from domain.ports.contradictions import ContestedCursor, DocumentSet
from entrypoints.api.paging import Cursor, CursorOf, Limit, cursor_refused
from entrypoints.api.reading import AtLeast, Chosen, Point, term
from entrypoints.api.reading import settled as waited
from entrypoints.api.routes.sources import Reason
from entrypoints.api.sign_in import App, Caller
from entrypoints.views.contradictions import ContradictionPage, ContradictionView
from entrypoints.views.corrections import boundary_of

Against = Annotated[
    list[UUID] | None,
    QueryParameter(description="Ids of documents: those of `document` and `collection` are compared with these."),
]


class DecisionWish(msgspec.Struct, forbid_unknown_fields=True, kw_only=True):
    """A choice on a contradiction as it was read at the revision ``saw``.

    ``facts`` is the one that is right ("one"), or the two that follow each other ("in_turn"), the earlier one first,
    with the ``boundary`` between them as a date. "many" proposes that the predicate takes several values; "neither"
    denies every side. ``at`` is a moment of the stretch that is meant; left out, now, or the only one there is.
    """

    choice: Choice
    saw: Annotated[int, msgspec.Meta(ge=0)]
    facts: Annotated[list[UUID], msgspec.Meta(max_length=2)] = []
    boundary: Annotated[str, msgspec.Meta(min_length=1, max_length=100)] | None = None
    at: datetime | None = None
    reason: Reason | None = None


@get("/contradictions", tags=["contradictions"])
async def list_contradictions(
    app: App,
    access: Caller,
    point: Point,
    chosen: Chosen,
    predicate: Annotated[list[str] | None, QueryParameter(description="In any spelling, either direction.")] = None,
    entity: Annotated[str | None, QueryParameter(description="A name or alias, on any side.")] = None,
    entity_id: Annotated[UUID | None, QueryParameter(description="An entity's id.")] = None,
    about: Annotated[UUID | None, QueryParameter(description="A contradiction's id, or a fact's on any side.")] = None,
    settled: Annotated[bool, QueryParameter(description="Also what one side has won.")] = False,
    against_document: Against = None,
    against_collection: Annotated[list[str] | None, QueryParameter(description="The same by collection.")] = None,
    between_scopes: Annotated[
        bool, QueryParameter(description="Instead, what one readable scope says against another.")
    ] = False,
    limit: Limit = 50,
    cursor: Cursor = None,
    at_least: AtLeast = None,
) -> ContradictionPage:
    """Rivals in a one-valued slot, and facts that are said and denied, with both sides and each side's score taken
    apart; the most severe first. `limit` counts slots: one that is disputed over several stretches has an entry each.
    With `against_document` or `against_collection`, two sets of documents are compared instead: what one says against
    what the other says, whatever else is known. With `between_scopes`, the scopes that the caller reads are: what a
    project says against its organization, also where each agrees with itself."""
    await waited(app, access, at_least)
    sets = (against_document, against_collection, between_scopes)
    asked = (predicate, entity, entity_id, about, settled, *sets, point, chosen)
    cursors = CursorOf("contradictions", access.read_scopes, *asked)
    query = ContradictionsQuery(
        predicates=tuple(predicate or ()),
        entity=term(entity, entity_id, "entity"),
        about=about,
        settled=settled,
        point=point,
        filter=chosen,
        against=_against(against_document, against_collection),
        between_scopes=between_scopes,
        limit=limit,
        after=_place(cursor, cursors.place(cursor)),
    )
    page = await contradictions(app.retrieval.contradictions, access, query)
    following = cursors.at(f"{page.next.severity!r} {page.next.about}") if page.next else None
    return ContradictionPage([ContradictionView.of(each) for each in page.contradictions], page.total, following)


@post("/contradictions/{contradiction_id:uuid}/decide", status_code=200, tags=["contradictions"])
async def decide_contradiction(
    app: App, access: Caller, contradiction_id: FromPath[UUID], data: JSONBody[DecisionWish]
) -> ContradictionDecided:
    """Decide a contradiction by its id, or by a fact of it: one is right, both in turn, both since the predicate takes
    several values, or neither. A curator's, never an agent's; one mutation, which can be undone. 409 when anything
    about it changed after the revision that was seen."""
    return await app.knowledge.decide_contradiction(
        access,
        Decision(
            contradiction_id,
            data.choice,
            Revision(data.saw),
            tuple(FactId(fact) for fact in data.facts),
            boundary_of(data.boundary),
            data.at,
            data.reason,
        ),
    )


def _against(documents: list[UUID] | None, collections: list[str] | None) -> DocumentSet | None:
    if not documents and not collections:
        return None
    return DocumentSet(tuple(map(DocumentId, documents or ())), tuple(collections or ()))


def _place(cursor: str | None, text: str | None) -> ContestedCursor | None:
    if text is None:
        return None
    try:
        severity, about = text.split(" ")
        return ContestedCursor(float(severity), UUID(about))
    except ValueError:
        raise cursor_refused(cursor) from None
