"""Copies count once: syndicated articles, declared ones, in any order, and what is left when one of them goes."""

from __future__ import annotations

import asyncio
from datetime import UTC, datetime
from typing import Any
from uuid import uuid4

import pytest

from adapters.postgres.knowledge_reader import PostgresKnowledgeReader
from adapters.system.clock import SystemClock
from application.ingestion.sources import SourceSpec
from application.retrieval.queries import (
    FactReads,
    FactsQuery,
    Term,
    entity_profile,
    explain_fact,
    facts_by_pattern,
    get_fact,
)
from application.retrieval.vocabulary import Vocabularies
from domain.erasure.targets import Target, TargetKind
from domain.errors import Conflict, InvalidInput
from domain.identity.ids import SketchId
from domain.ingestion.copies import Sketch
from domain.knowledge.assertion import Claim, ClaimKind, Mention
from domain.knowledge.time import Precision, TimeBound
from domain.ports.documents import Receipt
from domain.retrieval.grounds import Grounds, IndependentSource
from domain.retrieval.reading import ReadPoint
from domain.standing.grounding import EpistemicStatus
from tests.integration.erasure.test_erase import eraser
from tests.services.world import World, new_world

BODY = (
    "Northgate was founded in 2009 by Ines Calder. The company began in a small workshop near the old harbour, where "
    "four people repaired pumps for fishing boats and slowly learned what the larger yards needed. Within six years it "
    "employed ninety people, opened a second hall on the other side of the river, and sold its first control unit to a "
    "shipyard in the south, which has ordered every year since then."
)
AGENCY = f"AGENCY WIRE, 4 May 2024\n\n{BODY}\n\nReporting by the agency's desk."
EDITED = BODY.replace("slowly", "gradually")
PAPER = f"The Harbour Daily\n\nBusiness section\n\n{EDITED}\n\nRead more on page 7 of this paper."
OWN_WORDS = (
    "We looked into the register of companies and asked two former employees of the yard. The papers agree with what "
    "they remember of those years, and the first annual accounts carry her name. Northgate was founded in 2009 by Ines "
    "Calder. Nobody else signed the deed, according to the notary, who still keeps a certified copy of it in the "
    "archive of the chamber and showed it to us."
)
ARTICLES = {"agency": AGENCY, "paper": PAPER, "inquiry": OWN_WORDS}


async def read(world: World, name: str, text: str, **known: Any) -> Receipt:
    receipt = await world.read(text, f"{name}.txt", source=SourceSpec(name, "folder"), title=name, **known)
    assert receipt.status == "completed"
    return receipt


def reads(world: World) -> FactReads:
    reader = PostgresKnowledgeReader(world.pool)
    return FactReads(reader, Vocabularies(reader, SystemClock()), world.keys)


async def grounds(world: World, as_of: datetime | None = None) -> Grounds:
    page = await facts_by_pattern(
        reads(world), world.access, FactsQuery(Term(name="Northgate"), ("founded by",), Term(name="Ines Calder"))
    )
    (fact,) = page.facts
    explained = await explain_fact(reads(world), world.access, fact.fact_id, None, as_of)
    if as_of is None:
        assert (fact.grounding, fact.support_mass) == (explained.grounds.grounding, explained.grounds.support_mass)
    assert fact.support_mass == pytest.approx(sum(source.mass for source in explained.grounds.sources))
    return explained.grounds


def names(sources: tuple[IndependentSource, ...]) -> set[frozenset[str]]:
    return {frozenset(voice.source_name for voice in source.voices) for source in sources}


def reasons(found: Grounds) -> dict[str, str | None]:
    return {voice.source_name: voice.why for source in found.sources for voice in source.voices}


async def test_two_syndicated_articles_and_an_own_inquiry_are_two_sources_in_any_order(world: World) -> None:
    masses = set()
    for order in (("agency", "paper", "inquiry"), ("inquiry", "paper", "agency")):
        fresh = await new_world(world.pool)
        for name in order:
            await read(fresh, name, ARTICLES[name])
        found = await grounds(fresh)
        assert names(found.sources) == {frozenset({"agency", "paper"}), frozenset({"inquiry"})}
        assert sorted(voice.counts for source in found.sources for voice in source.voices) == [False, True, True]
        first, second = (name for name in order if name != "inquiry")
        why = reasons(found)
        assert why["inquiry"] is None
        assert why[second] == f"near-duplicate of {first}, 0.88"
        masses.add(round(found.support_mass, 9))
    assert len(masses) == 1


async def test_grounding_rises_with_independent_sources_and_not_with_copies(world: World) -> None:
    await read(world, "agency", AGENCY)
    alone = await grounds(world)
    assert alone.grounding.status is EpistemicStatus.AFFIRMATIVE
    assert (alone.source_diversity, alone.refute_mass) == (0.0, 0.0)
    await read(world, "paper", PAPER)
    copied = await grounds(world)
    assert copied.grounding == alone.grounding
    assert copied.source_diversity == 0.0
    await read(world, "inquiry", OWN_WORDS)
    confirmed = await grounds(world)
    assert confirmed.grounding.value > alone.grounding.value
    assert confirmed.source_diversity == pytest.approx(0.5)


async def test_a_declared_copy_shares_the_key_of_its_original_in_either_order(world: World) -> None:
    uri = "https://wire.example/2024/05/northgate"
    await read(world, "rewritten", OWN_WORDS, origin="http://WIRE.example/2024/05/northgate#top")
    await read(world, "agency", AGENCY, source_uri=uri)
    await read(world, "summary", "Northgate was founded in 2009 by Ines Calder.", origin=uri)
    found = await grounds(world)
    assert names(found.sources) == {frozenset({"rewritten", "agency", "summary"})}
    why = reasons(found)
    assert why["rewritten"] == "declared copy of http://WIRE.example/2024/05/northgate#top"
    assert why["summary"] == f"declared copy of {uri}"


async def test_a_declaration_that_was_wrong_is_taken_back_by_sending_the_document_without_it(world: World) -> None:
    uri = "https://wire.example/northgate"
    await read(world, "agency", AGENCY, source_uri=uri)
    await read(world, "inquiry", OWN_WORDS, origin=uri)
    assert names((await grounds(world)).sources) == {frozenset({"agency", "inquiry"})}
    await read(world, "inquiry", OWN_WORDS)
    assert names((await grounds(world)).sources) == {frozenset({"agency"}), frozenset({"inquiry"})}


async def test_short_texts_that_say_the_same_are_independent(world: World) -> None:
    text = "Northgate was founded in 2009 by Ines Calder."
    await read(world, "one", text)
    await read(world, "two", text)
    found = await grounds(world)
    assert names(found.sources) == {frozenset({"one"}), frozenset({"two"})}
    assert await world.rows("SELECT 1 FROM sketches") == []


async def test_the_fact_stays_when_one_copy_is_retracted_and_a_later_copy_still_joins(world: World) -> None:
    original = await read(world, "agency", AGENCY)
    await read(world, "paper", PAPER)
    before = await grounds(world)
    assert original.document_id is not None
    await world.retract.document(world.access, original.document_id, "a test")
    left = await grounds(world)
    assert names(left.sources) == {frozenset({"paper"})}
    assert left.grounding == before.grounding
    assert (reasons(left)["paper"] or "").startswith("near-duplicate of agency, 0.")
    await read(world, "third", f"Third\n\n{BODY}")
    assert names((await grounds(world)).sources) == {frozenset({"paper", "third"})}


async def test_the_fact_stays_when_one_copy_is_erased_and_nothing_of_it_is_left(world: World) -> None:
    uri = "https://wire.example/northgate"
    original = await read(world, "agency", AGENCY, source_uri=uri, origin="https://wire.example/first")
    await read(world, "paper", PAPER)
    assert original.document_id is not None
    await eraser(world)(world.access, Target(TargetKind.DOCUMENT, original.document_id), "asked for")
    left = await grounds(world)
    assert names(left.sources) == {frozenset({"paper"})}
    assert reasons(left)["paper"] == f"near-duplicate of document {original.document_id}, 0.88"
    of_erased = "SELECT 1 FROM sketches WHERE document_id = $1"
    assert await world.rows(of_erased, original.document_id) == []
    orphans = (
        "SELECT 1 FROM sketch_bands b LEFT JOIN sketches s USING (organization_id, sketch_id) WHERE s.sketch_id IS NULL"
    )
    assert await world.rows(orphans) == []
    assert await world.rows("SELECT 1 FROM document_versions WHERE origin_uri IS NOT NULL") == []
    assert original.version_id is not None
    late = Sketch(SketchId(uuid4()), original.version_id, original.document_id, 0, 9, b"late", "content:late")
    with pytest.raises(Conflict):
        async with world.unit_of_work(world.access) as tx:
            await tx.sketches.add([late], [[1, 2]])
    assert await world.rows(of_erased, original.document_id) == []
    await read(world, "third", f"Third\n\n{BODY}")
    assert names((await grounds(world)).sources) == {frozenset({"paper", "third"})}


async def test_copies_that_are_read_at_once_find_each_other(world: World) -> None:
    texts = {f"paper {n}": f"Paper {n}\n\n{BODY}" for n in range(4)}
    await asyncio.gather(*(read(world, name, text) for name, text in texts.items()))
    assert names((await grounds(world)).sources) == {frozenset(texts)}


async def test_what_is_read_again_keeps_its_keys_and_adds_nothing(world: World) -> None:
    await read(world, "agency", AGENCY)
    receipt = await read(world, "paper", PAPER)
    before = (
        await world.rows("SELECT independence_key FROM assertions ORDER BY assertion_id"),
        await world.rows("SELECT count(*) AS n FROM sketches"),
    )
    assert receipt.document_id is not None
    assert receipt.version_id is not None
    await world.reprocess.document(world.access, receipt.document_id)
    await world.ingest(world.access, receipt.version_id)
    assert before == (
        await world.rows("SELECT independence_key FROM assertions ORDER BY assertion_id"),
        await world.rows("SELECT count(*) AS n FROM sketches"),
    )
    await read(world, "paper", f"{PAPER}\n\nUpdated at noon.")
    assert names((await grounds(world)).sources) == {frozenset({"agency", "paper"})}


async def test_grounding_is_read_at_the_asked_time(world: World) -> None:
    since, until = (TimeBound.stated(datetime(year, 1, 1, tzinfo=UTC), Precision.YEAR) for year in (2010, 2015))
    who, where = Mention("Ann Hale"), Mention("Northgate")
    await world.say(Claim(who, "works for", where, 1.0, kind=ClaimKind.FACT, valid_from=since, valid_to=until))
    then, now = datetime(2012, 1, 1, tzinfo=UTC), datetime(2024, 1, 1, tzinfo=UTC)
    query = FactsQuery(Term(name="Ann Hale"), point=ReadPoint(as_of=then))
    (fact,) = (await facts_by_pattern(reads(world), world.access, query)).facts
    assert fact.grounding.status is EpistemicStatus.AFFIRMATIVE
    for asked, status in ((then, EpistemicStatus.AFFIRMATIVE), (now, EpistemicStatus.HISTORICAL)):
        (segment,) = await get_fact(reads(world), world.access, fact.fact_id, None, asked)
        explained = await explain_fact(reads(world), world.access, fact.fact_id, None, asked)
        assert (segment.grounding.status, explained.grounds.grounding.status) == (status, status)


async def test_a_profile_says_how_broadly_an_entity_is_connected_at_a_revision(world: World) -> None:
    await read(world, "one", "The order service depends on the billing service.")
    first = (await world.rows("SELECT revision FROM heads"))[0]["revision"]
    await read(world, "two", "The order service is owned by the Harbour team.")
    term = Term(name="order service")
    now = await entity_profile(reads(world), world.access, term)
    then = await entity_profile(reads(world), world.access, term, ReadPoint(known_at=first))
    assert then.summary.neighbourhood_diversity == 0.0
    assert now.summary.neighbourhood_diversity == pytest.approx(0.409, abs=1e-3)


@pytest.mark.parametrize("origin", ["", "a title", "https://exa mple.org"])
async def test_an_origin_that_is_no_address_changes_nothing(world: World, origin: str) -> None:
    with pytest.raises(InvalidInput, match="origin is the address of the original"):
        await world.read(AGENCY, "a.txt", origin=origin)
    assert await world.rows("SELECT 1 FROM documents") == []


async def test_front_matter_declares_an_origin(world: World) -> None:
    uri = "https://wire.example/northgate"
    await read(world, "agency", AGENCY, source_uri=uri)
    receipt = await world.read(f"---\ntitle: Blog\norigin: {uri}\n---\n\n{OWN_WORDS}", "blog.md", title="blog")
    assert receipt.status == "completed"
    assert names((await grounds(world)).sources) == {frozenset({"agency", "uploads"})}
