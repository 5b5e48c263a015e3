"""Reads of facts and entities on PostgreSQL, as the application role."""

from __future__ import annotations

from datetime import UTC, datetime
from uuid import UUID

import asyncpg
import pytest

from adapters.inmemory.key_store import InMemoryKeyStore
from adapters.postgres.knowledge_reader import PostgresKnowledgeReader
from adapters.postgres.search_index import PostgresSearchIndex
from application.retrieval.queries import (
    FactReads,
    FactsQuery,
    Term,
    entity_profile,
    explain_fact,
    facts_by_pattern,
    find_entities,
    get_fact,
    predicates_in_use,
)
from application.retrieval.vocabulary import Vocabularies
from domain.errors import InvalidInput, NotFound
from domain.identity.ids import FactId, Revision
from domain.retrieval.profile import PredicateTotal, PredicateUse
from domain.retrieval.reading import ReadPoint
from tests.services.small_record import SmallRecord

NOW = datetime(2026, 1, 1, tzinfo=UTC)


class StillClock:
    def now(self) -> datetime:
        return NOW


@pytest.fixture
def reads(pool: asyncpg.Pool) -> FactReads:
    reader = PostgresKnowledgeReader(pool)
    return FactReads(reader, Vocabularies(reader, StillClock()), InMemoryKeyStore())


async def test_a_predicate_is_found_in_any_spelling_and_by_either_direction(
    record: SmallRecord, reads: FactReads
) -> None:
    await record.fact("Acme", "OWNS", "Brik")
    await record.fact("Acme", "BUILT_ODDLY", "Brik")
    access = record.access()
    for subject, spelling, object in (
        ("Acme", "owns", None), ("Brik", "owned by", None), (None, "ownedBy", "Acme"), (None, "holds a stake in", None),
        (None, "is owned by", None), ("Acme", "OWNS", "Brik"), ("Brik", "owner", "Acme"),
    ):  # fmt: skip
        query = FactsQuery(Term(name=subject) if subject else None, (spelling,), Term(name=object) if object else None)
        found = await facts_by_pattern(reads, access, query)
        assert [fact.sentence for fact in found.facts] == ["Acme owns Brik"], (subject, spelling, object)
        assert found.next is None


async def test_pages_end_with_a_cursor_until_the_last(record: SmallRecord, reads: FactReads) -> None:
    for number in range(3):
        await record.fact("Acme", "OWNS", f"Part {number}")
    access = record.access()
    first = await facts_by_pattern(reads, access, FactsQuery(Term(name="Acme"), limit=2))
    assert len(first.facts) == 2
    second = await facts_by_pattern(reads, access, FactsQuery(Term(name="Acme"), limit=2, after=first.next))
    assert len(second.facts) == 1
    assert second.next is None


async def test_a_profile_gives_everything_about_an_entity_under_any_of_its_names(
    record: SmallRecord, reads: FactReads
) -> None:
    report = await record.document("report")
    await record.fact("Meta", "OWNS", "Oculus", document=report)
    await record.fact("Mark", "FOUNDED", "Facebook")
    await record.fact("Facebook", "ALIAS_OF", "Meta", corrected=True)
    access = record.access()
    for name in ("meta", "Facebook"):
        profile = await entity_profile(reads, access, Term(name=name))
        assert {entity.name for entity in profile.summary.entities} == {"Meta", "Facebook"}
        assert set(profile.summary.aliases) == {"Meta", "Facebook"}
        assert profile.summary.totals == (
            PredicateTotal("ALIAS_OF", 1, 1),
            PredicateTotal("FOUNDED", 0, 1),
            PredicateTotal("OWNS", 1, 0),
        )
        assert profile.facts[0].sentence == "Facebook alias of Meta"
        assert {fact.sentence for fact in profile.facts[1:]} == {"Meta owns Oculus", "Mark founded Facebook"}
        assert {document.title for document in profile.summary.documents} == {"report", "notes"}
    limited = await entity_profile(reads, access, Term(name="Meta"), limit=1, documents=0)
    assert (len(limited.facts), limited.summary.documents) == (1, ())
    unknown = await entity_profile(reads, access, Term(name="Nobody"))
    assert (unknown.facts, unknown.summary.entities, unknown.summary.totals) == ((), (), ())


async def test_a_fact_is_explained_by_its_assertions_segments_and_mutations(
    record: SmallRecord, reads: FactReads
) -> None:
    await record.put(
        "mutations", revision=1, group_id=record.group("work"), principal_id=record.organization,
        principal_kind="human", kind="ingest", commitment=b"", previous_hash=b"", hash=b"",
        committed_at=NOW, reason="first load",
    )  # fmt: skip
    fact = await record.fact("Acme", "OWNS", "Brik", kind="claim", tier=1, confidence=0.5, asserter="Ann")
    access = record.access()
    explained = await explain_fact(reads, access, fact)
    assert (explained.fact_id, explained.sentence, explained.predicate) == (fact, "Acme owns Brik", "OWNS")
    (assertion,) = explained.assertions
    assert (assertion.state, assertion.tier, assertion.authority) == ("live", 1, 1.0)
    assert assertion.weight == pytest.approx(0.5 * 0.6)
    assert (assertion.subject, assertion.object, assertion.asserter) == ("Acme", "Brik", "Ann")
    assert (assertion.excerpt, assertion.source_name, assertion.title) == ("Acme owns Brik", "tier 1", "notes")
    (segment,) = explained.segments
    assert (segment.lifecycle, segment.from_revision, segment.to_revision) == ("active", 1, None)
    assert [(m.revision, m.kind, m.principal_name, m.reason) for m in explained.mutations] == [
        (1, "ingest", "Ann", "first load")
    ]
    await record.close(fact, 5)
    assert (await explain_fact(reads, access, fact)).segments[0].to_revision == 5
    assert (await explain_fact(reads, access, fact, Revision(4))).segments[0].to_revision is None
    assert [segment.sentence for segment in await get_fact(reads, access, fact, Revision(4))] == ["Acme owns Brik"]


async def test_a_merged_fact_reads_as_what_it_became(record: SmallRecord, reads: FactReads) -> None:
    old, new = await record.fact("Acme Inc", "OWNS", "Brik"), await record.fact("Acme", "OWNS", "Brik")
    await record.close(old, 2)
    await record.put("fact_redirects", group_id=record.group("work"), fact_id=old, into_fact_id=new, from_rev=2)
    access = record.access()
    assert [fact.fact_id for fact in await get_fact(reads, access, old)] == [new]
    assert [fact.fact_id for fact in await get_fact(reads, access, old, Revision(1))] == [old]
    explained = await explain_fact(reads, access, old)
    assert (explained.asked_id, explained.fact_id) == (old, new)


async def test_unknown_and_foreign_facts_read_the_same(record: SmallRecord, reads: FactReads) -> None:
    other = await SmallRecord(record.connection, "other").start()
    foreign = await other.fact("Secret", "OWNS", "Plan")
    for wrong in (foreign, FactId(UUID(int=3))):
        for read in (get_fact, explain_fact):
            with pytest.raises(NotFound, match=f"there is no fact {wrong}"):
                await read(reads, record.access(), wrong)


async def test_predicates_in_use_are_counted_in_force(record: SmallRecord, reads: FactReads) -> None:
    await record.fact("Acme", "OWNS", "Brik")
    await record.fact("Acme", "OWNS", "Clay")
    await record.fact("Acme", "OWNS", "Dorn", lifecycle="superseded")
    await record.fact("Acme", "SEAT", "Bonn")
    owns, seat = await predicates_in_use(reads, record.access())
    assert (owns.predicate, owns.facts, owns.reviewed) == ("OWNS", 2, True)
    assert sorted(owns.examples) == ["Acme owns Brik", "Acme owns Clay"]
    assert seat == PredicateUse("SEAT", 1, ("Acme seat Bonn",), reviewed=False)
    assert await predicates_in_use(reads, record.access(), ReadPoint(known_at=Revision(0))) == []


async def test_entities_are_found_by_alias(record: SmallRecord, pool: asyncpg.Pool) -> None:
    await record.entity("International Business Machines", aliases=["IBM"])
    (found,) = await find_entities(PostgresSearchIndex(pool), None, record.access(), "ibm")
    assert (found.entity.name, found.matched, found.likeness) == ("International Business Machines", "ibm", 1.0)
    with pytest.raises(InvalidInput):
        await find_entities(PostgresSearchIndex(pool), None, record.access(), " ")


def test_a_side_names_one_thing() -> None:
    with pytest.raises(InvalidInput):
        Term()
    with pytest.raises(InvalidInput):
        Term(name=" ")
