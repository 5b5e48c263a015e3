"""Facts follow their predicates' policies, and come back when these are set back."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, datetime

import pytest

from adapters.postgres.scope_finder import PostgresScopeFinder
from adapters.system.ids import TimeOrderedIds
from application.identity.access import AccessResolver
from application.identity.create_scope import CreateScope
from application.knowledge.change_vocabulary import ChangeVocabulary
from application.knowledge.rebuild_standings import RebuildStandings
from domain.errors import Conflict, Forbidden, InvalidInput
from domain.identity.ids import Revision
from domain.identity.principal import PrincipalKind, Role
from domain.knowledge.assertion import Claim, Mention
from domain.knowledge.objects import TextValue
from domain.knowledge.predicate import Cardinality, PredicatePolicy, Succession
from domain.knowledge.time import TimeBound
from tests.services.world import World

OPEN = "to_rev = 9223372036854775807"


@pytest.fixture
def change(world: World) -> ChangeVocabulary:
    resolver = AccessResolver(PostgresScopeFinder(world.pool))
    return ChangeVocabulary(resolver, world.unit_of_work, world.keys, TimeOrderedIds())


def one(name: str, **more: object) -> PredicatePolicy:
    return PredicatePolicy(name, Cardinality.ONE, **more)  # type: ignore[arg-type]


def says(subject: str, predicate: str, target: str, start: str | None = None, **qualifiers: str) -> Claim:
    claim = Claim(Mention(subject), predicate, Mention(target), 1.0, qualifiers=qualifiers)
    if start is None:
        return claim
    return replace(claim, valid_from=TimeBound.stated(datetime.fromisoformat(start).replace(tzinfo=UTC)))


async def stands(world: World) -> set[tuple[str, str]]:
    """Every current standing: the fact as a sentence and how it stands."""
    rows = await world.rows(
        f"SELECT f.sentence, s.lifecycle FROM standings s JOIN facts f USING (organization_id, fact_id) WHERE s.{OPEN}"
    )
    return {(row["sentence"], row["lifecycle"]) for row in rows}


async def fact_ids(world: World) -> dict[str, object]:
    rows = await world.rows(
        f"SELECT f.sentence, f.fact_id FROM facts f JOIN standings s USING (organization_id, fact_id) WHERE s.{OPEN}"
    )
    return {row["sentence"]: row["fact_id"] for row in rows}


async def all_equal(world: World) -> None:
    """At every revision the stored standings are what the record makes them."""
    rebuild = RebuildStandings(AccessResolver(PostgresScopeFinder(world.pool)), world.unit_of_work, TimeOrderedIds())
    head = (await world.rows("SELECT revision FROM heads"))[0]["revision"]
    for revision in range(1, head + 1):
        assert (await rebuild(world.access, Revision(revision))).discrepancies == (), revision
    assert (await rebuild(world.access)).discrepancies == ()


async def test_a_predicate_that_becomes_one_valued_disputes_its_rivals_and_setting_it_back_settles_them(
    world: World, change: ChangeVocabulary
) -> None:
    await world.say(says("Acme", "mascot", "Fox"), source="a")
    await world.say(says("Acme", "mascot", "Owl"), source="b")
    before, ids = await stands(world), await fact_ids(world)
    done = await change(world.access, [one("MASCOT", succession=Succession.NEVER)], reason="there is one")
    assert await stands(world) == {("Acme mascot Fox", "disputed"), ("Acme mascot Owl", "disputed")}
    assert (done.effect.facts, done.effect.moved, len(done.effect.disputed), done.effect.lost) == (2, 0, 2, ())
    assert await fact_ids(world) == ids, "the facts are the same ones, in one slot now"
    back = await change(world.access, [], remove=["mascot"])
    assert await stands(world) == before
    assert len(back.effect.settled) == 2
    await all_equal(world)


async def test_a_dry_run_tells_the_same_and_keeps_nothing(world: World, change: ChangeVocabulary) -> None:
    await world.say(says("Acme", "mascot", "Fox"), source="a")
    await world.say(says("Acme", "mascot", "Owl"), source="b")
    before = await stands(world)
    slots = await world.rows("SELECT count(*) FROM slots")
    policy = one("MASCOT", succession=Succession.NEVER)
    tried = await change(world.access, [policy], dry_run=True)
    assert tried.revision is None
    assert await stands(world) == before
    assert await world.rows("SELECT count(*) FROM slots") == slots
    assert await world.rows("SELECT 1 FROM predicates") == []
    assert (await change(world.access, [policy])).effect == tried.effect


async def test_a_synonym_takes_its_facts_along_and_back(world: World, change: ChangeVocabulary) -> None:
    await world.say(says("Acme", "steers", "Fleet"), says("Acme", "pilots", "Yard"), source="a")
    await world.say(says("Acme", "pilots", "Fleet"), source="b")
    before, ids = await stands(world), await fact_ids(world)
    done = await change(world.access, [PredicatePolicy("STEERS", synonyms=("pilots",))])
    assert await stands(world) == {("Acme steers Fleet", "active"), ("Acme steers Yard", "active")}
    assert (done.effect.moved, done.effect.gained, done.effect.lost) == (2, (), ())
    now = await fact_ids(world)
    assert now["Acme steers Fleet"] == ids["Acme steers Fleet"]
    became = await world.rows(f"SELECT fact_id, into_fact_id FROM fact_redirects WHERE {OPEN}")
    assert {(row["fact_id"], row["into_fact_id"]) for row in became} == {
        (ids["Acme pilots Fleet"], now["Acme steers Fleet"]),
        (ids["Acme pilots Yard"], now["Acme steers Yard"]),
    }
    await change(world.access, [], remove=["STEERS"])
    assert (await stands(world), await fact_ids(world)) == (before, ids)
    left = await world.rows(f"SELECT fact_id FROM fact_redirects WHERE {OPEN}")
    assert [row["fact_id"] for row in left] == [now["Acme steers Yard"]]
    await all_equal(world)


async def test_facts_that_were_merged_away_come_back_under_another_cardinality(
    world: World, change: ChangeVocabulary
) -> None:
    await world.say(says("Acme", "steers", "Fleet"), says("Acme", "pilots", "Yard"), source="a")
    await world.say(says("Acme", "pilots", "Fleet"), source="b")
    ids = await fact_ids(world)
    await change(world.access, [PredicatePolicy("STEERS", synonyms=("pilots",))])
    await change(world.access, [one("PILOTS", succession=Succession.NEVER)], remove=["steers"])
    assert await stands(world) == {
        ("Acme steers Fleet", "active"), ("Acme pilots Yard", "disputed"), ("Acme pilots Fleet", "disputed"),
    }  # fmt: skip
    assert await fact_ids(world) == ids, "they are the same facts, in the slot that they share now"
    became = await world.rows(f"SELECT into_fact_id FROM fact_redirects WHERE {OPEN}")
    assert [row["into_fact_id"] for row in became] == [ids["Acme pilots Yard"]], "what was made for the merge"
    await all_equal(world)


async def test_an_inverse_turns_its_facts_and_a_qualifier_splits_its_slot(
    world: World, change: ChangeVocabulary
) -> None:
    await world.say(says("Rex", "pet of", "Acme"))
    await world.say(says("Acme", "tuned to", "Low", env="test"), source="a")
    await world.say(says("Acme", "tuned to", "High", env="live"), source="b")
    tuned = one("TUNED_TO", succession=Succession.NEVER)
    await change(world.access, [PredicatePolicy("PET_OF", inverse_of="KEEPS"), tuned])
    assert ("Acme keeps Rex", "active") in await stands(world)
    assert {lifecycle for sentence, lifecycle in await stands(world) if "tuned" in sentence} == {"disputed"}
    await change(world.access, [replace(tuned, qualifiers=("env",))])
    assert {s for s in await stands(world) if "tuned" in s[0]} == {
        ("Acme tuned to Low (env test)", "active"),
        ("Acme tuned to High (env live)", "active"),
    }
    await all_equal(world)


async def test_a_minimum_tier_holds_for_what_is_there_and_for_what_comes(
    world: World, change: ChangeVocabulary
) -> None:
    await world.say(says("Acme", "mascot", "Fox"), source="chat", kind="agent")
    lost = (await change(world.access, [PredicatePolicy("MASCOT", minimum_tier=2)])).effect.lost
    assert [fact.sentence for fact in lost] == ["Acme mascot Fox"]
    await world.say(says("Acme", "mascot", "Owl"), source="chat", kind="agent")
    await world.say(says("Acme", "mascot", "Elk"), source="register", kind="connector")
    assert await stands(world) == {
        ("Acme mascot Fox", "proposed"),
        ("Acme mascot Owl", "proposed"),
        ("Acme mascot Elk", "active"),
    }
    await all_equal(world)


async def test_every_scope_of_the_organization_follows(world: World, change: ChangeVocabulary) -> None:
    """Facts of a workspace and of the organization, each in its own scope."""
    await CreateScope(world.unit_of_work, TimeOrderedIds())(world.access, "yard")
    scopes = await PostgresScopeFinder(world.pool).below(world.access.organization_id, world.access.write_scope)
    group = next(scope for scope in scopes if scope != world.access.write_scope)
    inside = replace(world.access, read_scopes=(group, *world.access.read_scopes), write_scope=group)
    for access, source in ((world.access, "whole"), (inside, "yard")):
        await world.say(says("Acme", "pilots", "Fleet"), access=access, source=source)
    await change(world.access, [PredicatePolicy("STEERS", synonyms=("pilots",))])
    seen = replace(world, access=inside)
    rows = await seen.rows(f"SELECT group_id, predicate FROM standings WHERE {OPEN}")
    assert {tuple(row) for row in rows} == {(world.access.write_scope, "STEERS"), (group, "STEERS")}


async def test_a_large_change_is_confirmed_by_name(world: World, change: ChangeVocabulary) -> None:
    for source, animal in (("a", "Fox"), ("b", "Owl")):
        await world.say(*(says(f"Club {n}", "mascot", animal) for n in range(20)), source=source)
    policy = one("MASCOT", succession=Succession.NEVER)
    before = await stands(world)
    with pytest.raises(Conflict, match="disputes 40; look at a dry run, and confirm it by name: MASCOT"):
        await change(world.access, [policy])
    assert await stands(world) == before
    done = await change(world.access, [policy], confirmed=["mascot"])
    assert len(done.effect.disputed) == 40


async def test_policies_that_contradict_each_other_are_refused(world: World, change: ChangeVocabulary) -> None:
    async def refused(words: str, *policies: PredicatePolicy) -> None:
        with pytest.raises(InvalidInput, match=words):
            await change(world.access, policies)

    await refused("name at least one predicate")
    await refused("each once", one("MASCOT"), one("MASCOT"))
    await refused("leads back to itself", PredicatePolicy("A", inverse_of="B"), PredicatePolicy("B", inverse_of="A"))
    await refused("is a predicate of its own", PredicatePolicy("A", synonyms=("B",)), PredicatePolicy("B"))
    await refused(
        "is a synonym of A already", PredicatePolicy("A", synonyms=("C",)), PredicatePolicy("B", synonyms=("C",))
    )
    await refused("itself replaced by", PredicatePolicy("A", replaced_by="B"), PredicatePolicy("B", replaced_by="A"))
    member = world.acting(PrincipalKind.HUMAN, Role.CURATOR)
    with pytest.raises(Forbidden, match="admin"):
        await change(member, [one("MASCOT")])
    assert await world.rows("SELECT 1 FROM predicates") == []


async def test_literals_move_too(world: World, change: ChangeVocabulary) -> None:
    await world.say(Claim(Mention("Acme"), "motto", TextValue("Onwards"), 1.0))
    await change(world.access, [PredicatePolicy("SLOGAN", synonyms=("motto",))])
    assert await stands(world) == {("Acme slogan “Onwards”", "active")} or await stands(world) == {
        ("Acme slogan Onwards", "active")
    }
    await all_equal(world)
