"""Search: candidates by words, meaning and names; fused and blended, perhaps judged again or widened by the graph."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime

import numpy as np
from numpy.typing import NDArray

from application.retrieval.passages import cited_passages, fused_passages
from application.retrieval.types import CHUNKS, FACTS, Hit, SearchRequest, SearchResult, SearchSettings
from application.retrieval.vocabulary import Vocabularies
from application.retrieval.widening import Widening
from domain.errors import BudgetExhausted, ModelReplyInvalid, Unavailable
from domain.identity.access import Access
from domain.identity.permissions import Action, permit
from domain.ports.clock import Clock
from domain.ports.embedder import Embedder
from domain.ports.reranker import Reranker
from domain.ports.search_index import CandidateQuery, Candidates, SearchIndex
from domain.retrieval.blend import normalised, order_key, signals_of
from domain.retrieval.directions import stored_directions
from domain.retrieval.fusion import RankedList, fuse
from domain.retrieval.naming import grams
from domain.retrieval.rerank import mixed


@dataclass(frozen=True, slots=True)
class SearchModels:
    """The models of a search; each may be absent."""

    embedder: Embedder | None = None
    reranker: Reranker | None = None


class Search:
    """Finds the facts, and on request the passages, that answer a question.

    - The query is embedded outside any transaction; without vectors, words and names still answer, and a note says so.
    - Time, lifecycle, scopes and filters hold before every limit; rows are loaded under the caller's scopes.
    - Lists are fused by reciprocal rank, then blended with authority, verification, recency, feedback and confidence;
      every hit returns its signals. Of equal scores a correction comes first.
    - The reranker, where there is one, judges the first candidates. When it does not answer, the order stays.
    - Expansion only adds when it is asked for; without entities or a graph it changes nothing.
    - A disputed fact shows its rivals, and what another scope says differently.
    """

    def __init__(
        self,
        index: SearchIndex,
        vocabularies: Vocabularies,
        clock: Clock,
        models: SearchModels | None = None,
        widening: Widening | None = None,
        settings: SearchSettings | None = None,
    ) -> None:
        self._index = index
        self._vocabularies = vocabularies
        self._clock = clock
        self._embedder = models.embedder if models else None
        self._reranker = models.reranker if models else None
        self._widening = widening
        self._settings = settings or SearchSettings()

    async def __call__(self, access: Access, request: SearchRequest) -> SearchResult:
        """Raises InvalidInput for a predicate without letters, Unavailable when the database does not answer."""
        permit(access, Action.READ)
        now = self._clock.now()
        as_of = None if request.point.all_time else request.point.as_of or now
        notes: list[str] = []
        query = await self._query(access, request, as_of, notes)
        found = await self._index.candidates(access, query)
        if query.vector is not None and not found.embedded:
            notes.append("this organization has no vectors of the configured model yet; words and names answered")
        moment = await self._moment(access, request, now)
        hits = await self._hits(access, request, found, moment, notes) if FACTS in request.sections else []
        passages = []
        if CHUNKS in request.sections:
            if request.cited_only:
                passages = await cited_passages(self._index, access, query, hits, self._settings, request.limit)
            else:
                passages = await fused_passages(self._index, access, found, self._settings, request.limit)
        return SearchResult(tuple(hits), tuple(passages), found.entities, as_of, tuple(notes))

    async def _query(
        self, access: Access, request: SearchRequest, as_of: datetime | None, notes: list[str]
    ) -> CandidateQuery:
        chunks = CHUNKS in request.sections and not request.cited_only
        return CandidateQuery(
            text=request.query,
            names=tuple(grams(request.query)),
            vector=await self._embedded(request.query, notes),
            model=self._embedder.model if self._embedder else None,
            facts=self._settings.depth if FACTS in request.sections else 0,
            chunks=self._settings.depth if chunks else 0,
            point=request.point,
            as_of=as_of,
            filter=request.filter,
            predicates=await self._stored(access, request.predicates),
        )

    async def _stored(self, access: Access, stated: Sequence[str]) -> tuple[str, ...]:
        if not stated:
            return ()
        forward, backward = stored_directions(stated, await self._vocabularies.of(access))
        return tuple(dict.fromkeys((*(forward or ()), *(backward or ()))))

    async def _moment(self, access: Access, request: SearchRequest, now: datetime) -> datetime:
        """What recency counts from: the moment asked about, else the commit of the revision asked for, else now."""
        known_at = request.point.known_at
        if request.point.as_of is not None or known_at is None:
            return request.point.as_of or now
        return await self._index.committed_at(access, known_at) or now

    async def _embedded(self, text: str, notes: list[str]) -> NDArray[np.float32] | None:
        if self._embedder is None:
            return None
        try:
            vectors = await self._embedder.embed_queries([text])
        except (Unavailable, BudgetExhausted) as error:
            notes.append(f"searched without vectors: {error.message}")
            return None
        row: NDArray[np.float32] = vectors[0]
        return row

    async def _hits(
        self, access: Access, request: SearchRequest, found: Candidates, now: datetime, notes: list[str]
    ) -> list[Hit]:
        chosen = self._settings
        fused = fuse(
            [
                RankedList("text", chosen.text_weight, found.text),
                RankedList("vector", chosen.vector_weight, found.vector),
                RankedList("about", chosen.about_weight, found.about),
            ],
            chosen.constant,
        )[: max(chosen.pool, request.limit)]
        relevance = {item.id: item.score for item in fused}
        facts = await self._index.load(access, list(relevance), request.point, request.filter)  # type: ignore[arg-type]
        levels = normalised([relevance[fact.standing_id] for fact in facts])
        hits = []
        for fact, level in zip(facts, levels, strict=True):
            signals = signals_of(fact, level, now)
            hits.append(Hit(fact, chosen.blend.score(signals), signals))
        hits = _ordered(hits)
        if request.rerank and self._reranker is not None and hits:
            hits = await self._reranked(access, request.query, hits, notes)
        if request.expansion is not None and self._widening is not None:
            hits = _ordered(await self._widening(access, request, hits[: request.limit], chosen, now, notes))
        return hits[: request.limit]

    async def _reranked(self, access: Access, query: str, hits: list[Hit], notes: list[str]) -> list[Hit]:
        assert self._reranker is not None
        first, rest = hits[: self._settings.rerank_pool], hits[self._settings.rerank_pool :]
        passages = [_shown(hit) for hit in first]
        try:
            judged = await self._reranker.score(
                query, passages, organization_id=access.organization_id, group_id=access.read_scopes[0]
            )
        except (Unavailable, ModelReplyInvalid, BudgetExhausted) as error:
            notes.append(f"not reranked: {error.message}")
            return hits
        scores = mixed([hit.score for hit in first], judged, self._settings.rerank_weight)
        changed = [
            Hit(hit.fact, score, hit.signals, hit.hops, judgement)
            for hit, score, judgement in zip(first, scores, judged, strict=True)
        ]
        return [*_ordered(changed), *rest]


def _ordered(hits: Sequence[Hit]) -> list[Hit]:
    return sorted(hits, key=lambda hit: order_key(hit.score, hit.fact))


def _shown(hit: Hit) -> str:
    citation = hit.fact.citation
    excerpt = citation.paragraph if citation else None
    return f"{hit.fact.sentence or ''}\n{excerpt or ''}".strip()
