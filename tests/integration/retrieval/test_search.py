"""Search as a whole, on PostgreSQL, with the deterministic embedder and the postgres graph."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime, timedelta
from uuid import UUID

import asyncpg
import pytest

from adapters.embeddings.deterministic import DeterministicEmbedder
from adapters.postgres.knowledge_reader import PostgresKnowledgeReader
from adapters.postgres.memory_engine import PostgresMemoryEngine
from adapters.postgres.search_index import PostgresSearchIndex
from adapters.postgres.vector_store import PostgresVectorStore
from application.retrieval.search import Search, SearchModels
from application.retrieval.types import CHUNKS, FACTS, SearchRequest, SearchResult
from application.retrieval.vocabulary import Vocabularies
from application.retrieval.widening import Widening
from domain.errors import InvalidInput, Unavailable
from domain.identity.access import Access
from domain.identity.ids import GroupId, OrganizationId
from domain.ports.vector_store import VectorKind
from domain.retrieval.blend import BlendWeights
from domain.retrieval.closeness import Band, Match, Nearness
from domain.retrieval.expansion import Expansion
from domain.retrieval.reading import FactFilter, ReadPoint
from tests.services.small_record import OBSERVED, SmallRecord

NOW = OBSERVED + timedelta(days=30)


class StillClock:
    """Always the same moment."""

    def now(self) -> datetime:
        return NOW


@dataclass
class LastWordReranker:
    """Prefers passages that end with a word; or does not answer."""

    word: str
    answers: bool = True

    async def score(
        self, query: str, passages: Sequence[str], *, organization_id: OrganizationId, group_id: GroupId
    ) -> list[float]:
        if not self.answers:
            raise Unavailable("the reranker is away")
        return [1.0 if self.word in passage else 0.0 for passage in passages]


@pytest.fixture
def build(pool: asyncpg.Pool) -> Build:
    return Build(pool)


@dataclass
class Build:
    pool: asyncpg.Pool

    def search(self, models: SearchModels | None = None) -> Search:
        index = PostgresSearchIndex(self.pool)
        vocabularies = Vocabularies(PostgresKnowledgeReader(self.pool), StillClock())
        engine = PostgresMemoryEngine(self.pool)
        return Search(index, vocabularies, StillClock(), models, Widening(index, engine, engine))

    async def embed(self, access: Access, embedder: DeterministicEmbedder) -> None:
        """What the worker does: everything that is pending."""
        access = replace(access, write_scopes=access.read_scopes)
        store = PostgresVectorStore(self.pool)
        active = (await store.ensure(access, embedder.model, embedder.dimension)).active
        assert active is not None
        for kind in VectorKind:
            pending = await store.pending(access, active, kind, active.watermark, 1_000)
            rows = await embedder.embed_passages([item.text for item in pending])
            await store.store(access, active, kind, [item.id for item in pending], rows)


def told(result: SearchResult) -> list[str | None]:
    return [hit.fact.sentence for hit in result.hits]


async def test_words_vectors_and_names_are_fused_and_every_hit_tells_its_signals(
    record: SmallRecord, build: Build
) -> None:
    await record.fact("Acme", "HAS_CEO", "Ann", tier=1, verification="human")
    await record.fact("Acme", "OWNS", "Brik")
    await record.fact("Dane", "OWNS", "Clay")
    embedder = DeterministicEmbedder()
    access = record.access()
    await build.embed(access, embedder)
    result = await build.search(SearchModels(embedder))(access, SearchRequest("Who is the CEO of Acme?"))
    assert told(result)[:2] == ["Acme has ceo Ann", "Acme owns Brik"]
    first = result.hits[0]
    assert (first.signals.relevance, first.signals.authority, first.signals.verification) == (1.0, 1.0, 1.0)
    assert (first.signals.recency, first.signals.feedback, first.signals.confidence) == (0.5, 0.5, 0.9)
    assert first.score == pytest.approx(BlendWeights().score(first.signals))
    assert result.entities == (await record.entity("Acme"),)
    assert result.notes == ()
    again = await build.search(SearchModels(embedder))(access, SearchRequest("Who is the CEO of Acme?"))
    assert again == result


async def test_without_vectors_words_answer_and_a_note_says_so(record: SmallRecord, build: Build) -> None:
    await record.fact("Acme", "OWNS", "Brik")
    result = await build.search(SearchModels(DeterministicEmbedder()))(record.access(), SearchRequest("acme"))
    assert told(result) == ["Acme owns Brik"]
    assert result.notes == ("this organization has no vectors of the configured model yet; words and names answered",)


async def test_nothing_found_is_an_empty_answer(record: SmallRecord, build: Build) -> None:
    result = await build.search()(record.access(), SearchRequest("zzz", sections=(FACTS, CHUNKS)))
    assert (result.hits, result.passages, result.entities) == ((), (), ())
    assert result.as_of == NOW


async def test_what_has_nothing_to_do_with_the_question_is_no_answer(record: SmallRecord, build: Build) -> None:
    document = await record.document("notes of Brik")
    await record.chunk(document, "Clay is sold by the Brik works.")
    await record.fact("Acme", "OWNS", "Brik", sentence="Acme is the owner of Brik")
    embedder, access = DeterministicEmbedder(), record.access()
    await build.embed(access, embedder)
    both = (FACTS, CHUNKS)
    unmeasured = build.search(SearchModels(embedder))
    assert len((await unmeasured(access, SearchRequest("what is the weather by now"))).hits) == 1
    embedder.nearness = Nearness(facts=Band(0.9, 0.95), passages=Band(0.9, 0.95))
    search = build.search(SearchModels(embedder))
    for words_only in (build.search(), search):
        nothing = await words_only(access, SearchRequest("what is the weather by now", sections=both))
        assert (nothing.hits, nothing.passages, nothing.match) == ((), (), Match.NONE)
        shared = await words_only(access, SearchRequest("who is an owner", sections=both))
        assert (told(shared), shared.match) == (["Acme is the owner of Brik"], Match.CLOSE)
    embedder.nearness = Nearness(facts=Band(-1.0, 0.95), passages=Band(0.9, 0.95))
    weak = await search(access, SearchRequest("what is the weather by now", sections=both))
    assert weak.passages == ()
    assert (told(weak), weak.match) == (["Acme is the owner of Brik"], Match.WEAK)


async def test_a_result_tells_how_long_each_stage_took(record: SmallRecord, build: Build) -> None:
    await record.fact("Acme", "OWNS", "Brik")
    search, access = build.search(SearchModels(reranker=LastWordReranker("Brik"))), record.access()
    result = await search(access, SearchRequest("Acme", sections=(FACTS, CHUNKS), expansion=Expansion()))
    assert list(result.seconds) == ["embed", "candidates", "blend", "load", "passages", "rerank", "expand"]
    assert all(seconds > 0 for seconds in result.seconds.values())


async def test_facts_and_narrative_come_in_their_own_sections(record: SmallRecord, build: Build) -> None:
    cited, other = await record.document("cited"), await record.document("other")
    chunk = await record.chunk(cited, "Acme owns Brik, and so on.")
    stray = await record.chunk(other, "Brik is a town near Acme hill.")
    await record.fact("Acme", "OWNS", "Brik", document=cited, chunk=chunk)
    search, access = build.search(), record.access()
    facts = await search(access, SearchRequest("Brik"))
    assert (told(facts), facts.passages) == (["Acme owns Brik"], ())
    both = await search(access, SearchRequest("Brik", sections=(FACTS, CHUNKS)))
    assert {hit.passage.chunk_id for hit in both.passages} == {chunk, stray}
    only = await search(access, SearchRequest("Brik", sections=(FACTS, CHUNKS), cited_only=True))
    assert [hit.passage.chunk_id for hit in only.passages] == [chunk]
    chunks = await search(access, SearchRequest("Brik", sections=(CHUNKS,)))
    assert (chunks.hits, len(chunks.passages)) == ((), 2)


async def test_expansion_adds_neighbours_and_without_it_results_are_the_same(record: SmallRecord, build: Build) -> None:
    await record.fact("Acme", "OWNS", "Brik")
    await record.fact("Brik", "MADE_BY", "Otto")
    await record.fact("Otto", "BORN_IN", "Bonn")
    search, access = build.search(), record.access()
    plain = await search(access, SearchRequest("Acme"))
    one = await search(access, SearchRequest("Acme", expansion=Expansion(hops=1)))
    two = await search(access, SearchRequest("Acme", expansion=Expansion(hops=2)))
    assert told(plain) == ["Acme owns Brik"]
    assert told(one) == ["Acme owns Brik", "Brik made by Otto"]
    assert told(two) == ["Acme owns Brik", "Brik made by Otto", "Otto born in Bonn"]
    assert [hit.hops for hit in two.hits] == [0, 1, 2]
    assert one.hits[:1] == plain.hits
    filtered = SearchRequest("Acme", expansion=Expansion(), filter=FactFilter(documents=(UUID(int=1),)))  # type: ignore[arg-type]
    assert told(await search(access, filtered)) == []
    assert told(await search(access, SearchRequest("zzz", expansion=Expansion()))) == []


async def test_a_reranker_mixes_in_and_when_it_is_away_the_order_stays(record: SmallRecord, build: Build) -> None:
    for name in ("Brik", "Clay", "Dorn"):
        await record.fact("Acme", "OWNS", name)
    access = record.access()
    plain = await build.search()(access, SearchRequest("acme owns"))
    second = plain.hits[1].fact.sentence
    assert second is not None
    likes_second = SearchModels(reranker=LastWordReranker(second.split()[-1]))
    absent = SearchModels(reranker=LastWordReranker("", answers=False))
    away = await build.search(absent)(access, SearchRequest("acme owns"))
    assert told(away) == told(plain)
    assert away.notes == ("not reranked: the reranker is away",)
    judged = await build.search(likes_second)(access, SearchRequest("acme owns"))
    assert judged.hits[0].fact.sentence == second
    assert judged.hits[0].reranked == 1.0
    skipped = await build.search(likes_second)(access, SearchRequest("acme owns", rerank=False))
    assert told(skipped) == told(plain)


async def test_predicates_filter_in_any_spelling_and_either_direction(record: SmallRecord, build: Build) -> None:
    await record.fact("Acme", "OWNS", "Brik")
    await record.fact("Acme", "HAS_CEO", "Ann")
    search, access = build.search(), record.access()
    for spelling in ("owns", "owner of", "ownedBy", "is owned by"):
        assert told(await search(access, SearchRequest("acme", predicates=(spelling,)))) == ["Acme owns Brik"]


async def test_the_moment_asked_about_decides_which_segment_answers(record: SmallRecord, build: Build) -> None:
    move = datetime(2024, 1, 1, tzinfo=UTC)
    await record.fact("Acme", "SEAT", "Bonn", valid_to=move)
    await record.fact("Acme", "SEAT", "Rome", valid_from=move)
    search, access = build.search(), record.access()
    assert told(await search(access, SearchRequest("acme seat"))) == ["Acme seat Rome"]
    before = ReadPoint(as_of=datetime(2020, 1, 1, tzinfo=UTC))
    assert told(await search(access, SearchRequest("acme seat", point=before))) == ["Acme seat Bonn"]
    both = await search(access, SearchRequest("acme seat", point=ReadPoint(all_time=True)))
    assert {hit.fact.sentence: hit.signals.recency for hit in both.hits} == {
        "Acme seat Rome": 0.5,
        "Acme seat Bonn": 0.0,
    }


async def test_feedback_moves_a_hit(record: SmallRecord, build: Build) -> None:
    await record.fact("Acme", "OWNS", "Brik")
    liked = await record.fact("Acme", "OWNS", "Clay")
    await record.put(
        "feedback", group_id=record.group("work"), feedback_id=UUID(int=5), fact_id=liked,
        principal_id=record.organization, helpful=True, revision=1,
    )  # fmt: skip
    result = await build.search()(record.access(), SearchRequest("acme owns"))
    assert told(result)[0] == "Acme owns Clay"
    assert result.hits[0].signals.feedback == pytest.approx(2 / 3)


def test_an_empty_or_oversized_question_is_refused() -> None:
    wrongs: tuple[dict[str, object], ...] = (
        {"query": "  "}, {"query": "x" * 2_001}, {"query": "x", "limit": 0}, {"query": "x", "sections": ("all",)},
    )  # fmt: skip
    for wrong in wrongs:
        with pytest.raises(InvalidInput):
            SearchRequest(**wrong)  # type: ignore[arg-type]


async def test_the_better_graded_side_of_a_disputed_slot_comes_first_also_where_only_one_is_shown(
    record: SmallRecord, build: Build
) -> None:
    shared = {"lifecycle": "disputed", "slot": "seat"}
    late = OBSERVED + timedelta(days=29)
    await record.fact("Acme", "HEADQUARTERED_IN", "Rome", **shared, confidence=0.3, observed_at=late)  # type: ignore[arg-type]
    await record.fact("Acme", "HEADQUARTERED_IN", "Bonn", **shared, confidence=0.4)  # type: ignore[arg-type]
    await record.fact("Acme", "OWNS", "Brik")
    search, access = build.search(), record.access()
    question = "Where is Acme headquartered?"
    both = await search(access, SearchRequest(question))
    assert told(both)[:2] == ["Acme headquartered in Bonn", "Acme headquartered in Rome"]
    assert both.hits[0].score < both.hits[1].score, "what is newer has the higher score"
    assert told(await search(access, SearchRequest(question, limit=1))) == told(both)[:1]
    named = await search(access, SearchRequest("Is Acme headquartered in Rome?"))
    assert told(named)[0] == "Acme headquartered in Rome"
