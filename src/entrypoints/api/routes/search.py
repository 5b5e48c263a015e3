"""Search, entities and what an agent remembers."""

from __future__ import annotations

from datetime import datetime
from typing import Annotated
from uuid import UUID

import msgspec
from litestar import get, post
from litestar.params import FromPath, JSONBody, QueryParameter

from application.operations.queries import Follower
from application.retrieval import queries
from application.retrieval.queries import Term
from application.retrieval.types import PassageHit, SearchRequest, SearchResult
from domain.identity.access import Access
from domain.identity.ids import DocumentId, EntityId, Revision, SourceId
from domain.identity.scope_name import ScopeKind, kind_of
from domain.knowledge.assertion import ClaimKind
from domain.ports.search_index import FoundEntity
from domain.retrieval.blend import Signals
from domain.retrieval.expansion import Expansion
from domain.retrieval.profile import EntityProfile, LinkedDocument, PredicateTotal
from domain.retrieval.reading import SHOWN_LIFECYCLES, FactFilter, ReadPoint
from domain.standing.testimony import Lifecycle
from entrypoints.api.paging import LAST_NUMBER, Limit
from entrypoints.api.reading import AtLeast, Chosen, FactView, Point, fact_views, needed_term, reached, settled
from entrypoints.api.sign_in import App, Caller, SignedIn
from entrypoints.application import Application

Number = Annotated[int, msgspec.Meta(ge=0, le=LAST_NUMBER)]
Top = Annotated[int, QueryParameter(ge=1, le=100, description="How many hits.")]


class FilterWish(msgspec.Struct, forbid_unknown_fields=True):
    """A fact passes when one live assertion meets all of these."""

    kinds: list[ClaimKind] = []
    asserter: str | None = None
    tiers: list[int] = []
    collections: list[str] = []
    documents: list[UUID] = []
    sources: list[UUID] = []

    def filter(self) -> FactFilter:
        """For a read."""
        return FactFilter(
            tuple(self.kinds), self.asserter, tuple(self.tiers), tuple(self.collections),
            tuple(DocumentId(d) for d in self.documents), tuple(SourceId(s) for s in self.sources),
        )  # fmt: skip


class SearchWish(msgspec.Struct, forbid_unknown_fields=True, kw_only=True):
    """A question. ``expand_hops`` 1 or 2 adds neighbours of the hits; ``sections`` are facts and chunks."""

    query: str
    limit: int = 10
    sections: tuple[str, ...] = ("facts",)
    cited_only: bool = False
    as_of: datetime | None = None
    known_at: Number | None = None
    all_time: bool = False
    lifecycles: tuple[Lifecycle, ...] = SHOWN_LIFECYCLES
    filter: FilterWish = msgspec.field(default_factory=FilterWish)
    predicates: list[str] = []
    expand_hops: Annotated[int, msgspec.Meta(ge=0, le=2)] = 0
    rerank: bool = True
    at_least: Number | None = None

    def request(self) -> SearchRequest:
        """For the use case."""
        known_at = None if self.known_at is None else Revision(self.known_at)
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


class HitView(msgspec.Struct):
    """A fact with its score and the signals that made it."""

    fact: FactView
    score: float
    signals: Signals
    hops: int
    reranked: float | None


class PassageView(msgspec.Struct):
    """A stretch of a document: [start, end) in code points of its version's text."""

    chunk_id: UUID
    document_id: UUID
    version_id: UUID
    scope: ScopeKind
    start: int
    end: int
    text: str
    title: str | None
    uri: str | None
    published_at: datetime | None
    source_name: str
    tier: int | None
    score: float

    @classmethod
    def of(cls, hit: PassageHit) -> PassageView:
        """As it is shown."""
        p = hit.passage
        return cls(
            p.chunk_id, p.document_id, p.version_id, kind_of(p.group_id), p.start, p.end, p.text, p.title, p.uri,
            p.published_at, p.source_name, p.tier, hit.score,
        )  # fmt: skip


class SearchView(msgspec.Struct):
    """Hits and passages, best first. ``notes`` say what was left out and why."""

    hits: list[HitView]
    passages: list[PassageView]
    entities: list[UUID]
    as_of: datetime | None
    notes: list[str]

    @classmethod
    def of(cls, result: SearchResult) -> SearchView:
        """As it is shown."""
        return cls(
            [HitView(FactView.of(h.fact), h.score, h.signals, h.hops, h.reranked) for h in result.hits],
            [PassageView.of(hit) for hit in result.passages],
            list(result.entities),
            result.as_of,
            list(result.notes),
        )


class FoundEntities(msgspec.Struct):
    """Entities, the most alike first."""

    items: list[FoundEntity]


class ProfiledView(msgspec.Struct):
    """One of the entities that are the same thing."""

    id: UUID
    scope: ScopeKind
    name: str
    kind: str | None
    standing: str


class ProfileView(msgspec.Struct):
    """Everything known about one entity."""

    entities: list[ProfiledView]
    aliases: list[str]
    totals: list[PredicateTotal]
    documents: list[LinkedDocument]
    facts: list[FactView]

    @classmethod
    def of(cls, profile: EntityProfile) -> ProfileView:
        """As it is shown."""
        s = profile.summary
        same = [ProfiledView(e.entity_id, kind_of(e.group_id), e.name, e.kind, e.standing) for e in s.entities]
        return cls(same, list(s.aliases), list(s.totals), list(s.documents), fact_views(profile.facts))


@post("/search", status_code=200, tags=["search"])
async def search(app: App, access: Caller, data: JSONBody[SearchWish]) -> SearchView:
    """Find the facts, and on request the passages, that answer a question."""
    await reached(app, access, data.known_at)
    return await _searched(app, access, data.request(), data.at_least)


@get("/search", tags=["search"])
async def search_by_query(
    app: App,
    access: Caller,
    point: Point,
    chosen: Chosen,
    q: Annotated[str, QueryParameter(description="The question.")],
    predicate: Annotated[list[str] | None, QueryParameter(description="Only facts of these.")] = None,
    section: Annotated[list[str] | None, QueryParameter(description="facts, chunks or both.")] = None,
    expand_hops: Annotated[int, QueryParameter(ge=0, le=2, description="Adds neighbours of the hits.")] = 0,
    limit: Top = 10,
    at_least: AtLeast = None,
) -> SearchView:
    """The same as a link."""
    request = SearchRequest(
        query=q, limit=limit, sections=tuple(section or ("facts",)), point=point, filter=chosen,
        predicates=tuple(predicate or ()), expansion=Expansion(expand_hops) if expand_hops else None,
    )  # fmt: skip
    return await _searched(app, access, request, at_least)


@get("/memory", tags=["memory"])
async def recall(
    app: App,
    credential: SignedIn,
    q: Annotated[str, QueryParameter(description="What to recall.")],
    limit: Top = 10,
    at_least: AtLeast = None,
) -> SearchView:
    """Search the caller's personal scope, and what its organization knows, with the passages remembered."""
    access = await app.resolve_access(credential, "personal")
    return await _searched(app, access, SearchRequest(query=q, limit=limit, sections=("facts", "chunks")), at_least)


async def _searched(app: Application, access: Access, request: SearchRequest, at_least: int | None) -> SearchView:
    await settled(app, access, at_least, Follower.VECTORS)
    return SearchView.of(await app.retrieval.search(access, request))


@get("/entities", tags=["entities"])
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


@get("/entities/{entity_id:uuid}", tags=["entities"])
async def entity(
    app: App, access: Caller, point: Point, entity_id: FromPath[UUID], limit: Limit = 50, at_least: AtLeast = None
) -> ProfileView:
    """Everything known about one entity; an unknown one has an empty profile."""
    await settled(app, access, at_least)
    term = Term(id=EntityId(entity_id))
    return ProfileView.of(await queries.entity_profile(app.retrieval.facts, access, term, point, limit))


@get("/profile", tags=["entities"])
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
