"""A fact for which only agents and sources of tier 4 speak is tainted, until a person or another source says so."""

from __future__ import annotations

from dataclasses import replace
from uuid import uuid4

from adapters.postgres.knowledge_reader import PostgresKnowledgeReader
from adapters.system.clock import SystemClock
from adapters.system.ids import TimeOrderedIds
from application.ingestion.sources import SourceSpec
from application.knowledge.change import ChangeWriter
from application.knowledge.correct import Correct, Correction, Verdict
from application.knowledge.edit_entity import EditEntity
from domain.identity.access import Access
from domain.identity.ids import EntityId, FactId, PrincipalId, Revision
from domain.identity.principal import PrincipalKind, Role
from domain.knowledge.assertion import Claim, Mention
from domain.resolution.entity_edit import EntityEdit
from domain.retrieval.reading import FactFilter, PatternRead, ReadPoint, Side, StoredPattern
from domain.standing.testimony import Lifecycle
from tests.services.world import World


def said(subject: str = "Northgate") -> Claim:
    return Claim(Mention(subject, "organization"), "headquartered in", Mention("Lyon", "place"), 0.9)


def agent(world: World) -> Access:
    return world.acting(PrincipalKind.AGENT, Role.MEMBER)


async def facts(world: World, revision: Revision | None = None, *, untainted: bool = False) -> dict[FactId, bool]:
    """Facts of the organization's one relation, with their taint."""
    point = ReadPoint(known_at=revision, lifecycles=(Lifecycle.ACTIVE, Lifecycle.PROPOSED), all_time=True)
    read = PatternRead(StoredPattern(forward=("HEADQUARTERED_IN",)), point, FactFilter(untainted=untainted))
    found = await PostgresKnowledgeReader(world.pool).facts_by_pattern(world.access, read)
    return {fact.fact_id: fact.tainted for fact in found}


async def taint(world: World, revision: Revision | None = None) -> bool:
    (tainted,) = (await facts(world, revision)).values()
    return tainted


async def head(world: World) -> Revision:
    async with world.unit_of_work(world.access) as tx:
        return (await tx.journal.head()).revision


async def confirmed(world: World, fact_id: FactId) -> Revision:
    """A person's confirmation of the fact; its revision."""
    parts = (world.unit_of_work, world.streams, ChangeWriter(TimeOrderedIds()), world.keys, SystemClock())
    made = await Correct(*parts, TimeOrderedIds())(
        world.access, Correction(fact_id, Verdict.CONFIRM, await head(world))
    )
    return made.revision


async def test_what_an_agent_says_is_tainted_until_a_person_confirms_it_and_again_when_that_is_taken_back(
    world: World,
) -> None:
    await world.say(said(), source="notes", kind="agent", access=agent(world))
    ((fact_id, tainted),) = (await facts(world)).items()
    before = await head(world)
    assert tainted
    then = await confirmed(world, fact_id)
    assert not await taint(world)
    (assertion,) = await world.rows("SELECT assertion_id FROM assertions WHERE corrects_fact IS NOT NULL")
    await world.retract.assertion(world.access, assertion[0], "wrong after all")
    assert await taint(world)
    assert [await taint(world, before), await taint(world, then)] == [True, False]


async def test_a_fact_of_another_name_and_a_fact_drawn_from_a_tainted_page_stay_tainted(world: World) -> None:
    await world.say(said("Northgate Ltd"), source="notes", kind="agent", access=agent(world))
    (entity,) = await world.rows("SELECT entity_id FROM entities WHERE name = 'Northgate Ltd'")
    edit = EditEntity(
        world.unit_of_work, world.streams, ChangeWriter(TimeOrderedIds()), world.keys, SystemClock(), TimeOrderedIds()
    )
    await edit(world.access, EntityEdit(EntityId(entity[0]), await head(world), name="Northgate"))
    page = SourceSpec("pages", "research")
    assert (await world.read("Northgate is headquartered in Lyon.", "page.txt", source=page)).status == "completed"
    found = await facts(world)
    assert set(found.values()) == {True}


async def test_agents_of_one_principal_and_of_two_do_not_clear_each_other(world: World) -> None:
    one = agent(world)
    other = replace(one, principal=replace(one.principal, connection_id="another"))
    stranger = replace(one, principal=replace(one.principal, id=PrincipalId(uuid4())))
    for number, who in enumerate((one, other, stranger)):
        await world.say(said(), source=f"notes {number}", kind="upload", access=who)
    assert await taint(world)


async def test_two_sources_of_tier_four_do_not_clear_each_other_and_one_of_tier_two_does(world: World) -> None:
    for source in ("one", "two"):
        await world.say(said(), source=source, kind="research")
    assert await taint(world)
    await world.say(said(), source="register", kind="record_export")
    assert not await taint(world)
    assert len(await facts(world, untainted=True)) == 1


async def test_a_source_of_tier_three_clears_nothing_that_was_said_before_it_and_is_tainted_by_nothing_after_it(
    world: World,
) -> None:
    await world.say(said(), source="page", kind="research")
    await world.say(said(), source="chat", kind="conversation")
    assert await taint(world)
    await world.say(said("Southgate"), source="chat", kind="conversation")
    await world.say(said("Southgate"), source="page", kind="research")
    assert sorted((await facts(world)).values()) == [False, True]


async def test_a_trusted_copy_of_a_tainted_page_clears_nothing(
    world: World,
) -> None:
    text = "Northgate is headquartered in Lyon."
    page, upload = SourceSpec("pages", "research"), SourceSpec("uploads", "upload")
    address = "https://pages.invalid/northgate"
    await world.read(text, "page.txt", source=page, source_uri=address)
    await world.read(f"{text} We copied this.", "copy.txt", source=upload, origin=address)
    assert set((await facts(world)).values()) == {True}
    (copied,) = await world.rows("SELECT count(DISTINCT independence_key) FROM assertions")
    assert copied[0] == 1


async def test_a_tainted_copy_of_a_trusted_page_taints_nothing(world: World) -> None:
    text = "Northgate is headquartered in Lyon."
    address = "https://pages.invalid/northgate"
    await world.read(text, "page.txt", source=SourceSpec("uploads", "upload"), source_uri=address)
    await world.read(f"{text} Copied.", "copy.txt", source=SourceSpec("pages", "research"), origin=address)
    assert set((await facts(world)).values()) == {False}


async def test_approving_a_statement_of_an_agent_clears_it(world: World) -> None:
    statement = {"subject": "Northgate", "predicate": "headquartered in", "object": "Lyon"}
    asserted = await world.assert_facts(world.acting(PrincipalKind.AGENT, Role.MEMBER), [statement])
    assert await taint(world)
    ids = [item.assertion_id for item in asserted.placed]
    await world.decide.assertions(world.access, ids, True, None, False)
    assert not await taint(world)


async def test_a_filter_keeps_tainted_facts_out(world: World) -> None:
    await world.say(said(), source="notes", kind="agent", access=agent(world))
    await world.say(said("Southgate"), source="register", kind="record_export")
    assert sorted((await facts(world)).values()) == [False, True]
    assert list((await facts(world, untainted=True)).values()) == [False]
    read = PatternRead(
        StoredPattern(subject=Side(names=("Northgate",))), ReadPoint(), FactFilter(tiers=(4,), untainted=True)
    )
    assert await PostgresKnowledgeReader(world.pool).facts_by_pattern(world.access, read) == []
