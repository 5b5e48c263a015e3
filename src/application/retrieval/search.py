"""Search: candidates by words, meaning and names; fused and blended, perhaps judged again or widened by the graph."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime

import numpy as np
from numpy.typing import NDArray

from application.models.metering import ConfiguredEmbedder, embedder_for
from application.retrieval.passages import cited_passages, fused_passages
from application.retrieval.sides import Sides
from application.retrieval.stages import Stages
from application.retrieval.types import CHUNKS, FACTS, Hit, PassageHit, SearchRequest, SearchResult, SearchSettings
from application.retrieval.vocabulary import Vocabularies
from application.retrieval.widening import Widening
from domain.errors import BudgetExhausted, ModelReplyInvalid, Unavailable
from domain.identity.access import Access
from domain.identity.ids import StandingId
from domain.identity.permissions import Action, permit
from domain.knowledge.predicate import Vocabulary
from domain.ports.clock import Clock
from domain.ports.reranker import Reranker
from domain.ports.search_index import CandidateQuery, Candidates, SearchIndex
from domain.retrieval.answering import answers
from domain.retrieval.blend import Ranked, normalised, order_key, ranked, signals_of
from domain.retrieval.closeness import Match, best, match_of
from domain.retrieval.directions import stored_directions
from domain.retrieval.facts import StandingFact
from domain.retrieval.fusion import Fusing, RankedList, fused_scores
from domain.retrieval.naming import grams
from domain.retrieval.phrases import Phrasebook
from domain.retrieval.pinning import Pins
from domain.retrieval.question import Question, possible_predicates, read_question
from domain.retrieval.rerank import mixed


@dataclass(frozen=True, slots=True)
class _Stopped:
    """The clock of a snapshot."""

    moment: datetime

    def now(self) -> datetime:
        return self.moment


@dataclass(frozen=True, slots=True)
class SearchModels:
    """The models of a search; each may be absent."""

    embedder: ConfiguredEmbedder | None = None
    reranker: Reranker | None = None


class Search:
    """Finds the facts, and on request the passages, that answer a question.

    - The query is embedded outside any transaction; without vectors, words and names still answer, and a note says so.
    - Time, lifecycle, scopes and filters hold before every limit; rows are loaded under the caller's scopes.
    - Lists are fused by reciprocal rank, then blended with authority, verification, recency, feedback and confidence;
      every hit returns its signals. Of equal scores a correction comes first.
    - The reranker, where there is one, judges the first candidates. When it does not answer, the order stays.
    - Expansion only adds when it is asked for; without entities or a graph it changes nothing.
    - Two sides of a disputed slot that answer alike are ordered by their standing, whatever the words rank first.
    - Facts that answer the question as read (the predicate that its words ask for, of what it names, on its side) come
      before others that share its words.
    - What has nothing to do with the question is no answer: then the result is empty and says so.
    - A disputed fact shows its rivals, and what another scope says differently.
    - By a snapshot the same question gets the same answer ever after: its weights, its vectors and its moment count.
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
        if request.point.pins is not None and not isinstance(self._clock, _Stopped):
            return await self._pinned(request.point.pins)(access, request)
        now = self._clock.now()
        as_of = None if request.point.all_time else request.point.as_of or now
        notes: list[str] = []
        stages = Stages()
        book = await self._phrases(access, request) if FACTS in request.sections or request.predicates else None
        with stages.of("embed"):
            vector = await self._embedded(access, request, notes)
        query = self._query(request, as_of, vector, book)
        with stages.of("candidates"):
            found = await self._index.candidates(access, query)
        if query.vector is not None and not found.embedded:
            notes.append("this organization has no vectors of the configured model yet; words and names answered")
        ranked: list[Ranked] = []
        hits: list[Hit] = []
        sides: Sides | None = None
        if book is not None and FACTS in request.sections:
            moment = await self._moment(access, request, now)
            with stages.of("blend"):
                sides = Sides(request.query, read_question(request.query, book, found.named, found.entities))
                ranked = self._ranked(request, found, sides.question, moment)
            with stages.of("load"):
                hits = await self._shown(access, request, ranked, moment, sides)
        passages: list[PassageHit] = []
        if CHUNKS in request.sections and not request.cited_only:
            with stages.of("passages"):
                passages = await fused_passages(
                    self._index, access, found, self._settings, request.limit, request.point
                )
        facts = await self._match(access, request, found, ranked, hits)
        if request.filter.untainted:
            passages = [hit for hit in passages if not hit.passage.tainted]
        narrative = self._passage_match(request.query, found, passages)
        hits = hits if facts is not Match.NONE else []
        passages = passages if narrative is not Match.NONE else []
        hits = await self._finished(access, request, hits, now, notes, stages, sides)
        if CHUNKS in request.sections and request.cited_only:
            with stages.of("passages"):
                passages = await cited_passages(self._index, access, query, hits, self._settings, request.limit)
        match = best((facts, narrative))
        entities = found.entities if request.point.pins is None else tuple(sorted(found.entities))
        return SearchResult(tuple(hits), tuple(passages), entities, as_of, tuple(notes), match, stages.seconds)

    def _pinned(self, pins: Pins) -> Search:
        """The same search with a snapshot's weights and moment; no model judges again, whose word may change."""
        settings = SearchSettings.of_pinned(pins.weights)
        models = SearchModels(self._embedder)
        return Search(self._index, self._vocabularies, _Stopped(pins.as_of), models, self._widening, settings)

    async def _phrases(self, access: Access, request: SearchRequest) -> Phrasebook:
        return await self._vocabularies.phrases(access, request.point.vocabulary_at)

    def _query(
        self,
        request: SearchRequest,
        as_of: datetime | None,
        vector: NDArray[np.float32] | None,
        book: Phrasebook | None,
    ) -> CandidateQuery:
        chunks = CHUNKS in request.sections and not request.cited_only
        predicates = _stored(request.predicates, book.vocabulary) if book is not None else ()
        asked, answering = possible_predicates(request.query, book) if book is not None else ((), ())
        return CandidateQuery(
            text=request.query,
            names=tuple(grams(request.query)),
            vector=vector,
            model=self._embedder.model if self._embedder else None,
            facts=self._settings.depth if FACTS in request.sections else 0,
            chunks=self._settings.depth if chunks else 0,
            point=request.point,
            as_of=as_of,
            filter=request.filter,
            predicates=predicates,
            asked=tuple(name for name in asked if not predicates or name in predicates),
            answering=answering,
            fusing=self._fusing(request) if FACTS in request.sections else None,
        )

    def _fusing(self, request: SearchRequest) -> Fusing:
        chosen = self._settings
        return Fusing(
            max(chosen.pool, request.limit),
            chosen.text_weight,
            chosen.vector_weight,
            chosen.about_weight,
            chosen.about_weight,
            chosen.constant,
        )

    async def _moment(self, access: Access, request: SearchRequest, now: datetime) -> datetime:
        """What recency counts from: the moment asked about, else the commit of the revision asked for, else now."""
        known_at = request.point.known_at
        if request.point.as_of is not None or known_at is None:
            return request.point.as_of or now
        return await self._index.committed_at(access, known_at) or now

    async def _embedded(self, access: Access, request: SearchRequest, notes: list[str]) -> NDArray[np.float32] | None:
        if self._embedder is None:
            return None
        pins = request.point.pins
        if pins is not None and (pins.vectors is None or pins.vectors.model != self._embedder.model):
            there = f"those of {pins.vectors.model}, which is not configured" if pins.vectors else "none"
            notes.append(f"searched without vectors: the snapshot has {there}")
            return None
        try:
            vectors = await embedder_for(access, self._embedder).embed_queries([request.query])
        except (Unavailable, BudgetExhausted) as error:
            notes.append(f"searched without vectors: {error.message}")
            return None
        row: NDArray[np.float32] = vectors[0]
        return row

    def _ranked(self, request: SearchRequest, found: Candidates, question: Question, now: datetime) -> list[Ranked]:
        """Everything that the lists hold, up to the pool, in the order of the blend."""
        fusing = self._fusing(request)
        lists = [
            RankedList("text", fusing.text_weight, found.text),
            RankedList("vector", fusing.vector_weight, found.vector),
            RankedList("about", fusing.about_weight, found.about),
            RankedList("asked", fusing.asked_weight, found.asked),
        ]
        fused = fused_scores(lists, fusing.constant)[: fusing.pool]
        pool = [(found.outlines[id], score) for each, score in fused if (id := StandingId(each)) in found.outlines]
        levels = normalised([score + self._settings.answer_weight * answers(question, fact) for fact, score in pool])
        return ranked([fact for fact, _ in pool], levels, self._settings.blend, now)

    async def _shown(
        self, access: Access, request: SearchRequest, ranked: Sequence[Ranked], now: datetime, sides: Sides
    ) -> list[Hit]:
        """Those that are shown or judged again, with citations and rivals; one that was erased meanwhile is gone."""
        wanted = self._wanted(request)
        hits = await self._loaded(access, request, ranked[:wanted], now)
        # The better-graded side of what is shown may come right behind it.
        rivals = {rival.standing_id for hit in hits for rival in hit.fact.rivals if not rival.differs_by_scope}
        if behind := [each for each in ranked[wanted:] if each.outline.standing_id in rivals]:
            hits += await self._loaded(access, request, behind, now)
        return sides.in_order(hits)[:wanted]

    async def _loaded(
        self, access: Access, request: SearchRequest, chosen: Sequence[Ranked], now: datetime
    ) -> list[Hit]:
        facts = await self._index.load(
            access, [each.outline.standing_id for each in chosen], request.point, request.filter
        )
        loaded = {fact.standing_id: fact for fact in facts}
        return [
            Hit(fact, each.score, signals_of(each.outline, each.relevance, now))
            for each in chosen
            if (fact := loaded.get(each.outline.standing_id)) is not None
        ]

    def _wanted(self, request: SearchRequest) -> int:
        judged = request.rerank and self._reranker is not None
        return max(request.limit, self._settings.rerank_pool) if judged else request.limit

    async def _finished(
        self,
        access: Access,
        request: SearchRequest,
        hits: list[Hit],
        now: datetime,
        notes: list[str],
        stages: Stages,
        sides: Sides | None,
    ) -> list[Hit]:
        """Judged again and widened, where that is asked for, and cut to the limit."""
        if request.rerank and self._reranker is not None and hits:
            with stages.of("rerank"):
                hits = await self._reranked(access, request.query, hits, notes)
        if request.expansion is not None and self._widening is not None:
            with stages.of("expand"):
                first = hits[: request.limit]
                hits = _ordered(await self._widening(access, request, first, self._settings, now, notes))
        return (sides.in_order(hits) if sides is not None else hits)[: request.limit]

    async def _match(
        self,
        access: Access,
        request: SearchRequest,
        found: Candidates,
        ranked: Sequence[Ranked],
        hits: Sequence[Hit],
    ) -> Match:
        """Of the facts. Those that are not shown are read only when no shown one is close."""
        if found.about or found.asked:
            return Match.CLOSE
        if not ranked:
            return Match.NONE
        nearness = self._embedder.nearness if self._embedder else None
        band = nearness.facts if nearness else None
        match = match_of(request.query, _sentences(hit.fact for hit in hits), found.nearest, band)
        if match is Match.CLOSE or len(ranked) <= self._wanted(request):
            return match
        others = [each.outline.standing_id for each in ranked[self._wanted(request) :]]
        facts = await self._index.load(access, others, request.point, request.filter)
        return match_of(request.query, _sentences(facts), found.nearest, band)

    def _passage_match(self, query: str, found: Candidates, passages: Sequence[PassageHit]) -> Match:
        if not passages:
            return Match.NONE
        nearness = self._embedder.nearness if self._embedder else None
        texts = (hit.passage.text for hit in passages)
        return match_of(query, texts, found.nearest_chunk, nearness.passages if nearness else None)

    async def _reranked(self, access: Access, query: str, hits: list[Hit], notes: list[str]) -> list[Hit]:
        assert self._reranker is not None
        first, rest = hits[: self._settings.rerank_pool], hits[self._settings.rerank_pool :]
        passages = [_judged_text(hit) for hit in first]
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


def _stored(stated: Sequence[str], vocabulary: Vocabulary) -> tuple[str, ...]:
    if not stated:
        return ()
    forward, backward = stored_directions(stated, vocabulary)
    return tuple(dict.fromkeys((*(forward or ()), *(backward or ()))))


def _ordered(hits: Sequence[Hit]) -> list[Hit]:
    return sorted(hits, key=lambda hit: order_key(hit.score, hit.fact))


def _sentences(facts: Iterable[StandingFact]) -> Iterator[str]:
    return (fact.sentence or "" for fact in facts)


def _judged_text(hit: Hit) -> str:
    citation = hit.fact.citation
    excerpt = citation.paragraph if citation else None
    return f"{hit.fact.sentence or ''}\n{excerpt or ''}".strip()
