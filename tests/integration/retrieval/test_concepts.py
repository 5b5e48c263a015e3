"""Concepts in the record: stated by documents and triples, related, grounded at read time, found and walked."""

from __future__ import annotations

import json
from collections.abc import AsyncIterator
from dataclasses import replace
from typing import Any
from uuid import uuid4

import pytest

from adapters.embeddings.deterministic import DeterministicEmbedder
from adapters.postgres.concepts import PostgresConceptReader
from adapters.postgres.knowledge_reader import PostgresKnowledgeReader
from adapters.postgres.memory_engine import PostgresMemoryEngine
from adapters.postgres.vector_store import PostgresVectorStore
from adapters.system.clock import SystemClock
from application.ingestion.sources import SourceSpec
from application.retrieval.concepts import NO_VECTORS, ConceptReads, get_concept, search_concepts
from application.retrieval.queries import Term
from application.retrieval.traversal import GraphReads, Walk, neighbourhood, shortest_path
from application.retrieval.vocabulary import Vocabularies
from domain.errors import NotFound
from domain.identity.ids import EntityId
from domain.knowledge.concept import ConceptKind
from domain.ports.documents import Receipt
from domain.ports.vector_store import VectorKind
from domain.retrieval.closeness import Match
from domain.retrieval.concepts import Concept, ConceptDetails, ConceptsQuery, FoundConcepts
from domain.retrieval.reading import FactFilter, ReadPoint
from domain.standing.grounding import EpistemicStatus
from tests.services.world import World, new_world

pytestmark = pytest.mark.services
RETRIES, ONCE = "Retries must be idempotent", "Messages are delivered once"
MAPPING: dict[str, Any] = {
    "subject": "id", "key": "id",
    "concepts": [
        {
            "label": "statement", "kind_column": "type", "terms": "keywords", "quote": "words", "split": ";",
            "relations": [{"column": "against", "relation": "CONTRADICTS"}],
        }
    ],
}  # fmt: skip
BOOK = (
    "id,statement,type,keywords,words,against\n"
    '1,Retries must be idempotent,principle,safe repetition;retry,"Every retry has to be idempotent.",\n'
    "2,Messages are delivered once,claim,,Each message comes once.,Retries must be idempotent\n"
    "3,Caches lie,idea,,,\n"
)


@pytest.fixture
def reads(world: World) -> ConceptReads:
    facts = PostgresKnowledgeReader(world.pool)
    vocabularies = Vocabularies(facts, SystemClock())
    return ConceptReads(PostgresConceptReader(world.pool), facts, vocabularies, world.keys, DeterministicEmbedder())


async def lines(*items: dict[str, Any]) -> AsyncIterator[bytes]:
    for item in items:
        yield json.dumps(item).encode()


def states(label: str, kind: str, **more: Any) -> dict[str, Any]:
    return {"subject": {"concept": label}, "predicate": "concept kind", "object": {"text": kind}, "kind": "fact"} | more


def relates(label: str, relation: str, other: str, **more: Any) -> dict[str, Any]:
    return {"subject": {"concept": label}, "predicate": relation, "object": {"concept": other}, "kind": "fact"} | more


async def load(world: World, source: str, *items: dict[str, Any]) -> Receipt:
    receipt = await world.triples(world.access, SourceSpec(source, "record_export"), "load", lines(*items))
    assert receipt.rejected == 0, receipt.rejections
    return receipt


async def ids(world: World) -> dict[str, EntityId]:
    return {row["name"]: row["entity_id"] for row in await world.rows("SELECT * FROM entities WHERE kind = 'concept'")}


async def concept(world: World, reads: ConceptReads, label: str, point: ReadPoint | None = None) -> Concept:
    return (await get_concept(reads, world.access, Term(name=label), point)).concept


async def embed(world: World) -> None:
    embedder, store = DeterministicEmbedder(), PostgresVectorStore(world.pool)
    access = replace(world.access, write_scopes=world.access.read_scopes)
    active = (await store.ensure(access, embedder.model, embedder.dimension)).active
    assert active is not None
    for kind in VectorKind:
        pending = await store.pending(access, active, kind, active.watermark, 1_000)
        vectors = await embedder.embed_passages([item.text for item in pending])
        await store.store(access, active, kind, [item.id for item in pending], vectors)


async def test_records_state_concepts_with_quotes_and_what_does_not_fit_is_rejected(
    world: World, reads: ConceptReads
) -> None:
    receipt = await world.read(BOOK, "book.csv", mapping=MAPPING, title="The book")
    assert (receipt.status, receipt.items, receipt.stored, receipt.rejected) == ("completed", 6, 5, 1)
    assert [(r.place, r.rejection.code) for r in receipt.rejections] == [("row 4", "concept_kind_unknown")]
    known = await ids(world)
    assert set(known) == {RETRIES, ONCE}
    found = await get_concept(reads, world.access, Term(id=known[RETRIES]))
    assert (found.concept.kind, found.concept.label) == (ConceptKind.PRINCIPLE, RETRIES)
    assert found.concept.terms == ("retry", "safe repetition")
    (quote,) = found.concept.quotes
    assert (quote.excerpt, quote.title, quote.pointer) == ("Every retry has to be idempotent.", "The book", "row 2")
    assert [(link.relation, link.other.name) for link in found.links] == [("CONTRADICTS", ONCE)]
    assert [other.name for other in found.concept.contradicted_by] == [ONCE]
    with pytest.raises(NotFound):
        await get_concept(reads, world.access, Term(id=EntityId(uuid4())))


async def test_the_same_label_from_two_sources_is_one_concept_and_a_thing_called_so_is_another(
    world: World, reads: ConceptReads
) -> None:
    await load(world, "handbook", states(RETRIES, "principle", excerpt="Retry safely."))
    await load(world, "wiki", states("retries MUST be  idempotent.", "claim", confidence=0.5))
    await load(world, "notes", {"subject": RETRIES, "predicate": "owned by", "object": "Ann"})
    assert list(await ids(world)) == [RETRIES]
    things = await world.rows("SELECT kind FROM entities WHERE name = $1", RETRIES)
    assert sorted(str(row["kind"]) for row in things) == ["None", "concept"]
    found = await concept(world, reads, RETRIES)
    assert [(k.kind, k.sources, k.mass) for k in found.kinds] == [
        (ConceptKind.PRINCIPLE, 1, 0.85), (ConceptKind.CLAIM, 1, 0.425),
    ]  # fmt: skip
    assert (found.sources, found.support_mass, found.quotes[0].excerpt) == (2, 1.275, "Retry safely.")
    assert found.grounding.value == 1.275 / (1.275 + 2)


async def test_concepts_that_disagree_are_both_kept_and_nothing_else_changes_its_standing(
    world: World, reads: ConceptReads
) -> None:
    await load(world, "handbook", states(RETRIES, "principle"), relates("Duplicates are harmless", "supports", RETRIES))
    await load(world, "wiki", states(ONCE, "claim"))
    standing = "SELECT standing_id, standing_hash, to_rev FROM standings ORDER BY standing_id"
    before = await world.rows(standing)
    then = (await load(world, "review", states("unrelated", "event"))).revision
    await load(world, "forum", relates(ONCE, "contradicts", RETRIES))
    after = await world.rows(standing)
    assert [row for row in after if row in before] == before
    lifecycles = await world.rows("SELECT DISTINCT lifecycle FROM standings")
    assert [row["lifecycle"] for row in lifecycles] == ["active"]
    found = await concept(world, reads, RETRIES)
    assert (found.support_mass, found.refute_mass, found.sources) == (0.85, 0.85, 1)
    assert (found.grounding.value, found.grounding.status) == (0.0, EpistemicStatus.CONTESTED)
    other = await concept(world, reads, ONCE)
    assert (other.refute_mass, other.contradicted_by[0].name) == (0.85, RETRIES)
    earlier = await concept(world, reads, RETRIES, ReadPoint(known_at=then))
    assert (earlier.refute_mass, earlier.contradicted_by) == (0.0, ())


async def test_what_was_a_principle_until_a_year_is_historical_after_it(world: World, reads: ConceptReads) -> None:
    await load(world, "handbook", states(RETRIES, "principle", valid_from="2010", valid_to="2020"))
    now = await concept(world, reads, RETRIES)
    assert (now.grounding.status, now.kind) == (EpistemicStatus.HISTORICAL, ConceptKind.PRINCIPLE)


async def search(world: World, reads: ConceptReads, text: str, **asked: Any) -> list[str]:
    found: FoundConcepts = await search_concepts(reads, world.access, ConceptsQuery(text, **asked))
    return [each.concept.label for each in found.concepts]


async def test_concepts_are_found_by_words_terms_and_meaning_within_the_filters(
    world: World, reads: ConceptReads
) -> None:
    await world.read(BOOK, "book.csv", mapping=MAPPING, collection="books")
    revision = (await load(world, "wiki", states("Messages are signed", "definition"))).revision
    blind = await search_concepts(reads, world.access, ConceptsQuery("messages"))
    assert (blind.notes, len(blind.concepts)) == ((NO_VECTORS,), 2)
    await embed(world)
    assert (await search(world, reads, "safe repetition"))[0] == RETRIES
    assert (await search(world, reads, "message delivery"))[0] == ONCE
    assert await search(world, reads, "messages", kinds=(ConceptKind.DEFINITION,)) == ["Messages are signed"]
    assert set(await search(world, reads, "messages", filter=FactFilter(collections=("books",)))) == {ONCE, RETRIES}
    assert await search(world, reads, "signed", filter=FactFilter(collections=("nothing",))) == []
    assert revision is not None
    earlier = ReadPoint(known_at=type(revision)(revision - 1))
    assert "Messages are signed" not in await search(world, reads, "signed messages", point=earlier)
    document = (await world.rows("SELECT document_id FROM documents d JOIN collections USING (collection_id)"))[0][0]
    await world.retract.document(world.access, document, "withdrawn")
    assert await search(world, reads, "messages delivered") == ["Messages are signed"]
    assert (await concept(world, reads, ONCE)).quotes == ()
    elsewhere = await new_world(world.pool)
    found = await search_concepts(reads, elsewhere.access, ConceptsQuery("messages"))
    assert (found.concepts, found.match) == ((), Match.NONE)
    with pytest.raises(NotFound):
        await get_concept(reads, elsewhere.access, Term(id=(await ids(world))[ONCE]))


async def test_a_cycle_of_relations_hangs_nothing(world: World, reads: ConceptReads) -> None:
    around = ["A holds", "B holds", "C holds"]
    steps = [relates(here, "implies", there) for here, there in zip(around, [*around[1:], around[0]], strict=True)]
    await load(world, "wiki", *steps, relates("A holds", "causes", "B holds"))
    known = await ids(world)
    details: ConceptDetails = await get_concept(reads, world.access, Term(name="b holds"))
    assert sorted((link.relation, link.other.name) for link in details.links) == [
        ("CAUSED_BY", "A holds"), ("IMPLIED_BY", "A holds"), ("IMPLIES", "C holds"),
    ]  # fmt: skip
    assert details.concept.grounding.status is EpistemicStatus.INSUFFICIENT_DATA
    engine = PostgresMemoryEngine(world.pool)
    graph = GraphReads(engine, engine, reads.facts, reads.vocabularies, SystemClock())
    surroundings = await neighbourhood(graph, world.access, Term(id=known["A holds"]), Walk(hops=3))
    assert len(surroundings.facts) == 4
    path = await shortest_path(graph, world.access, Term(id=known["B holds"]), Term(id=known["A holds"]), Walk(hops=4))
    assert path.facts is not None
    assert len(path.facts) == 1
