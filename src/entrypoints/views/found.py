"""Answers of a search, and everything about an entity."""

from __future__ import annotations

from datetime import datetime
from uuid import UUID

import msgspec

from application.retrieval.types import PassageHit, SearchResult
from domain.identity.scope_name import ScopeKind, kind_of
from domain.retrieval.blend import Signals
from domain.retrieval.closeness import Match
from domain.retrieval.profile import EntityProfile, LinkedDocument, PredicateTotal
from entrypoints.views.facts import FactView, fact_views


class HitView(msgspec.Struct):
    """A fact with its score and the signals that made it."""

    fact: FactView
    score: float
    signals: Signals
    hops: int
    reranked: float | None


class PassageView(msgspec.Struct):
    """A stretch of a document: [start, end) in code points of its version's text.

    It is ``tainted`` when an agent brought it or its source is of tier 4; ``flags`` say what it is suspected of.
    """

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
    tainted: bool
    flags: list[str]

    @classmethod
    def of(cls, hit: PassageHit) -> PassageView:
        """As it is shown."""
        p = hit.passage
        return cls(
            p.chunk_id, p.document_id, p.version_id, kind_of(p.group_id), p.start, p.end, p.text, p.title, p.uri,
            p.published_at, p.source_name, p.tier, hit.score, p.tainted, list(p.flags),
        )  # fmt: skip


class SearchView(msgspec.Struct):
    """Hits and passages, best first. ``notes`` say what was left out and why.

    ``match`` is ``close``; ``weak`` when what was found is only perhaps near in meaning; ``none`` when nothing close
    was found, and then the result is empty. ``milliseconds`` are those of each stage, when asked for.
    """

    hits: list[HitView]
    passages: list[PassageView]
    entities: list[UUID]
    as_of: datetime | None
    notes: list[str]
    match: Match
    milliseconds: dict[str, float] | None = None

    @classmethod
    def of(cls, result: SearchResult, *, explain: bool = False) -> SearchView:
        """As it is shown."""
        took = {stage: round(1_000 * seconds, 2) for stage, seconds in result.seconds.items()}
        return cls(
            [HitView(FactView.of(h.fact), h.score, h.signals, h.hops, h.reranked) for h in result.hits],
            [PassageView.of(hit) for hit in result.passages],
            list(result.entities),
            result.as_of,
            list(result.notes),
            result.match,
            took if explain else None,
        )


class ProfiledView(msgspec.Struct):
    """One of the entities that are the same thing."""

    id: UUID
    scope: ScopeKind
    name: str
    kind: str | None
    standing: str


class ProfileView(msgspec.Struct):
    """Everything known about one entity.

    ``neighbourhood_diversity`` is how broadly it is connected: H / (1 + H) for the entropy H of the predicates and
    kinds of its neighbours, 0 for one sort, towards 1 for many.
    """

    entities: list[ProfiledView]
    aliases: list[str]
    neighbourhood_diversity: float
    totals: list[PredicateTotal]
    documents: list[LinkedDocument]
    facts: list[FactView]

    @classmethod
    def of(cls, profile: EntityProfile) -> ProfileView:
        """As it is shown."""
        s = profile.summary
        same = [ProfiledView(e.entity_id, kind_of(e.group_id), e.name, e.kind, e.standing) for e in s.entities]
        return cls(
            same, list(s.aliases), s.neighbourhood_diversity, list(s.totals), list(s.documents),
            fact_views(profile.facts),
        )  # fmt: skip
