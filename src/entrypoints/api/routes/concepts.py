"""Concepts: found by meaning, and read with quotes, relations and grounding."""

from __future__ import annotations

from typing import Annotated
from uuid import UUID

from litestar import get
from litestar.params import FromPath, QueryParameter

from application.operations.queries import Follower
from application.retrieval.concepts import get_concept, search_concepts
from application.retrieval.queries import Term
from domain.identity.ids import EntityId
from domain.knowledge.concept import ConceptKind
from domain.retrieval.concepts import ConceptsQuery
from entrypoints.api.reading import AtLeast, Chosen, Point, settled
from entrypoints.api.sign_in import HELD, NARROWING, App, Caller
from entrypoints.views.concepts import ConceptDetailsView, FoundConceptsView


@get("/concepts", tags=["concepts"], opt={HELD: True}, dependencies=NARROWING)
async def concepts(
    app: App,
    access: Caller,
    point: Point,
    chosen: Chosen,
    q: Annotated[str, QueryParameter(description="What the concepts are about, in any words.")],
    concept_kind: Annotated[
        list[ConceptKind] | None, QueryParameter(description="claim, definition, event or principle.")
    ] = None,
    limit: Annotated[int, QueryParameter(ge=1, le=50, description="How many concepts.")] = 10,
    at_least: AtLeast = None,
) -> FoundConceptsView:
    """Concepts by the meaning and the words of their labels and search terms, each with its best quote and its
    grounding. A concept passes the filters when one live assertion that puts it forward does."""
    await settled(app, access, at_least, Follower.VECTORS)
    query = ConceptsQuery(q, tuple(concept_kind or ()), point, chosen, limit)
    return FoundConceptsView.of(await search_concepts(app.retrieval.concepts, access, query))


@get("/concepts/{concept_id:uuid}", tags=["concepts"], opt={HELD: True}, dependencies=NARROWING)
async def concept(
    app: App,
    access: Caller,
    point: Point,
    concept_id: FromPath[UUID],
    relations: Annotated[int, QueryParameter(ge=1, le=500, description="How many relations.")] = 100,
    at_least: AtLeast = None,
) -> ConceptDetailsView:
    """One concept: its label, kind and search terms, the words of each source that puts it forward, what it implies,
    supports, contradicts and so on in both directions, and how well it is grounded."""
    await settled(app, access, at_least)
    term = Term(id=EntityId(concept_id))
    return ConceptDetailsView.of(await get_concept(app.retrieval.concepts, access, term, point, relations))
