"""A person's edit of an entity: what it outranks, what follows it, and what takes it back."""

from __future__ import annotations

import asyncio
from dataclasses import replace
from typing import Any

import pytest

from adapters.inmemory.memory_engine import InMemoryMemoryEngine
from adapters.postgres.knowledge_reader import PostgresKnowledgeReader
from adapters.postgres.scope_finder import PostgresScopeFinder
from adapters.system.clock import SystemClock
from adapters.system.ids import TimeOrderedIds
from application.identity.access import AccessResolver
from application.ingestion.retract import Retract
from application.knowledge.change import ChangeWriter
from application.knowledge.change_vocabulary import ChangeVocabulary
from application.knowledge.correct import Correct, Correction, Verdict
from application.knowledge.edit_entity import EditEntity, EntityEdited
from application.knowledge.propose_entity_edit import ProposeEntityEdit
from application.knowledge.rebuild_standings import RebuildStandings
from application.knowledge.undo import Undo
from application.retrieval.queries import FactReads, FactsQuery, Term, entity_profile, facts_by_pattern
from application.retrieval.vocabulary import Vocabularies
from domain.erasure.targets import Target, TargetKind
from domain.errors import Conflict, Forbidden, InvalidInput, NotFound
from domain.identity.ids import EntityId, FactId, GroupId, Revision
from domain.identity.principal import PrincipalKind, Role
from domain.knowledge.assertion import Claim, Mention
from domain.knowledge.objects import TextValue
from domain.knowledge.predicate import PredicatePolicy
from domain.resolution.entity_edit import EntityEdit
from domain.retrieval.reading import ReadPoint
from domain.standing.digest import bucket_digests
from tests.integration.erasure.test_erase import eraser
from tests.integration.projection.projecting import projecting
from tests.services.world import World

NOW_OPEN = "s.to_rev = 9223372036854775807"


@pytest.fixture
def edit(world: World) -> EditEntity:
    return EditEntity(
        world.unit_of_work, world.streams, ChangeWriter(TimeOrderedIds()), world.keys, SystemClock(), TimeOrderedIds()
    )


@pytest.fixture
def undo(world: World) -> Undo:
    vocabulary = ChangeVocabulary(
        AccessResolver(PostgresScopeFinder(world.pool)), world.unit_of_work, world.keys, TimeOrderedIds()
    )
    return Undo(world.unit_of_work, ChangeWriter(TimeOrderedIds()), world.keys, vocabulary, world.regrade)


def seat(subject: str = "Acme", target: str = "Lyon", kind: str | None = "organization") -> Claim:
    return Claim(Mention(subject, kind), "headquartered in", Mention(target, "place"), 1.0)


async def entity_of(world: World, name: str) -> EntityId:
    rows = await world.rows("SELECT entity_id FROM entities WHERE name = $1 ORDER BY revision LIMIT 1", name)
    return EntityId(rows[0]["entity_id"])


async def head(world: World) -> Revision:
    return Revision((await world.rows("SELECT revision FROM heads"))[0]["revision"])


async def edited(world: World, edit: EditEntity, **wanted: Any) -> EntityEdited:
    return await edit(world.access, EntityEdit(await entity_of(world, "Acme"), await head(world), **wanted))


def reads_of(world: World) -> FactReads:
    reader = PostgresKnowledgeReader(world.pool)
    return FactReads(reader, Vocabularies(reader, SystemClock()), world.keys)


async def sentences(world: World, term: Term, at: Revision | None = None) -> list[str | None]:
    """What is said of a subject, at a revision, corrections first."""
    found = await facts_by_pattern(
        reads_of(world), world.access, FactsQuery(subject=term, point=ReadPoint(known_at=at))
    )
    return [fact.sentence for fact in found.facts]


async def called(world: World, term: Term, at: Revision | None = None) -> list[tuple[str, str | None]]:
    profile = await entity_profile(reads_of(world), world.access, term, ReadPoint(known_at=at))
    return [(entity.name, entity.kind) for entity in profile.summary.entities]


async def test_a_renamed_entity_is_called_so_everywhere_and_found_by_both_names(world: World, edit: EditEntity) -> None:
    await world.say(seat(), Claim(Mention("Bob"), "works for", Mention("Acme", "organization"), 1.0))
    before = await head(world)
    done = await edited(world, edit, name="  Apex  Group ", reason="new name since May")
    assert (done.name, done.kind) == ("Apex Group", "organization")
    acme = Term(id=done.entity_id)
    assert await sentences(world, acme) == ["Acme is called Apex Group", "Apex Group is headquartered in Lyon"]
    assert await sentences(world, Term(name="bob")) == ["Bob works for Apex Group"]
    assert await sentences(world, Term(name="apex group")) == await sentences(world, Term(name="acme"))
    assert await called(world, acme) == [("Apex Group", "organization")]
    assert await called(world, acme, before) == [("Acme", "organization")], "the past keeps its names"
    assert await sentences(world, acme, before) == ["Acme is headquartered in Lyon"]
    rows = await world.rows("SELECT kind, reason FROM mutations WHERE revision = $1", done.revision)
    assert [tuple(row) for row in rows] == [("edit_entity", "new name since May")]


async def test_an_edit_outranks_what_is_read_again_and_what_an_ordinary_source_says(
    world: World, edit: EditEntity
) -> None:
    await world.say(seat(), source="a")
    register = Claim(Mention("Acme", "organization"), "canonical name", TextValue("ACME Registered"), 1.0)
    await world.say(register, source="register", kind="record_export")
    source = (await world.rows("SELECT source_id FROM sources WHERE name = 'register'"))[0]["source_id"]
    acme = Term(id=await entity_of(world, "Acme"))
    assert await called(world, acme) == [("Acme", "organization")], "tier 2 does not count"
    await world.regrade(world.access, source, 1, None, None)
    assert await called(world, acme) == [("ACME Registered", "organization")]
    await edited(world, edit, name="Apex", kind=" Company ")
    assert await called(world, acme) == [("Apex", "company")]
    assert (await world.say(seat(), source="a")).merged == 1
    await world.say(seat(), seat(target="Oslo"), source="b")
    await world.say(replace(register, confidence=0.9), source="register", kind="record_export")
    assert await called(world, acme) == [("Apex", "company")]
    assert len(await world.rows("SELECT 1 FROM entities WHERE name = 'Acme'")) == 1, "the former name leads to it"
    await world.say(seat("Apex", "Rome", "company"), source="c")
    assert len(await world.rows("SELECT 1 FROM entities WHERE name = 'Apex'")) == 0, "and so does the new one"


async def test_an_edit_is_undone_and_a_part_of_it_is_withdrawn(world: World, edit: EditEntity, undo: Undo) -> None:
    await world.say(seat())
    acme = Term(id=await entity_of(world, "Acme"))
    first = await edited(world, edit, name="Apex", aliases=("APX",))
    second = await edited(world, edit, name="Zenith", kind="company")
    assert await called(world, acme) == [("Zenith", "company")]
    assert len(await world.rows("SELECT 1 FROM names WHERE normal = 'apex' AND to_rev = 9223372036854775807")) == 1
    await undo(world.access, second.revision)
    assert await called(world, acme) == [("Apex", "organization")]
    assert await called(world, Term(name="Zenith")) == []
    named = first.assertions[0]
    await Retract(world.unit_of_work, ChangeWriter(TimeOrderedIds()), world.keys).assertion(world.access, named, "no")
    assert await called(world, acme) == [("Acme", "organization")]
    assert await called(world, Term(name="Apex")) == []
    assert await called(world, Term(name="apx")) == [("Acme", "organization")], "the alias stays"
    rebuilt = await RebuildStandings(
        AccessResolver(PostgresScopeFinder(world.pool)), world.unit_of_work, TimeOrderedIds()
    )(world.access)
    assert rebuilt.discrepancies == ()


async def test_a_sentence_is_read_with_the_names_of_its_revision_and_a_name_is_corrected_as_a_fact(
    world: World, edit: EditEntity
) -> None:
    await world.say(seat(), Claim(Mention("ACME Ltd."), "alias of", Mention("Acme", "organization"), 1.0))
    owned = Claim(Mention("Bob"), "owns", Mention("acme ltd.", "organization"), 1.0, qualifiers={"share": "10%"})
    await world.say(owned, seat("Acme Ltd.", "Oslo"))
    before = await head(world)
    bob, acme = Term(name="Bob"), Term(id=await entity_of(world, "Acme"))
    was = await sentences(world, bob), await sentences(world, acme)
    done = await edited(world, edit, name="Apex", kind="company")
    assert await sentences(world, bob) == ["Bob owns Apex"]
    assert "Apex is headquartered in Oslo" in await sentences(world, acme)
    assert (await sentences(world, bob, before), await sentences(world, acme, before)) == was
    (fact,) = await world.rows(
        "SELECT fact_id FROM placements WHERE assertion_id = $1 AND to_rev = 9223372036854775807", done.assertions[0]
    )
    correct = Correct(
        world.unit_of_work, world.streams, ChangeWriter(TimeOrderedIds()), world.keys, SystemClock(), TimeOrderedIds()
    )
    saw = await head(world)
    await correct(
        world.access, Correction(FactId(fact["fact_id"]), Verdict.REPLACE, saw, Mention("Zenith", "organization"))
    )
    assert await sentences(world, bob) == ["Bob owns Zenith"]
    await edited(world, edit, name="ZENITH")
    assert await sentences(world, bob) == ["Bob owns ZENITH"], "the spelling is that of the last word on it"


async def test_an_alias_is_added_and_taken_back_also_one_that_a_document_gave(world: World, edit: EditEntity) -> None:
    await world.say(seat(), Claim(Mention("Roadrunner Inc"), "alias of", Mention("Acme", "organization"), 1.0))
    assert ("Acme", "organization") in await called(world, Term(name="Roadrunner Inc"))
    await edited(world, edit, aliases=("A.C.M.E", "acme Ltd"))
    assert await called(world, Term(name="ACME ltd")) == [
        ("Acme", "organization"),
        ("Roadrunner Inc", None),
    ], "what another thing is said to be stays so"
    await edited(world, edit, not_aliases=("Acme Ltd", "roadrunner inc"))
    assert await called(world, Term(name="acme ltd")) == []
    assert await called(world, Term(name="Roadrunner Inc")) == [("Roadrunner Inc", None)]
    await world.say(Claim(Mention("Roadrunner Inc"), "alias of", Mention("Acme", "organization"), 1.0), source="b")
    assert await called(world, Term(name="Roadrunner Inc")) == [("Roadrunner Inc", None)], "also when it is said again"
    with pytest.raises(InvalidInput, match="nothing says that 'Lyon SA' is an alias of 'Acme'"):
        await edited(world, edit, not_aliases=("Lyon SA",))


async def test_a_description_takes_the_place_of_the_one_before(world: World, edit: EditEntity) -> None:
    await world.say(seat(), Claim(Mention("Acme", "organization"), "description", TextValue("makes anvils"), 1.0))
    await edited(world, edit, description="A maker of traps.")
    await edited(world, edit, description="A maker of anvils and traps.")
    assert await sentences(world, Term(name="Acme")) == [
        "Acme is described as A maker of anvils and traps.",
        "Acme is headquartered in Lyon",
        "Acme is described as makes anvils",
    ]


async def test_a_name_that_another_entity_bears_is_refused_unless_both_are_meant_to_have_it(
    world: World, edit: EditEntity
) -> None:
    await world.say(seat(), seat("Apex", "Oslo"), seat("Apex Hill", "Rome", "place"))
    apex = await entity_of(world, "Apex")
    with pytest.raises(Conflict, match=f"'apex' is a name of the entity {apex} already.*'Apex'.*organization"):
        await edited(world, edit, name="apex")
    with pytest.raises(Conflict, match=str(apex)):
        await edited(world, edit, aliases=("Apex",))
    await edited(world, edit, name="Apex Hill")
    both = await edited(world, edit, name="Apex", homonym=True)
    assert both.name == "Apex"
    assert await called(world, Term(name="Apex")) == [("Apex", "organization"), ("Apex", "organization")]


async def test_the_second_of_two_people_sees_the_first(world: World, edit: EditEntity) -> None:
    await world.say(seat())
    acme, saw = await entity_of(world, "Acme"), await head(world)
    wishes = [EntityEdit(acme, saw, name=name) for name in ("Apex", "Zenith")]
    done = await asyncio.gather(*(edit(world.access, wish) for wish in wishes), return_exceptions=True)
    (won,), (lost,) = (
        [each for each in done if isinstance(each, EntityEdited)],
        [each for each in done if isinstance(each, Conflict)],
    )
    assert f"edited at revision {won.revision} by Tester" in lost.message
    assert f"it is called '{won.name}' and is of the kind organization now" in lost.message
    await edit(world.access, EntityEdit(acme, won.revision, name="Third"))


async def test_who_may_not_and_what_cannot_be_edited_changes_nothing(world: World, edit: EditEntity) -> None:
    await world.say(seat())
    acme, saw = await entity_of(world, "Acme"), await head(world)
    for kind, role in ((PrincipalKind.AGENT, Role.CURATOR), (PrincipalKind.HUMAN, Role.MEMBER)):
        with pytest.raises(Forbidden):
            await edit(world.acting(kind, role), EntityEdit(acme, saw, name="Apex"))
    with pytest.raises(NotFound):
        await edit(world.access, EntityEdit(EntityId(TimeOrderedIds().new()), saw, name="Apex"))
    inner = GroupId("w_" + "0" * 32)
    elsewhere = replace(world.access, read_scopes=(inner, *world.access.read_scopes), write_scope=inner)
    with pytest.raises(InvalidInput, match="another scope"):
        await edit(elsewhere, EntityEdit(acme, saw, name="Apex"))
    with pytest.raises(InvalidInput, match=f"revision {saw + 1} is not there yet"):
        await edit(world.access, EntityEdit(acme, Revision(saw + 1), name="Apex"))
    with pytest.raises(InvalidInput, match=f"revision {saw + 1} is not there yet"):
        await ProposeEntityEdit(world.unit_of_work, TimeOrderedIds())(
            world.access, EntityEdit(acme, Revision(saw + 1), name="Apex")
        )
    with pytest.raises(InvalidInput, match="a concept is a statement"):
        await edit(world.access, EntityEdit(acme, saw, kind="concept"))
    vocabulary = ChangeVocabulary(
        AccessResolver(PostgresScopeFinder(world.pool)), world.unit_of_work, world.keys, TimeOrderedIds()
    )
    with pytest.raises(InvalidInput, match="their policy is fixed"):
        await vocabulary(world.access, [PredicatePolicy("CANONICAL_NAME")])
    assert await head(world) == saw


async def test_a_name_goes_with_the_erased_word_of_who_gave_it_in_the_graph_too(world: World, edit: EditEntity) -> None:
    engine = InMemoryMemoryEngine()
    follow = projecting(world, engine)
    await world.say(seat())
    done = await edited(world, edit, name="Apex", aliases=("APX",))
    await follow.project(world.access)
    (source,) = await world.rows("SELECT source_id FROM sources WHERE kind = 'person'")
    await eraser(world)(world.access, Target(TargetKind.SOURCE, source["source_id"]), "asked for")
    await follow.project(world.access)
    assert await called(world, Term(id=done.entity_id)) == [("Acme", "organization")]
    assert [tuple(row) for row in await world.rows("SELECT name FROM names WHERE entity_id = $1", done.entity_id)] == [
        ("Acme",)
    ]
    organization = world.access.organization_id
    graph = engine._generations[organization][engine._live[organization]]
    assert graph.entities[done.entity_id].name == "Acme"
    assert [edge.fact_text for edge in graph.edges.values()] == ["Acme is headquartered in Lyon"]
    assert await engine.digest(organization) == bucket_digests(
        (row["standing_id"], row["standing_hash"])
        for row in await world.rows(f"SELECT standing_id, standing_hash FROM standings s WHERE {NOW_OPEN}")
    )
