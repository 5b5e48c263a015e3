"""What stands disputed is decided by a person, in one mutation that can be undone."""

from __future__ import annotations

import asyncio
from dataclasses import replace
from datetime import UTC, datetime
from uuid import uuid4

import pytest

from adapters.postgres.job_queue import PgQueuerJobQueue
from adapters.postgres.scope_finder import PostgresScopeFinder
from adapters.system.ids import TimeOrderedIds
from application.identity.access import AccessResolver
from application.knowledge.change import ChangeWriter
from application.knowledge.change_vocabulary import ChangeVocabulary
from application.knowledge.decide_contradiction import Choice, ContradictionDecided, Decision
from application.knowledge.undo import Undo
from domain.errors import Conflict, Forbidden, InvalidInput, NotFound, Unavailable
from domain.identity.ids import FactId, ProposalId, Revision
from domain.identity.principal import PrincipalKind, Role
from domain.knowledge.assertion import Claim, ClaimKind, Mention, Polarity
from domain.knowledge.predicate import Cardinality, PredicatePolicy
from domain.knowledge.time import TimeBound
from tests.services.world import World

NOW_OPEN = "s.to_rev = 9223372036854775807"


def day(text: str) -> datetime:
    return datetime.fromisoformat(text).replace(tzinfo=UTC)


def leads(name: str, start: str | None = "2020-01-01", *, denied: bool = False) -> Claim:
    bound = TimeBound.stated(day(start)) if start else TimeBound()
    polarity = Polarity.REFUTE if denied else Polarity.SUPPORT
    said = Claim(Mention("Acme"), "has CEO", Mention(name), 1.0, polarity, ClaimKind.FACT, valid_from=bound)
    return replace(said, observed_at=day("2021-01-01"))


async def fact_of(world: World, target: str) -> FactId:
    rows = await world.rows(
        "SELECT f.fact_id FROM facts f JOIN entities e ON e.entity_id = f.object_id WHERE e.name = $1", target
    )
    return FactId(rows[0]["fact_id"])


async def slot(world: World) -> object:
    return (await world.rows("SELECT slot_id FROM slots"))[0]["slot_id"]


async def head(world: World) -> Revision:
    return Revision((await world.rows("SELECT revision FROM heads"))[0]["revision"])


async def stands(world: World) -> list[tuple[str, str, int | None, int | None]]:
    """Name, lifecycle and years of each segment."""
    rows = await world.rows(
        f"""SELECT e.name, s.lifecycle, s.corrected, s.valid_from, s.valid_to FROM standings s JOIN entities e
            ON e.entity_id = s.object_id WHERE {NOW_OPEN} ORDER BY e.name, s.valid_from NULLS FIRST"""
    )
    return [
        (
            row["name"],
            row["lifecycle"] + ("*" if row["corrected"] else ""),
            row["valid_from"].year if row["valid_from"] else None,
            row["valid_to"].year if row["valid_to"] else None,
        )
        for row in rows
    ]


async def two(world: World) -> None:
    for source, name in (("a", "Ada"), ("b", "Bob")):
        await world.say(leads(name), source=source)
    assert [row[1] for row in await stands(world)] == ["disputed", "disputed"]


async def decide(world: World, choice: Choice, *names: str, **more: object) -> ContradictionDecided:
    facts = tuple([await fact_of(world, name) for name in names])
    decision = Decision(await slot(world), choice, await head(world), facts, **more)  # type: ignore[arg-type]
    return await world.contradictions(world.access, decision)


@pytest.fixture
def undo(world: World) -> Undo:
    vocabulary = ChangeVocabulary(
        AccessResolver(PostgresScopeFinder(world.pool)), world.unit_of_work, world.keys, TimeOrderedIds()
    )
    return Undo(world.unit_of_work, ChangeWriter(TimeOrderedIds()), world.keys, vocabulary, world.regrade)


async def test_this_one_confirms_it_and_denies_the_other_in_one_mutation_that_is_undone(
    world: World, undo: Undo
) -> None:
    await two(world)
    before, revision = await stands(world), await head(world)
    done = await decide(world, Choice.ONE, "Ada", reason="the register says so")
    assert await stands(world) == [("Ada", "active*", 2020, None), ("Bob", "refuted*", 2020, None)]
    rows = await world.rows(
        "SELECT revision, kind, reason FROM mutations WHERE revision > $1 AND kind = 'decide'", revision
    )
    assert [tuple(row) for row in rows] == [(done.revision, "decide", "the register says so")]
    assert len(done.assertions) == 2
    undone = await undo(world.access, done.revision)
    assert (undone.kind, undone.assertions) == ("decide", 2)
    assert await stands(world) == before


async def test_both_at_different_times_each_on_its_side_of_the_boundary(world: World) -> None:
    await two(world)
    await decide(world, Choice.IN_TURN, "Ada", "Bob", boundary=day("2023-01-01"))
    assert [row for row in await stands(world) if row[1].startswith("active")] == [
        ("Ada", "active*", 2020, 2023),
        ("Bob", "active*", 2023, None),
    ]
    assert not [row for row in await stands(world) if row[1] == "disputed"]


async def test_neither_denies_every_side(world: World) -> None:
    await two(world)
    await decide(world, Choice.NEITHER)
    assert await stands(world) == [("Ada", "refuted*", 2020, None), ("Bob", "refuted*", 2020, None)]


async def test_of_three_sides_the_two_that_are_not_right_are_denied(world: World) -> None:
    await two(world)
    await world.say(leads("Cleo"), source="c")
    done = await decide(world, Choice.ONE, "Cleo")
    assert len(done.assertions) == 3
    assert [row[:2] for row in await stands(world)] == [("Ada", "refuted*"), ("Bob", "refuted*"), ("Cleo", "active*")]


async def test_what_is_said_and_denied_is_confirmed_or_denied_or_held_until_a_boundary(world: World) -> None:
    await world.say(leads("Ada"), source="a")
    await world.say(leads("Ada", denied=True), source="b")
    assert await stands(world) == [("Ada", "disputed", 2020, None)]
    fact_id = await fact_of(world, "Ada")
    saw = await head(world)
    await world.contradictions(
        world.access, Decision(fact_id, Choice.IN_TURN, saw, (fact_id,), boundary=day("2023-01-01"))
    )
    assert await stands(world) == [("Ada", "active*", 2020, 2023), ("Ada", "refuted*", 2023, None)]


async def test_both_because_the_predicate_is_many_valued_waits_for_an_administrator(world: World) -> None:
    await two(world)
    done = await decide(world, Choice.MANY, reason="they share the post")
    assert (done.assertions, done.standings_changed) == ((), 0)
    assert [row[1] for row in await stands(world)] == ["disputed", "disputed"], "nothing changed yet"
    assert done.proposal_id is not None
    approved = await world.decide.proposal(world.access, ProposalId(done.proposal_id), True, "yes")
    assert (approved.kind, approved.state) == ("vocabulary", "approved")
    assert [row[:2] for row in await stands(world)] == [("Ada", "active"), ("Bob", "active")]
    with pytest.raises(Conflict, match="was approved already"):
        await world.decide.proposal(world.access, ProposalId(done.proposal_id), True, None)


async def test_an_approval_that_fails_at_its_end_changes_no_predicate_and_leaves_the_proposal_waiting(
    world: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    await two(world)
    done = await decide(world, Choice.MANY)
    assert done.proposal_id is not None
    with monkeypatch.context() as broken:
        broken.setattr(PgQueuerJobQueue, "enqueue", _fails)
        with pytest.raises(Unavailable):
            await world.decide.proposal(world.access, done.proposal_id, True, None)
    assert await world.rows("SELECT 1 FROM predicates") == []
    assert [row[1] for row in await stands(world)] == ["disputed", "disputed"]
    approvals = (world.decide.proposal(world.access, done.proposal_id, True, None) for _ in range(2))
    outcomes = await asyncio.gather(*approvals, return_exceptions=True)
    assert sorted(type(each).__name__ for each in outcomes) == ["Conflict", "ProposalRow"]
    assert len(await world.rows("SELECT 1 FROM mutations WHERE kind = 'change_vocabulary'")) == 1


async def _fails(self: PgQueuerJobQueue, jobs: object) -> None:
    raise Unavailable("the connection is gone")


async def test_a_proposal_over_a_policy_that_changed_since_is_refused(world: World) -> None:
    await two(world)
    done = await decide(world, Choice.MANY)
    change = ChangeVocabulary(
        AccessResolver(PostgresScopeFinder(world.pool)), world.unit_of_work, world.keys, TimeOrderedIds()
    )
    await change(world.access, [PredicatePolicy("HAS_CEO", Cardinality.ONE, minimum_tier=3)])
    assert done.proposal_id is not None
    with pytest.raises(Conflict, match="HAS_CEO was changed after this was proposed"):
        await world.decide.proposal(world.access, done.proposal_id, True, None)
    rejected = await world.decide.proposal(world.access, done.proposal_id, False, "outdated")
    assert rejected.state == "rejected"


async def test_a_slot_that_changed_since_is_a_conflict_and_one_that_was_decided_too(world: World) -> None:
    await two(world)
    saw, ada = await head(world), await fact_of(world, "Ada")
    await world.say(leads("Cleo"), source="c")
    with pytest.raises(Conflict, match=f"after revision {saw} which the decision is based on"):
        await world.contradictions(world.access, Decision(ada, Choice.ONE, saw, (ada,)))
    await decide(world, Choice.ONE, "Ada")
    with pytest.raises(Conflict, match=r"nothing about .* stands disputed now"):
        await decide(world, Choice.NEITHER)


async def test_who_may_not_decide_and_what_makes_no_sense(world: World) -> None:
    await two(world)
    saw, ada, bob = await head(world), await fact_of(world, "Ada"), await fact_of(world, "Bob")
    sound = Decision(ada, Choice.ONE, saw, (ada,))

    async def refused(error: type[Exception], words: str, decision: Decision = sound, **who: object) -> None:
        access = world.acting(**who) if who else world.access  # type: ignore[arg-type]
        with pytest.raises(error, match=words):
            await world.contradictions(access, decision)

    await refused(Forbidden, "an agent cannot correct", kind=PrincipalKind.AGENT, role=Role.OWNER)
    await refused(Forbidden, "needs the role curator", kind=PrincipalKind.HUMAN, role=Role.MEMBER)
    await refused(NotFound, "no contradiction", replace(sound, id=uuid4()))
    await refused(InvalidInput, "one takes the one fact that is right, not 0", replace(sound, facts=()))
    await refused(InvalidInput, "one takes the one fact that is right, not 2", replace(sound, facts=(ada, bob)))
    await refused(InvalidInput, "neither takes no fact", replace(sound, choice=Choice.NEITHER))
    await refused(InvalidInput, "is no side of this contradiction", replace(sound, facts=(FactId(uuid4()),)))
    turns = replace(sound, choice=Choice.IN_TURN, facts=(ada, bob))
    await refused(InvalidInput, "give a boundary", turns)
    await refused(InvalidInput, "give a boundary", replace(sound, boundary=day("2021-01-01")))
    await refused(InvalidInput, "does not lie within the dispute", replace(turns, boundary=day("2019-01-01")))
    await refused(InvalidInput, "no time zone", replace(turns, boundary=datetime(2021, 1, 1)))
    await refused(InvalidInput, "name the two facts", replace(turns, facts=(ada,), boundary=day("2021-01-01")))
    for choice, facts in ((Choice.ONE, (ada,)), (Choice.MANY, ())):
        later = replace(sound, choice=choice, facts=facts, saw=Revision(saw + 1))
        await refused(InvalidInput, f"revision {saw + 1} is not there yet", later)
    await refused(InvalidInput, "name a moment in one of them", replace(sound, at=day("2010-01-01")))
    assert await head(world) == saw, "nothing was written"
