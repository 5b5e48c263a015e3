"""What users of such systems suffer from: facts that are wrong now, or were wrong then. Each kind, on every engine."""

from __future__ import annotations

import json
from datetime import datetime, timedelta

import pytest

from adapters.postgres.knowledge_reader import PostgresKnowledgeReader
from adapters.postgres.search_index import PostgresSearchIndex
from adapters.system.clock import SystemClock
from application.ingestion.append_claims import StreamItem
from application.ingestion.sources import SourceSpec
from application.retrieval.search import Search, SearchModels
from application.retrieval.types import SearchRequest
from application.retrieval.vocabulary import Vocabularies
from domain.errors import InvalidInput
from domain.identity.ids import DocumentId, SourceId
from domain.knowledge.assertion import AssertionState, Claim, ClaimKind
from domain.retrieval.facts import Named, StandingFact
from domain.retrieval.reading import PatternRead, ReadPoint, Side, StoredPattern
from domain.standing.testimony import Lifecycle
from tests.integration.complaints.seeing import Seen
from tests.services.contradicting import claim, contradictions, day

pytestmark = [pytest.mark.services, pytest.mark.slow]

LOST = (Lifecycle.SUPERSEDED,)


def target(fact: StandingFact) -> str:
    return fact.object.name if isinstance(fact.object, Named) else str(fact.object)


async def test_facts_are_not_invalidated_in_bulk(seen: Seen) -> None:
    """graphiti#1728: 200 unrelated facts stay when one of a one-valued predicate is succeeded; only that one ends."""
    acme = seen.name("Bulk")
    others = [claim(acme, f"relation {n % 40}", f"Thing {n}") for n in range(200)]
    await seen.world.say(*others, claim(acme, "has CEO", "Ada", since="2015-01-01"))
    await seen.world.say(claim(acme, "has CEO", "Bob", since="2022-01-01"), source="later")
    now = await seen.around(acme)
    assert len(now) == 201
    assert {fact.lifecycle for fact in now} == {Lifecycle.ACTIVE}
    assert [target(f) for f in now if f.predicate == "HAS_CEO"] == ["Bob"]
    then = await seen.around(acme, as_of=day("2021-06-01"))
    assert (len(then), [target(f) for f in then if f.predicate == "HAS_CEO"]) == (201, ["Ada"])


async def test_invalid_facts_do_not_crowd_out_valid_ones(seen: Seen) -> None:
    """graphiti PR 1804: what lost or was taken back is not among the first, whatever its number."""
    acme, world = seen.name("Crowd"), seen.world
    await world.say(claim(acme, "has CEO", "Ada"), source="register")
    for n in range(6):
        await world.say(claim(acme, "has CEO", f"Rumour {n}", 0.9, ClaimKind.OPINION), source=f"rumour {n}")
    await world.say(claim(acme, "founded by", "Nobody"), source=f"mistake {seen.tag}")
    mistake = (await world.stream(f"mistake {seen.tag}")).document_id
    await world.retract.document(world.access, DocumentId(mistake), None)
    assert await seen.told(acme) == [("Crowd has as chief executive Ada", "active")]
    lost = await seen.around(acme, lifecycles=LOST)
    assert sorted(target(f) for f in lost) == [f"Rumour {n}" for n in range(6)], "they are kept, and shown when asked"
    index, reader = PostgresSearchIndex(world.pool), PostgresKnowledgeReader(world.pool)
    search = Search(index, Vocabularies(reader, SystemClock()), SystemClock(), SearchModels(None, None))
    for limit in (1, 5):
        hits = (await search(world.access, SearchRequest(query=acme, limit=limit))).hits
        named = [hit.fact for hit in hits if hit.fact.subject.name == acme]
        assert [target(fact) for fact in named] == ["Ada"]


async def test_both_sides_of_a_contradiction_are_seen(seen: Seen) -> None:
    """mem0#5576: neither side is shown alone; both are marked, with their sources and with each other."""
    acme = seen.name("Sides")
    await seen.world.say(claim(acme, "has CEO", "Ada"), source="a")
    await seen.world.say(claim(acme, "has CEO", "Bob", 0.9), source="b")
    found = {target(fact): fact for fact in await seen.around(acme)}
    assert {name: fact.lifecycle for name, fact in found.items()} == dict.fromkeys(("Ada", "Bob"), Lifecycle.DISPUTED)
    for name, other, source in (("Ada", "Bob", "a"), ("Bob", "Ada", "b")):
        citation, (rival,) = found[name].citation, found[name].rivals
        assert citation is not None
        assert (citation.source_name, rival.fact_id) == (source, found[other].fact_id)


async def test_what_is_said_and_denied_is_seen_as_both(seen: Seen) -> None:
    """mem0#5576, of one fact: who says it and who denies it."""
    acme = seen.name("Denied")
    await seen.world.say(claim(acme, "founded by", "Ada"), source="a")
    await seen.world.say(claim(acme, "founded by", "Ada", 0.9, denied=True), source="b")
    (fact,) = await seen.around(acme)
    assert (fact.lifecycle, fact.support, fact.refute) == (Lifecycle.DISPUTED, True, True)
    assert fact.denial is not None
    assert fact.denial.source_name == "b"


async def test_history_is_kept(seen: Seen) -> None:
    """mem0#4187: what was taken back and what was succeeded is no row less, and reads as it did at its revision."""
    acme, world = seen.name("History"), seen.world
    await world.say(claim(acme, "has CEO", "Ada", since="2015-01-01"), source="a")
    await world.say(claim(acme, "owns", "Boat"), source=f"b {seen.tag}")
    head = (await world.rows("SELECT revision FROM heads"))[0]["revision"]
    reader = PostgresKnowledgeReader(world.pool)
    everything = PatternRead(StoredPattern(Side(names=(acme,))), ReadPoint(lifecycles=tuple(Lifecycle), all_time=True))
    before = await reader.facts_by_pattern(world.access, everything)
    rows = await world.rows("SELECT count(*) AS n FROM facts")
    await world.say(claim(acme, "has CEO", "Bob", since="2022-01-01"), source="a")
    source = (await world.rows("SELECT source_id FROM sources WHERE name = $1", f"b {seen.tag}"))[0]["source_id"]
    await world.retract.source(world.access, SourceId(source), None)
    assert await seen.told(acme) == [("History has as chief executive Bob", "active")]
    assert await seen.told(acme, as_of=day("2018-01-01")) == [("History has as chief executive Ada", "active")]
    assert (await world.rows("SELECT count(*) AS n FROM facts"))[0]["n"] == rows[0]["n"] + 1
    point = ReadPoint(lifecycles=tuple(Lifecycle), all_time=True, known_at=head)
    assert await reader.facts_by_pattern(world.access, PatternRead(everything.pattern, point)) == before


async def test_a_late_message_about_the_past_does_not_replace_the_present(seen: Seen) -> None:
    """graphiti#1728, the other way round: what arrives last is not what holds now."""
    acme = seen.name("Late")
    await seen.world.say(claim(acme, "headquartered in", "Lyon", since="2018-01-01"), source="a")
    await seen.world.say(claim(acme, "headquartered in", "Oslo", since="2010-01-01"), source="b")
    assert await seen.told(acme) == [("Late is headquartered in Lyon", "active")]
    assert await seen.told(acme, as_of=day("2012-01-01")) == [("Late is headquartered in Oslo", "active")]


async def test_a_question_without_a_zone_is_refused(seen: Seen) -> None:
    """graphiti#920, cognee#2428: naive and aware times never meet in a question."""
    with pytest.raises(InvalidInput, match="no time zone"):
        await seen.around(seen.name("Zone"), as_of=datetime(2024, 1, 1))


@pytest.mark.parametrize(
    ("zone", "stated", "words"),
    [
        (None, "2024-03-31 01:30", "has no time zone"),
        ("Europe/Berlin", "2024-03-31 02:30", "does not exist"),
        ("Europe/Berlin", "2024-10-27 02:30", "comes twice"),
        ("Europe/Berlin", "2023-02-29", "is no date that exists"),
        ("Europe/Berlin", "last Tuesday", "is not a date"),
    ],
)
async def test_a_time_that_is_no_moment_is_refused(seen: Seen, zone: str | None, stated: str, words: str) -> None:
    """graphiti#920, cognee#2428: nor in what is said; the rest of the row stays, without the time."""
    gate = seen.name(f"Gate {stated}")
    csv = f"name,mark,since\n{gate},open,{stated}\n"
    receipt = await seen.world.read(csv, f"{gate}.csv", content_type="text/csv", mapping=_log(zone))
    (refused,) = receipt.rejections
    assert words in refused.rejection.detail
    (fact,) = await seen.around(gate)
    assert (fact.valid_from, fact.valid_to) == (None, None)


@pytest.mark.parametrize(
    ("local", "moment"),
    [
        ("2024-03-31 01:59", "2024-03-31T00:59Z"),
        ("2024-03-31 03:00", "2024-03-31T01:00Z"),
        ("2024-10-27T02:30+01:00", "2024-10-27T01:30Z"),
        ("2024-10-27 03:00", "2024-10-27T02:00Z"),
        ("2024-02-29 12:00", "2024-02-29T11:00Z"),
    ],
)
async def test_a_time_of_a_record_is_read_in_its_sources_zone(seen: Seen, local: str, moment: str) -> None:
    """graphiti#920: also where the clock is changed, and on 29 February."""
    gate, at = seen.name(f"Gate {local}"), datetime.fromisoformat(moment)
    await seen.world.read(
        f"name,mark,since\n{gate},open,{local}\n", f"{gate}.csv", content_type="text/csv", mapping=_log("Europe/Berlin")
    )
    (fact,) = await seen.around(gate, as_of=at)
    assert (fact.valid_from, fact.lifecycle) == (at, Lifecycle.ACTIVE)
    assert await seen.around(gate, as_of=at - timedelta(seconds=1)) == []


def _log(zone: str | None) -> dict[str, object]:
    properties: list[object] = [
        {"column": "mark", "predicate": "has mark", "object": "text"},
        {"column": "since", "role": "valid_from"},
    ]
    mapping: dict[str, object] = {"subject": "name", "key": "name", "properties": properties}
    return mapping | ({"zone": zone} if zone else {})


async def test_last_tuesday_is_the_tuesday_before_it_was_said(seen: Seen) -> None:
    """graphiti#920: relative to the message, in the zone of its clock; else to the date that the document bears."""
    works, world = seen.name("Yard"), seen.world
    said = {"at": "2026-03-01T08:00:00+09:00", "speaker": "Mai", "text": f"Ada joined {works} last Tuesday."}
    late = {"at": "2026-03-12T08:00:00+09:00", "speaker": "Mai", "text": f"Bob joined {works} yesterday."}
    await world.read(
        json.dumps({"messages": [said, late]}), f"{works}.json",
        source=SourceSpec("chat", "conversation"), content_type="application/json",
    )  # fmt: skip
    memo = f"---\ndate: 2019-05-16\n---\n# Memo\n\nCyn joined {works} last Tuesday.\n"
    await world.read(memo, f"{works}.md", content_type="text/markdown")
    found = {fact.subject.name: fact.valid_from for fact in await seen.around(works)}
    assert found == {"Ada": day("2026-02-24"), "Bob": day("2026-03-11"), "Cyn": day("2019-05-14")}


async def test_a_pronoun_is_no_subject(seen: Seen) -> None:
    """graphiti#1171: who "she" is was named before, or nothing is said."""
    works, ada = seen.name("Mill"), "Ada Lovell"
    receipt = await seen.world.read(f"{ada} founded {works}. She leads {works}.", f"{works}.txt")
    assert receipt.status == "completed"
    await seen.world.read("He owns it. They lead them. It uses that.", f"{works} none.txt")
    assert [told for told, _ in await seen.told(works)] == ["Ada Lovell leads Mill", "Mill was founded by Ada Lovell"]
    pronouns = ["He", "he", "She", "she", "It", "it", "They", "they", "them", "that", "We", "I"]
    assert await seen.entities(*pronouns) == []


async def test_the_worked_examples_of_contradictions_have_their_scores(seen: Seen) -> None:
    """Trust decides between two, kind and confidence among three; two founders are two founders."""
    y, x, tesla = (seen.name(name) for name in ("Company Y", "Company X", "Tesla"))
    await _trusted(seen, "sketchy-blog.com", 0.3, claim(y, "has CEO", "Dora", 0.9))
    await _trusted(seen, "reuters.com", 1.0, claim(y, "has CEO", "Evan", 0.8, ClaimKind.CLAIM))
    await _trusted(seen, "filing", 1.0, claim(x, "has CEO", "Alice", 0.9))
    await _trusted(seen, "paper", 1.0, claim(x, "has CEO", "Bob", 0.7, ClaimKind.CLAIM))
    await _trusted(seen, "forum", 1.0, claim(x, "has CEO", "Charlie", 0.5, ClaimKind.OPINION))
    await _trusted(seen, "biography", 1.0, claim(tesla, "founded by", "Elon Musk", 0.95))
    await _trusted(seen, "interview", 1.0, claim(tesla, "founded by", "Martin Eberhard", 0.8, ClaimKind.CLAIM))
    assert await seen.told(y) == [("Company Y has as chief executive Evan", "active")]
    assert await seen.told(x) == [("Company X has as chief executive Alice", "active")]
    assert await seen.told(tesla) == [
        ("Tesla was founded by Elon Musk", "active"),
        ("Tesla was founded by Martin Eberhard", "active"),
    ]
    listed = (await contradictions(seen.world, settled=True)).contradictions
    scores = {
        c.sides[0].fact.subject.name: [(target(s.fact), round(s.score, 9)) for s in c.sides]
        for c in listed
        if c.sides[0].fact.subject.name in (x, y, tesla)
    }
    assert scores == {
        y: [("Evan", 0.48), ("Dora", 0.27)],
        x: [("Alice", 0.9), ("Bob", 0.42), ("Charlie", 0.15)],
    }


async def _trusted(seen: Seen, source: str, trust: float, said: Claim) -> None:
    world, spec = seen.world, SourceSpec(source, "record_export", trust=trust)
    stream = await world.streams.open(world.access, spec, "stream", "typed")
    await world.append(world.access, stream, [StreamItem(said, "said", pointer=seen.tag)], AssertionState.LIVE)
