"""The graph: neighbourhoods, paths, its state and its upkeep."""

from __future__ import annotations

from typing import Annotated
from uuid import UUID

from litestar import get, post
from litestar.params import QueryParameter

from application.operations.queries import Follower
from application.projection.projector import Projected
from application.projection.status import GraphStatus, graph_status
from application.projection.verify import Verified
from application.retrieval.traversal import Walk, neighbourhood, shortest_path
from domain.retrieval.graph import Direction
from entrypoints.api.reading import AtLeast, Point, needed_term, settled
from entrypoints.api.sign_in import HELD, App, Caller
from entrypoints.views.facts import FactView, fact_views
from entrypoints.views.walks import NeighbourhoodView, NeighbourView, PathView

EntityName = Annotated[str | None, QueryParameter(description="A name or alias.")]
EntityRefId = Annotated[UUID | None, QueryParameter(description="An entity's id.")]
Ways = Annotated[Direction, QueryParameter(description="From subject to object, the other way, or both.")]
Followed = Annotated[list[str] | None, QueryParameter(description="In any spelling; all when left out.")]


@get("/graph/neighbourhood", tags=["graph"], opt={HELD: True})
async def neighbours(
    app: App,
    access: Caller,
    point: Point,
    entity: EntityName = None,
    entity_id: EntityRefId = None,
    hops: Annotated[int, QueryParameter(ge=1, le=3, description="How far.")] = 1,
    direction: Ways = Direction.BOTH,
    predicate: Followed = None,
    limit: Annotated[int, QueryParameter(ge=1, le=500, description="How many facts.")] = 100,
    at_least: AtLeast = None,
) -> NeighbourhoodView:
    """The facts around an entity and around what is the same as it."""
    await settled(app, access, at_least, Follower.GRAPH)
    walk = Walk(hops, direction, tuple(predicate or ()), limit)
    start = needed_term(entity, entity_id, "entity")
    found = await neighbourhood(app.retrieval.graph, access, start, walk, point)
    facts = [NeighbourView(walked.hop, FactView.of(walked.fact)) for walked in found.facts]
    return NeighbourhoodView(facts, found.truncated, found.engine, list(found.notes))


@get("/graph/path", tags=["graph"], opt={HELD: True})
async def path(
    app: App,
    access: Caller,
    point: Point,
    source: EntityName = None,
    source_id: EntityRefId = None,
    target: EntityName = None,
    target_id: EntityRefId = None,
    hops: Annotated[int, QueryParameter(ge=1, le=6, description="How far at most.")] = 4,
    direction: Ways = Direction.BOTH,
    predicate: Followed = None,
    at_least: AtLeast = None,
) -> PathView:
    """The shortest chain of facts between two entities."""
    await settled(app, access, at_least, Follower.GRAPH)
    start, end = needed_term(source, source_id, "source"), needed_term(target, target_id, "target")
    walk = Walk(hops, direction, tuple(predicate or ()))
    found = await shortest_path(app.retrieval.graph, access, start, end, walk, point)
    return PathView(found.facts is not None, fact_views(found.facts or ()), found.engine, list(found.notes))


@get("/graph/status", tags=["graph"])
async def status(app: App, access: Caller) -> GraphStatus:
    """How far the organization's graph has come."""
    return await graph_status(app.resolve_access, app.projection.feed, app.ports.engine, access)


@post("/graph/verify", status_code=200, tags=["graph"])
async def verify(
    app: App, access: Caller, deep: Annotated[bool, QueryParameter(description="Names each difference.")] = False
) -> Verified:
    """Compare the graph with the record, digest by digest."""
    return await app.projection.verify_graph(access, deep=deep)


@post("/graph/rebuild", status_code=200, tags=["graph"])
async def rebuild(app: App, access: Caller) -> Projected:
    """Build the graph anew beside the live one, then swap them."""
    return await app.projection.rebuild_graph(access)
