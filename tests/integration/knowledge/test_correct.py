"""A person's word on a fact, and what it outranks."""

from __future__ import annotations

import asyncio
from dataclasses import replace
from datetime import UTC, datetime
from decimal import Decimal
from uuid import uuid4

import pytest

from adapters.system.clock import SystemClock
from adapters.system.ids import TimeOrderedIds
from application.ingestion.retract import Retract
from application.knowledge.change import ChangeWriter
from application.knowledge.correct import Correct, Corrected, Correction, Verdict
from domain.errors import Conflict, Forbidden, InvalidInput, NotFound
from domain.identity.access import Access
from domain.identity.ids import FactId, Revision
from domain.identity.principal import PrincipalKind, Role
from domain.knowledge.assertion import Claim, Mention
from domain.knowledge.objects import NumberValue, TextValue
from domain.knowledge.time import TimeBound
from tests.services.world import World

NOW_OPEN = "s.to_rev = 9223372036854775807"


@pytest.fixture
def correct(world: World) -> Correct:
    return Correct(
        world.unit_of_work, world.streams, ChangeWriter(TimeOrderedIds()), world.keys, SystemClock(), TimeOrderedIds()
    )


def says(subject: str, predicate: str, target: str, start: str | None = None, observed: str | None = None) -> Claim:
    claim = Claim(Mention(subject, "organization"), predicate, Mention(target, "place"), 1.0)
    if start is not None:
        claim = replace(claim, valid_from=TimeBound.stated(day(start)))
    return replace(claim, observed_at=day(observed)) if observed is not None else claim


def day(text: str) -> datetime:
    return datetime.fromisoformat(text).replace(tzinfo=UTC)


async def fact_of(world: World, target: str) -> FactId:
    rows = await world.rows(
        "SELECT f.fact_id FROM facts f JOIN entities e ON e.entity_id = f.object_id WHERE e.name = $1", target
    )
    return FactId(rows[0]["fact_id"])


async def head(world: World) -> Revision:
    return Revision((await world.rows("SELECT revision FROM heads"))[0]["revision"])


async def stands(world: World) -> dict[str, set[str]]:
    """The lifecycles in which each object stands, over all time."""
    found: dict[str, set[str]] = {}
    for row in await world.rows(
        f"""SELECT coalesce(e.name, f.object_literal ->> 'value') AS object, s.lifecycle, s.corrected FROM standings s
            JOIN facts f USING (organization_id, fact_id) LEFT JOIN entities e ON e.entity_id = f.object_id
            WHERE {NOW_OPEN}"""
    ):
        found.setdefault(row["object"], set()).add(row["lifecycle"] + ("*" if row["corrected"] else ""))
    return found


async def say(world: World, correct: Correct, verdict: Verdict, target: str, **more: object) -> Corrected:
    correction = Correction(await fact_of(world, target), verdict, await head(world), **more)  # type: ignore[arg-type]
    return await correct(world.access, correction)


async def test_replacing_an_object_denies_the_one_and_supports_the_other(world: World, correct: Correct) -> None:
    await world.say(says("Acme", "headquartered in", "Lyon", "2020-01-01"), source="a")
    done = await say(world, correct, Verdict.REPLACE, "Lyon", object=Mention("Hanoi", "place"), reason="moved long ago")
    assert done.fact_id == await fact_of(world, "Hanoi")
    assert await stands(world) == {"Lyon": {"refuted*"}, "Hanoi": {"active*"}}
    rows = await world.rows(
        f"SELECT valid_from, valid_to FROM standings s WHERE fact_id = $1 AND {NOW_OPEN}", done.fact_id
    )
    assert [tuple(row) for row in rows] == [(day("2020-01-01"), None)]
    rows = await world.rows("SELECT kind, reason FROM mutations WHERE revision = $1", done.revision)
    assert [tuple(row) for row in rows] == [("correct", "moved long ago")]


async def test_one_object_of_a_many_valued_predicate_is_replaced_and_the_others_stay(
    world: World, correct: Correct
) -> None:
    await world.say(says("Acme", "founded by", "Ada"), says("Acme", "founded by", "Bob"))
    await say(world, correct, Verdict.REPLACE, "Bob", object=Mention("Cleo"))
    assert await stands(world) == {"Ada": {"active"}, "Bob": {"refuted*"}, "Cleo": {"active*"}}


async def test_what_was_corrected_stays_so_when_it_is_said_again_from_the_same_and_from_another_source(
    world: World, correct: Correct
) -> None:
    await world.say(says("Acme", "headquartered in", "Lyon", "2020-01-01"), source="a")
    await say(world, correct, Verdict.REPLACE, "Lyon", object=Mention("Hanoi", "place"))
    again = says("Acme", "headquartered in", "Lyon", "2020-01-01")
    assert (await world.say(again, source="a")).merged == 1
    for source in "bcdef":
        await world.say(again, source=source)
    assert await stands(world) == {"Lyon": {"refuted*"}, "Hanoi": {"active*"}}


async def test_a_later_authoritative_source_with_a_later_start_succeeds_a_correction(
    world: World, correct: Correct
) -> None:
    await world.say(says("Acme", "headquartered in", "Lyon", "2020-01-01"), source="a")
    await say(world, correct, Verdict.REPLACE, "Lyon", object=Mention("Hanoi", "place"))
    later = says("Acme", "headquartered in", "Oslo", "2090-01-01", observed="2090-02-01")
    await world.say(later, source="register", kind="connector")
    stood = await stands(world)
    assert stood["Oslo"] == {"active"}
    ends = await world.rows(
        f"SELECT s.valid_to FROM standings s WHERE fact_id = $1 AND {NOW_OPEN}", await fact_of(world, "Hanoi")
    )
    assert [row["valid_to"] for row in ends] == [day("2090-01-01")]


async def test_a_denied_fact_is_refuted_and_comes_back_when_the_denial_is_taken_back(
    world: World, correct: Correct
) -> None:
    await world.say(says("Acme", "founded by", "Bob"), source="a")
    await world.say(says("Acme", "founded by", "Bob"), source="b")
    before = await stands(world)
    denied = await say(world, correct, Verdict.DENY, "Bob")
    assert denied.fact_id is None
    assert await stands(world) == {"Bob": {"refuted*"}}
    retract = Retract(world.unit_of_work, ChangeWriter(TimeOrderedIds()), world.keys)
    await retract.assertion(world.access, denied.assertions[0], "I was wrong")
    assert await stands(world) == before
    await say(world, correct, Verdict.DENY, "Bob")
    assert await stands(world) == {"Bob": {"refuted*"}}, "the same denial again is a new one"


async def test_a_confirmed_fact_is_verified_by_a_person_over_the_stretch_in_which_it_holds(
    world: World, correct: Correct
) -> None:
    await world.say(says("Acme", "headquartered in", "Lyon", "2020-01-01"), source="a")
    await world.say(says("Acme", "headquartered in", "Lyon", "2022-01-01"), source="b")
    done = await say(world, correct, Verdict.CONFIRM, "Lyon")
    rows = await world.rows(
        f"SELECT valid_from, corrected, verification FROM standings s WHERE fact_id = $1 AND {NOW_OPEN}"
        " ORDER BY valid_from", done.fact_id)  # fmt: skip
    assert [tuple(row) for row in rows] == [
        (day("2020-01-01"), True, "human"),
        (day("2022-01-01"), True, "human"),
    ]


async def test_a_literal_is_replaced_by_a_literal(world: World, correct: Correct) -> None:
    await world.say(Claim(Mention("Acme"), "has status", TextValue("growing"), 1.0))
    fact_id = FactId((await world.rows("SELECT fact_id FROM facts"))[0]["fact_id"])
    await correct(world.access, Correction(fact_id, Verdict.REPLACE, await head(world), object=TextValue("shrinking")))
    assert await stands(world) == {"growing": {"refuted*"}, "shrinking": {"active*"}}


async def test_an_object_of_another_kind_takes_no_place_unless_the_predicate_has_both(
    world: World, correct: Correct
) -> None:
    await world.say(says("Acme", "uses", "Brik"), Claim(Mention("Acme"), "has motto", TextValue("onwards"), 1.0))
    before = await head(world)
    with pytest.raises(InvalidInput, match="the object of USES is a thing") as refused:
        await say(world, correct, Verdict.REPLACE, "Brik", object=TextValue("2020"))
    assert refused.value.field == "object"
    motto = FactId((await world.rows("SELECT fact_id FROM facts WHERE predicate = 'HAS_MOTTO'"))[0]["fact_id"])
    with pytest.raises(InvalidInput, match="the object of HAS_MOTTO is a value"):
        await correct(world.access, Correction(motto, Verdict.REPLACE, before, object=Mention("Upwards")))
    assert await head(world) == before
    await world.say(Claim(Mention("Cole"), "uses", TextValue("a spreadsheet"), 1.0))
    await say(world, correct, Verdict.REPLACE, "Brik", object=TextValue("paper"))
    assert (await stands(world))["paper"] == {"active*"}


async def test_the_second_of_two_people_who_correct_one_fact_sees_the_first(world: World, correct: Correct) -> None:
    await world.say(says("Acme", "headquartered in", "Lyon"), source="a")
    fact_id, saw = await fact_of(world, "Lyon"), await head(world)
    both = await asyncio.gather(
        *(
            correct(world.access, Correction(fact_id, Verdict.REPLACE, saw, object=Mention(place, "place")))
            for place in ("Hanoi", "Oslo")
        ),
        return_exceptions=True,
    )
    done = [each for each in both if isinstance(each, Corrected)]
    refused = [each for each in both if isinstance(each, Conflict)]
    assert (len(done), len(refused)) == (1, 1), both
    assert f"changed at revision {done[0].revision}, after revision {saw}" in refused[0].message
    assert len((await stands(world)).keys()) == 2, "the refused correction left nothing"


async def test_what_else_happened_meanwhile_is_no_conflict(world: World, correct: Correct) -> None:
    await world.say(says("Acme", "headquartered in", "Lyon"), source="a")
    fact_id, saw = await fact_of(world, "Lyon"), await head(world)
    await world.say(says("Brik", "headquartered in", "Oslo"), source="a")
    done = await correct(world.access, Correction(fact_id, Verdict.CONFIRM, saw))
    assert done.fact_id == fact_id


async def test_who_may_not_correct_and_what_cannot_be_corrected(world: World, correct: Correct) -> None:
    await world.say(says("Acme", "headquartered in", "Lyon"), source="a")
    fact_id, saw = await fact_of(world, "Lyon"), await head(world)
    deny = Correction(fact_id, Verdict.DENY, saw)

    async def refused(access: Access, correction: Correction, error: type[Exception], words: str) -> None:
        with pytest.raises(error, match=words):
            await correct(access, correction)

    agent = world.acting(PrincipalKind.AGENT, Role.OWNER)
    await refused(agent, deny, Forbidden, "an agent cannot correct")
    await refused(
        world.acting(PrincipalKind.HUMAN, Role.MEMBER), deny, Forbidden, "correcting facts needs the role curator"
    )
    await refused(world.access, replace(deny, fact_id=FactId(uuid4())), NotFound, "no fact")
    await refused(world.access, replace(deny, object=NumberValue(Decimal(1))), InvalidInput, "object to replace with")
    await refused(world.access, replace(deny, verdict=Verdict.REPLACE), InvalidInput, "object to replace with")
    await refused(
        world.access, replace(deny, saw=Revision(saw + 1)), InvalidInput, f"revision {saw + 1} is not there yet"
    )
    assert await head(world) == saw, "nothing was written"
