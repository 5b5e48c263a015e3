"""A fact is shown with the whole time in which it holds, though its segments end where the score changes."""

from __future__ import annotations

from datetime import UTC, datetime

from adapters.inmemory.key_store import InMemoryKeyStore
from adapters.postgres.knowledge_reader import PostgresKnowledgeReader
from adapters.system.clock import SystemClock
from application.retrieval.queries import FactReads, FactsQuery, Term, facts_by_pattern, get_fact
from application.retrieval.vocabulary import Vocabularies
from domain.identity.ids import Revision
from domain.knowledge.assertion import Claim, Mention, Polarity
from domain.knowledge.time import UNKNOWN_BOUND, TimeBound
from domain.retrieval.facts import StandingFact
from domain.retrieval.reading import ReadPoint
from entrypoints.cli.reading import period
from entrypoints.mcp.fact_results import fact
from entrypoints.views.facts import FactView
from tests.services.shared_database import database as database
from tests.services.shared_database import pool as pool
from tests.services.world import World


def year(number: int) -> datetime:
    return datetime(number, 1, 1, tzinfo=UTC)


def says(start: int | None, end: int | None = None, *, target: str = "Oslo", denied: bool = False) -> Claim:
    return Claim(
        Mention("Kelvara"),
        "headquartered in",
        Mention(target),
        0.8,
        Polarity.REFUTE if denied else Polarity.SUPPORT,
        valid_from=TimeBound.stated(year(start)) if start else UNKNOWN_BOUND,
        valid_to=TimeBound.stated(year(end)) if end else UNKNOWN_BOUND,
    )


async def read(world: World, at: int, known_at: Revision | None = None) -> list[StandingFact]:
    reader = PostgresKnowledgeReader(world.pool)
    reads = FactReads(reader, Vocabularies(reader, SystemClock()), InMemoryKeyStore())
    query = FactsQuery(Term(name="Kelvara"), point=ReadPoint(as_of=year(at), known_at=known_at))
    return list((await facts_by_pattern(reads, world.access, query)).facts)


async def test_later_support_does_not_move_the_day_since_which_a_fact_holds(world: World) -> None:
    first = await world.say(says(2023), source="a")
    await world.say(says(2025), source="b")
    (found,) = await read(world, 2026)
    assert (found.valid_from, found.valid_to) == (year(2025), None)
    assert (found.holds_from, found.holds_to) == (year(2023), None)
    (earlier,) = await read(world, 2024)
    assert (earlier.valid_from, earlier.valid_to) == (year(2023), year(2025))
    assert (earlier.holds_from, earlier.holds_to) == (year(2023), None)
    assert first.revision is not None
    (then,) = await read(world, 2026, first.revision)
    assert (then.holds_from, then.holds_to) == (year(2023), None)
    assert then.stretch is None


async def test_a_gap_ends_a_stretch(world: World) -> None:
    await world.say(says(2010, 2012), source="a")
    await world.say(says(2011, 2013), source="b")
    await world.say(says(2020, 2022), source="a")
    (before,) = await read(world, 2010)
    (after,) = await read(world, 2021)
    assert (before.holds_from, before.holds_to) == (year(2010), year(2013))
    assert (after.holds_from, after.holds_to) == (year(2020), year(2022))


async def test_a_stretch_that_began_before_all_memory_has_no_beginning(world: World) -> None:
    await world.say(says(None, 2012), source="a")
    await world.say(says(2010, 2012), source="b")
    (found,) = await read(world, 2011)
    assert found.valid_from == year(2010)
    assert (found.holds_from, found.holds_to) == (None, year(2012))


async def test_a_dispute_is_a_stretch_of_its_own(world: World) -> None:
    await world.say(says(2010, 2015), source="a")
    await world.say(says(2012, 2013, target="Bergen"), source="b")
    held = await read(world, 2012)
    assert {f.lifecycle.value for f in held} == {"disputed"}
    assert {(f.holds_from, f.holds_to) for f in held} == {(year(2012), year(2013))}
    (before,) = await read(world, 2011)
    assert (before.holds_from, before.holds_to) == (year(2010), year(2012))


async def test_every_interface_shows_the_stretch(world: World) -> None:
    await world.say(says(2023), source="a")
    await world.say(says(2025), source="b")
    (found,) = await read(world, 2026)
    view, result = FactView.of(found), fact(found)
    assert (view.holds_from, view.holds_to, view.valid_from) == (year(2023), None, year(2025))
    assert (result.holds_from, result.holds_to, result.valid_from) == (year(2023), None, year(2025))
    assert period(found) == "from 2023-01-01"


async def test_all_segments_of_a_fact_name_their_stretch(world: World) -> None:
    said = await world.say(says(2010, 2012), source="a")
    await world.say(says(2011, 2013), source="b")
    reader = PostgresKnowledgeReader(world.pool)
    reads = FactReads(reader, Vocabularies(reader, SystemClock()), InMemoryKeyStore())
    (fact_id,) = {row[0] for row in await world.rows("SELECT fact_id FROM facts")}
    segments = await get_fact(reads, world.access, fact_id)
    assert len(segments) == 3
    assert {(s.holds_from, s.holds_to) for s in segments} == {(year(2010), year(2013))}
    assert said.revision is not None
