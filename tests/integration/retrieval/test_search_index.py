"""Candidates by words, names and vectors on PostgreSQL, as the application role."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from datetime import UTC, datetime
from uuid import UUID

import numpy as np

from adapters.postgres.search_index import PostgresSearchIndex
from adapters.postgres.vector_store import PostgresVectorStore
from domain.identity.access import Access
from domain.identity.ids import ChunkId, DocumentId, Revision
from domain.ports.search_index import CandidateQuery
from domain.ports.vector_store import VectorKind
from domain.retrieval.facts import Named, Outline, StandingFact
from domain.retrieval.fusion import Fusing, RankedList, fuse
from domain.retrieval.naming import grams
from domain.retrieval.reading import FactFilter, ReadPoint
from domain.standing.testimony import Lifecycle
from tests.services.small_record import SmallRecord

NOW = datetime(2026, 1, 1, tzinfo=UTC)
WEIGHED = Fusing(50, 0.7, 0.3, 0.3, 0.3)


def query(text: str, **changes: object) -> CandidateQuery:
    values: dict[str, object] = {
        "text": text, "names": tuple(grams(text)), "vector": None, "model": None, "facts": 20, "chunks": 20,
        "point": ReadPoint(), "as_of": NOW,
    }  # fmt: skip
    return CandidateQuery(**(values | changes))  # type: ignore[arg-type]


async def by_text(index: PostgresSearchIndex, access: Access, text: str, **changes: object) -> list[str]:
    found = await index.candidates(access, query(text, **changes))
    return [
        fact.sentence or "" for fact in await index.load(access, found.text, ReadPoint(all_time=True), FactFilter())
    ]


async def test_words_find_facts_best_first(record: SmallRecord, index: PostgresSearchIndex) -> None:
    await record.fact("Acme", "HAS_CEO", "Ann")
    await record.fact("Acme", "OWNS", "Brik")
    await record.fact("Dane", "HAS_CEO", "Bo")
    access = record.access()
    found = await by_text(index, access, "Who is CEO of Acme?")
    assert found[0] == "Acme has ceo Ann"
    assert sorted(found[1:]) == ["Acme owns Brik", "Dane has ceo Bo"]
    assert await by_text(index, access, "nothing here") == []
    assert await by_text(index, access, "'; DROP & | ! :* \\ \x00 ()") == []


async def test_rare_words_weigh_more_also_after_the_words_are_counted(
    record: SmallRecord, index: PostgresSearchIndex
) -> None:
    for number in range(6):
        await record.fact(f"Part {number}", "MADE_OF", "steel")
    await record.fact("Gizmo", "NEEDS", "zirconium steel")
    access = record.access()
    for _ in range(2):
        assert (await by_text(index, access, "steel zirconium"))[0] == "Gizmo needs zirconium steel"
        await index.refresh(access)


async def test_accents_may_be_typed_or_not(record: SmallRecord, index: PostgresSearchIndex) -> None:
    await record.fact("Hà Nội", "CAPITAL_OF", "Việt Nam")
    await record.fact("Ha", "RIVER_OF", "Noi")
    access = record.access()
    assert set(await by_text(index, access, "ha noi")) == {"Hà Nội capital of Việt Nam", "Ha river of Noi"}
    assert (await by_text(index, access, "hà nội"))[0] == "Hà Nội capital of Việt Nam"


async def test_time_lifecycle_and_filters_hold_before_the_limit(
    record: SmallRecord, index: PostgresSearchIndex
) -> None:
    for number in range(5):
        await record.fact("Acme", "SEAT", f"Old {number}", valid_to=datetime(2020, 1, 1, tzinfo=UTC))
        await record.fact("Acme", "SEAT", f"Wrong {number}", lifecycle="superseded")
    policy = await record.document("policy", collection="policies")
    await record.fact("Acme", "SEAT", "Bonn", document=policy)
    access = record.access()
    assert await by_text(index, access, "acme seat", facts=1) == ["Acme seat Bonn"]
    for chosen in (FactFilter(collections=("policies",)), FactFilter(documents=(DocumentId(policy),))):
        assert await by_text(index, access, "acme seat", filter=chosen) == ["Acme seat Bonn"]
    assert await by_text(index, access, "acme seat", filter=FactFilter(tiers=(4,))) == []
    assert await by_text(index, access, "acme seat", predicates=("OWNS",)) == []
    superseded = ReadPoint(lifecycles=(Lifecycle.SUPERSEDED,))
    assert len(await by_text(index, access, "acme seat", point=superseded)) == 5
    assert await by_text(index, access, "acme", point=ReadPoint(known_at=Revision(0))) == []
    assert len(await by_text(index, access, "acme", as_of=datetime(2019, 1, 1, tzinfo=UTC))) == 6


async def test_names_in_the_question_bring_the_facts_of_their_entities_and_aliases(
    record: SmallRecord, index: PostgresSearchIndex
) -> None:
    await record.fact("International Business Machines", "OWNS", "Red Hat", sentence="It bought the maker of Linux")
    await record.fact("IBM", "ALIAS_OF", "International Business Machines", sentence="Big Blue")
    access = record.access()
    found = await index.candidates(access, query("What does IBM own?"))
    assert found.text == ()
    told = [f.sentence or "" for f in await index.load(access, found.about, ReadPoint(), FactFilter())]
    assert sorted(told) == ["Big Blue", "It bought the maker of Linux"]
    assert set(found.entities) == {await record.entity("IBM"), await record.entity("International Business Machines")}


async def test_another_organization_sees_nothing_of_it(record: SmallRecord, index: PostgresSearchIndex) -> None:
    document = await record.document("plan")
    await record.chunk(document, "Acme secret plan")
    await record.fact("Acme", "OWNS", "Brik")
    other = await SmallRecord(record.connection, "other").start()
    for access in (other.access(), record.access("whole")):
        found = await index.candidates(access, query("acme secret plan owns brik"))
        assert (found.text, found.chunk_text, found.about) == ((), (), ())
    assert len((await index.candidates(record.access(), query("acme plan"))).chunk_text) == 1
    assert await index.find_entities(other.access(), "Acme", 5, ReadPoint()) == []


async def test_an_outline_says_what_the_loaded_fact_says(record: SmallRecord, index: PostgresSearchIndex) -> None:
    for sentence in ("Acme owns Brik", "Acme owns Cobble", "Acme has ceo Ann"):
        await record.fact("Acme", sentence.split()[1].upper(), sentence.split()[-1], sentence=sentence)
    access = record.access()
    found = await index.candidates(access, query("acme brik cobble", answering=("OWNS",), fusing=WEIGHED))
    loaded = await index.load(access, found.text, ReadPoint(), FactFilter())
    assert [fact.predicate for fact in loaded] == ["OWNS", "OWNS", "HAS"]
    assert [found.outlines[id] for id in found.text] == [outline_of(fact, {"OWNS"}) for fact in loaded]
    assert set(found.outlines) == {*found.text, *found.about}
    other = await SmallRecord(record.connection, "other").start()
    for access in (other.access(), record.access("whole")):
        assert (await index.candidates(access, query("acme brik cobble", fusing=WEIGHED))).outlines == {}


async def test_outlines_are_those_that_fusing_puts_first(record: SmallRecord, index: PostgresSearchIndex) -> None:
    for number in range(6):
        await record.fact("Acme", "OWNS", f"Brik {number}")
        await record.fact("Dane", "OWNS", f"Brik {number}")
    access, fusing = record.access(), Fusing(5, 0.7, 0.3, 0.3, 0.3)
    found = await index.candidates(access, query("what brik does acme own", asked=("OWNS",), fusing=fusing))
    lists = [("text", 0.7, found.text), ("about", 0.3, found.about), ("asked", 0.3, found.asked)]
    fused = fuse([RankedList(*each) for each in lists])
    assert (len(fused), len(found.outlines)) == (12, 5)
    assert set(found.outlines) == {each.id for each in fused[:5]}
    assert (await index.candidates(access, query("what brik does acme own"))).outlines == {}


def outline_of(fact: StandingFact, answering: set[str]) -> Outline:
    """What ranking should look at of a fact; ends without names, and only of predicates that may answer."""
    subject, object = replace(fact.subject, name=""), fact.object
    if isinstance(object, Named):
        object = replace(object, name="")
    known = fact.predicate in answering
    return Outline(
        fact.standing_id, fact.fact_id, fact.predicate, subject if known else None, object if known else None,
        fact.valid_from, fact.valid_to, fact.tier, fact.verification, fact.corrected, fact.confidence,
        fact.observed_at, fact.helpful, fact.unhelpful,
    )  # fmt: skip


async def test_chunks_come_best_first_and_only_from_asked_documents(
    record: SmallRecord, index: PostgresSearchIndex
) -> None:
    one, two = await record.document("one"), await record.document("two")
    weak = await record.chunk(one, "The seat of Acme, and much else that has little to do with it at all.")
    strong = await record.chunk(one, "Acme seat: the seat is Bonn.", start=100)
    other = await record.chunk(two, "Acme has a seat.")
    access = record.access()
    found = await index.candidates(access, query("seat", facts=0))
    assert found.chunk_text == (strong, other, weak)
    only = query("seat", facts=0, filter=FactFilter(documents=(DocumentId(two),)))
    assert (await index.candidates(access, only)).chunk_text == (other,)
    passages = await index.passages(access, [ChunkId(other), ChunkId(strong)], ReadPoint())
    assert [(p.title, p.start, p.text) for p in passages] == [
        ("two", 0, "Acme has a seat."),
        ("one", 100, "Acme seat: the seat is Bonn."),
    ]


async def test_entities_are_found_by_likeness_of_name(record: SmallRecord, index: PostgresSearchIndex) -> None:
    await record.entity("Đà Nẵng", "city")
    await record.entity("Danube", "river")
    await record.entity("Acme Corporation", aliases=["ACME"])
    access = record.access()
    found = await index.find_entities(access, "da nang", 5, ReadPoint())
    assert [(f.entity.name, f.entity.kind, f.likeness) for f in found] == [("Đà Nẵng", "city", 1.0)]
    assert [f.entity.name for f in await index.find_entities(access, "acme corporatoin", 5, ReadPoint())] == [
        "Acme Corporation"
    ]


def unit(*values: float) -> np.ndarray:
    vector = np.array(values, dtype=np.float32)
    return vector / np.linalg.norm(vector)


async def embed(
    store: PostgresVectorStore, access: Access, kind: VectorKind, ids: Sequence[UUID], rows: Sequence[np.ndarray]
) -> None:
    access = replace(access, write_scopes=access.read_scopes)
    active = (await store.ensure(access, "test", 3)).active
    assert active is not None
    assert await store.store(access, active, kind, ids, np.stack(rows)) == len(ids)


async def test_vectors_find_facts_in_force_nearest_first(
    record: SmallRecord, index: PostgresSearchIndex, vectors: PostgresVectorStore
) -> None:
    near = await record.fact("Acme", "OWNS", "Brik")
    far = await record.fact("Dane", "OWNS", "Clay")
    ended = await record.fact("Acme", "SEAT", "Bonn", valid_to=datetime(2020, 1, 1, tzinfo=UTC))
    access = record.access()
    rows = [unit(1, 0.1, 0), unit(0, 1, 0), unit(1, 0, 0)]
    await embed(vectors, access, VectorKind.FACT, [near, far, ended], rows)
    found = await index.candidates(access, query("x", vector=unit(1, 0, 0), model="test"))
    assert found.embedded
    assert found.vector == (record.standing(near), record.standing(far))
    limited = await index.candidates(access, query("x", vector=unit(1, 0, 0), model="test", facts=1))
    assert limited.vector == (record.standing(near),)
    other_model = await index.candidates(access, query("x", vector=unit(1, 0, 0), model="another"))
    assert (other_model.embedded, other_model.vector) == (False, ())


async def test_chunks_and_entities_are_found_by_meaning(
    record: SmallRecord, index: PostgresSearchIndex, vectors: PostgresVectorStore
) -> None:
    document = await record.document("one")
    chunks = [await record.chunk(document, text, start) for start, text in enumerate(("a", "b"))]
    entities = [await record.entity(name) for name in ("Car", "Boat")]
    access = record.access()
    await embed(vectors, access, VectorKind.CHUNK, chunks, [unit(0, 1, 0), unit(1, 0, 0)])
    await embed(vectors, access, VectorKind.ENTITY, entities, [unit(1, 0, 0), unit(0, 1, 0)])
    found = await index.candidates(access, query("x", facts=0, vector=unit(1, 0, 0), model="test"))
    assert found.chunk_vector == (chunks[1], chunks[0])
    named = await index.find_entities(access, "vehicle", 1, ReadPoint(), unit(1, 0.1, 0), "test")
    assert [(f.entity.name, f.matched) for f in named] == [("Car", "Car")]
