"""Search, entities and what an agent remembers."""

from __future__ import annotations

from dataclasses import replace
from datetime import datetime
from typing import Annotated
from uuid import UUID

import msgspec
from litestar import get, post
from litestar.params import FromPath, JSONBody, QueryParameter

from application.operations.queries import Follower
from application.retrieval import queries
from application.retrieval.queries import Term
from application.retrieval.types import SearchRequest, SearchResult
from domain.identity.access import Access
from domain.identity.ids import DocumentId, EntityId, Revision, SourceId
from domain.knowledge.assertion import ClaimKind
from domain.ports.search_index import FoundEntity
from domain.retrieval.expansion import Expansion
from domain.retrieval.reading import SHOWN_LIFECYCLES, FactFilter, ReadPoint
from domain.standing.testimony import Lifecycle
from entrypoints.api.paging import LAST_NUMBER, Limit
from entrypoints.api.reading import AtLeast, Chosen, Point, held, needed_term, pinned, reached, settled
from entrypoints.api.sign_in import HELD, NARROWING, App, Caller, HttpRequest, SignedIn
from entrypoints.application import Application
from entrypoints.measured import measured_search
from entrypoints.views.found import ProfileView, SearchView

Number = Annotated[int, msgspec.Meta(ge=0, le=LAST_NUMBER)]
Top = Annotated[int, QueryParameter(ge=1, le=100, description="How many hits.")]


class FilterWish(msgspec.Struct, forbid_unknown_fields=True):
    """A fact passes when one live assertion meets all of these.

    ``untainted`` asks that not only agents and sources of tier 4 speak for it.
    """

    kinds: list[ClaimKind] = []
    asserter: str | None = None
    tiers: list[int] = []
    collections: list[str] = []
    documents: list[UUID] = []
    sources: list[UUID] = []
    untainted: bool = False

    def filter(self) -> FactFilter:
        """For a read."""
        return FactFilter(
            tuple(self.kinds), self.asserter, tuple(self.tiers), tuple(self.collections),
            tuple(DocumentId(d) for d in self.documents), tuple(SourceId(s) for s in self.sources),
            self.untainted,
        )  # fmt: skip


class SearchWish(msgspec.Struct, forbid_unknown_fields=True, kw_only=True):
    """A question. ``expand_hops`` 1 or 2 adds neighbours of the hits; ``sections`` are facts and chunks.

    ``known_at`` is a revision or a time; ``snapshot`` may stand in its place. ``explain`` adds how long each stage
    took.
    """

    query: str
    limit: int = 10
    sections: tuple[str, ...] = ("facts",)
    cited_only: bool = False
    as_of: datetime | None = None
    known_at: Number | datetime | None = None
    snapshot: UUID | None = None
    all_time: bool = False
    lifecycles: tuple[Lifecycle, ...] = SHOWN_LIFECYCLES
    filter: FilterWish = msgspec.field(default_factory=FilterWish)
    predicates: list[str] = []
    expand_hops: Annotated[int, msgspec.Meta(ge=0, le=2)] = 0
    rerank: bool = True
    explain: bool = False
    at_least: Number | None = None

    def request(self, known_at: Revision | None) -> SearchRequest:
        """For the use case, at the revision that ``known_at`` stands for."""
        return SearchRequest(
            query=self.query,
            limit=self.limit,
            sections=self.sections,
            cited_only=self.cited_only,
            point=ReadPoint(self.as_of, known_at, self.lifecycles, self.all_time),
            filter=self.filter.filter(),
            predicates=tuple(self.predicates),
            expansion=Expansion(self.expand_hops) if self.expand_hops else None,
            rerank=self.rerank,
        )


class FoundEntities(msgspec.Struct):
    """Entities, the most alike first."""

    items: list[FoundEntity]


@post("/search", status_code=200, tags=["search"], opt={HELD: True}, dependencies=NARROWING)
async def search(app: App, access: Caller, request: HttpRequest, data: JSONBody[SearchWish]) -> SearchView:
    """Find the facts, and on request the passages, that answer a question."""
    wish = data.request(await reached(app, access, request, data.known_at))
    point = await pinned(app, access, request, data.snapshot, wish.point)
    wish = replace(wish, point=await held(app, access, request, point))
    result = await _searched(app, access, request, wish, data.at_least)
    return SearchView.of(result, explain=data.explain)


@get("/search", tags=["search"], opt={HELD: True}, dependencies=NARROWING)
async def search_by_query(
    app: App,
    access: Caller,
    request: HttpRequest,
    point: Point,
    chosen: Chosen,
    q: Annotated[str, QueryParameter(description="The question.")],
    predicate: Annotated[list[str] | None, QueryParameter(description="Only facts of these.")] = None,
    section: Annotated[list[str] | None, QueryParameter(description="facts, chunks or both.")] = None,
    expand_hops: Annotated[int, QueryParameter(ge=0, le=2, description="Adds neighbours of the hits.")] = 0,
    explain: Annotated[bool, QueryParameter(description="Adds how long each stage took.")] = False,
    limit: Top = 10,
    at_least: AtLeast = None,
) -> SearchView:
    """The same as a link."""
    wish = SearchRequest(
        query=q, limit=limit, sections=tuple(section or ("facts",)), point=point, filter=chosen,
        predicates=tuple(predicate or ()), expansion=Expansion(expand_hops) if expand_hops else None,
    )  # fmt: skip
    return SearchView.of(await _searched(app, access, request, wish, at_least), explain=explain)


@get("/memory", tags=["memory"])
async def recall(
    app: App,
    credential: SignedIn,
    request: HttpRequest,
    q: Annotated[str, QueryParameter(description="What to recall.")],
    limit: Top = 10,
    at_least: AtLeast = None,
) -> SearchView:
    """Search the caller's personal scope, and what its organization knows, with the passages remembered."""
    access = await app.resolve_access(credential, "personal")
    wish = SearchRequest(query=q, limit=limit, sections=("facts", "chunks"))
    return SearchView.of(await _searched(app, access, request, wish, at_least))


async def _searched(
    app: Application, access: Access, request: HttpRequest, wish: SearchRequest, at_least: int | None
) -> SearchResult:
    """The result; its stages go into the metrics and the request's span."""
    await settled(app, access, at_least, Follower.VECTORS)
    return await measured_search(app.retrieval.search, request.app.state.metrics, access, wish)


@get("/entities", tags=["entities"], opt={HELD: True}, dependencies=NARROWING)
async def entities(
    app: App,
    access: Caller,
    point: Point,
    name: Annotated[str, QueryParameter(description="A name, an alias or something like it.")],
    limit: Limit = 20,
) -> FoundEntities:
    """Entities by name, alias or meaning."""
    reads = app.retrieval
    return FoundEntities(await queries.find_entities(reads.index, reads.embedder, access, name, point, limit))


@get("/entities/{entity_id:uuid}", tags=["entities"], opt={HELD: True}, dependencies=NARROWING)
async def entity(
    app: App, access: Caller, point: Point, entity_id: FromPath[UUID], limit: Limit = 50, at_least: AtLeast = None
) -> ProfileView:
    """Everything known about one entity; an unknown one has an empty profile."""
    await settled(app, access, at_least)
    term = Term(id=EntityId(entity_id))
    return ProfileView.of(await queries.entity_profile(app.retrieval.facts, access, term, point, limit))


@get("/profile", tags=["entities"], opt={HELD: True}, dependencies=NARROWING)
async def profile(
    app: App,
    access: Caller,
    point: Point,
    name: Annotated[str, QueryParameter(description="A name or alias.")],
    limit: Limit = 50,
    at_least: AtLeast = None,
) -> ProfileView:
    """The same by name."""
    await settled(app, access, at_least)
    term = needed_term(name, None, "name")
    return ProfileView.of(await queries.entity_profile(app.retrieval.facts, access, term, point, limit))
