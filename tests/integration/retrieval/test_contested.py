"""The complaints about truth that concern contradictions, each as it must be here, over every read that shows facts."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Sequence
from datetime import datetime

import pytest

from adapters.postgres.knowledge_reader import PostgresKnowledgeReader
from adapters.postgres.search_index import PostgresSearchIndex
from adapters.system.clock import SystemClock
from application.retrieval.queries import FactReads, FactsQuery, Term, entity_profile, facts_by_pattern, get_fact
from application.retrieval.search import Search, SearchModels
from application.retrieval.types import SearchRequest
from application.retrieval.vocabulary import Vocabularies
from domain.errors import InvalidInput
from domain.identity.ids import DocumentId, SourceId
from domain.knowledge.assertion import ClaimKind
from domain.retrieval.facts import Named, StandingFact
from domain.retrieval.reading import ReadPoint
from domain.standing.testimony import Lifecycle
from tests.services.contradicting import claim, contradictions
from tests.services.shared_database import database as database
from tests.services.shared_database import pool as pool
from tests.services.world import World

Read = Callable[[World, str], Awaitable[Sequence[StandingFact]]]


def reads(world: World) -> FactReads:
    reader = PostgresKnowledgeReader(world.pool)
    return FactReads(reader, Vocabularies(reader, SystemClock()), world.keys)


async def by_pattern(world: World, subject: str) -> Sequence[StandingFact]:
    return (await facts_by_pattern(reads(world), world.access, FactsQuery(Term(name=subject)))).facts


async def by_profile(world: World, subject: str) -> Sequence[StandingFact]:
    return (await entity_profile(reads(world), world.access, Term(name=subject))).facts


async def by_id(world: World, subject: str) -> Sequence[StandingFact]:
    found = []
    for fact in await by_pattern(world, subject):
        found += await get_fact(reads(world), world.access, fact.fact_id)
    return found


async def by_search(world: World, subject: str) -> Sequence[StandingFact]:
    index, reader = PostgresSearchIndex(world.pool), PostgresKnowledgeReader(world.pool)
    search = Search(index, Vocabularies(reader, SystemClock()), SystemClock(), SearchModels(None, None))
    hits = (await search(world.access, SearchRequest(query=subject, limit=10))).hits
    return [hit.fact for hit in hits]


EVERY_READ = pytest.mark.parametrize("read", [by_pattern, by_profile, by_id, by_search])


def target(fact: StandingFact) -> str:
    assert isinstance(fact.object, Named)
    return fact.object.name


@EVERY_READ
async def test_mem0_5576_both_sides_of_a_contradiction_are_marked_and_shown_with_sources(
    world: World, read: Read
) -> None:
    await world.say(claim("Acme", "has CEO", "Ada"), source="a")
    await world.say(claim("Acme", "has CEO", "Bob", 0.9), source="b")
    found = {target(fact): fact for fact in await read(world, "Acme")}
    assert set(found) == {"Ada", "Bob"}
    for name, other, source in (("Ada", "Bob", "a"), ("Bob", "Ada", "b")):
        fact = found[name]
        assert fact.lifecycle is Lifecycle.DISPUTED
        assert fact.citation is not None
        assert fact.citation.source_name == source
        (rival,) = fact.rivals
        assert rival.fact_id == found[other].fact_id
        assert (rival.source_name, rival.excerpt) == ("b" if source == "a" else "a", "Acme has CEO")


@EVERY_READ
async def test_mem0_5576_a_fact_that_is_denied_is_shown_with_who_says_and_who_denies_it(
    world: World, read: Read
) -> None:
    await world.say(claim("Acme", "founded by", "Ada"), claim("Acme", "founded by", "Bob"), source="a")
    await world.say(claim("Acme", "founded by", "Ada", 0.9, denied=True), source="b")
    found = {target(fact): fact for fact in await read(world, "Acme")}
    ada, bob = found["Ada"], found["Bob"]
    assert (ada.lifecycle, ada.support, ada.refute) == (Lifecycle.DISPUTED, True, True)
    assert ada.citation is not None
    assert ada.denial is not None
    assert (ada.citation.source_name, ada.denial.source_name) == ("a", "b")
    assert (ada.denial.excerpt, ada.denial.tier) == ("Acme founded by", 2)
    assert (bob.lifecycle, bob.denial) == (Lifecycle.ACTIVE, None)


async def test_graphiti_1728_two_hundred_unrelated_facts_on_one_entity_invalidate_none(world: World) -> None:
    said = [claim("Acme", f"relation {n % 40}", f"Thing {n}") for n in range(200)]
    await world.say(*said, claim("Acme", "has CEO", "Ada"))
    rows = await world.rows("SELECT lifecycle, count(*) AS n FROM standings GROUP BY lifecycle")
    assert [tuple(row) for row in rows] == [("active", 201)]
    assert (await contradictions(world, settled=True)).total == 0


@EVERY_READ
async def test_graphiti_pr_1804_no_superseded_or_retracted_fact_crowds_out_a_valid_one(
    world: World, read: Read
) -> None:
    await world.say(claim("Acme", "has CEO", "Ada"), source="a")
    for n in range(12):
        await world.say(claim("Acme", "has CEO", f"Rumour {n}", 0.9, ClaimKind.OPINION), source=f"rumour {n}")
    shown = [fact for fact in await read(world, "Acme") if fact.lifecycle is not Lifecycle.SUPERSEDED]
    assert [target(fact) for fact in shown] == ["Ada"]
    if read is not by_id:
        assert len(await read(world, "Acme")) == 1


async def test_mem0_4187_nothing_of_a_contradiction_is_deleted_by_deciding_or_retracting_it(world: World) -> None:
    await world.say(claim("Acme", "has CEO", "Ada"), source="a")
    await world.say(claim("Acme", "has CEO", "Bob", 0.9), source="b")
    tables = ("assertions", "evidence", "facts", "standings", "placements")

    async def counts() -> dict[str, int]:
        return {t: (await world.rows(f"SELECT count(*) AS n FROM {t}"))[0]["n"] for t in tables}

    before = await counts()
    source = (await world.rows("SELECT source_id FROM sources WHERE name = 'b'"))[0]["source_id"]
    await world.retract.source(world.access, SourceId(source), None)
    assert (await contradictions(world)).contradictions == ()
    after = await counts()
    assert all(after[table] >= before[table] for table in tables)


async def test_cognee_2732_retracting_one_of_two_sources_of_a_side_leaves_the_contradiction(world: World) -> None:
    await world.say(claim("Acme", "has CEO", "Ada"), source="a")
    for source in ("b", "c"):
        await world.say(claim("Acme", "has CEO", "Bob", 0.9), source=source)
    streams = {name: (await world.stream(name)).document_id for name in "bc"}
    await world.retract.document(world.access, DocumentId(streams["b"]), None)
    (found,) = (await contradictions(world)).contradictions
    assert {target(side.fact): side.sources for side in found.sides} == {"Ada": 1, "Bob": 1}
    await world.retract.document(world.access, DocumentId(streams["c"]), None)
    assert (await contradictions(world)).contradictions == ()
    assert [target(fact) for fact in await by_pattern(world, "Acme")] == ["Ada"]


async def test_graphiti_920_a_time_without_a_zone_is_refused(world: World) -> None:
    with pytest.raises(InvalidInput, match="no time zone"):
        await contradictions(world, point=ReadPoint(as_of=datetime(2024, 1, 1)))
