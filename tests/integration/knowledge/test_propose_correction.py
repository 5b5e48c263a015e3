"""Agents and members propose corrections; a person's approval writes them as their own."""

from __future__ import annotations

from dataclasses import replace
from decimal import Decimal
from uuid import uuid4

import pytest

from adapters.system.ids import TimeOrderedIds
from application.knowledge.correct import Correction, Verdict
from application.knowledge.propose_correction import (
    CorrectionProposed,
    ProposeCorrection,
    correction_json,
    correction_of,
)
from domain.errors import Conflict, Forbidden, InvalidInput, NotFound
from domain.identity.ids import FactId, Revision
from domain.identity.principal import PrincipalKind, Role
from domain.knowledge.assertion import Mention
from domain.knowledge.objects import NumberValue, TextValue
from domain.knowledge.time import OPEN_BOUND, TimeBound
from tests.integration.knowledge.test_correct import day, fact_of, head, says, stands
from tests.services.world import World


@pytest.fixture
def propose(world: World) -> ProposeCorrection:
    return ProposeCorrection(world.unit_of_work, TimeOrderedIds())


async def proposed(world: World, propose: ProposeCorrection) -> CorrectionProposed:
    """An agent finds that Acme sits in Hanoi."""
    await world.say(says("Acme", "headquartered in", "Lyon", "2020-01-01"), source="a")
    wish = Correction(
        await fact_of(world, "Lyon"), Verdict.REPLACE, await head(world), Mention("Hanoi", "place"), reason="the site"
    )
    return await propose(world.acting(PrincipalKind.AGENT, Role.MEMBER), wish)


async def test_a_proposed_correction_changes_nothing_until_a_person_approves_it(
    world: World, propose: ProposeCorrection
) -> None:
    waiting = await proposed(world, propose)
    assert await stands(world) == {"Lyon": {"active"}}
    async with world.unit_of_work(world.access) as tx:
        (row,) = await tx.documents.proposals("pending", "correction", None, 10)
    assert (row.id, row.target_id, row.payload["verdict"]) == (waiting.proposal_id, waiting.fact_id, "replace")
    done = await world.decide.proposal(world.access, waiting.proposal_id, True, None)
    assert (done.state, await stands(world)) == ("approved", {"Lyon": {"refuted*"}, "Hanoi": {"active*"}})
    (mutation,) = await world.rows("SELECT principal_id, reason FROM mutations WHERE kind = 'correct'")
    assert tuple(mutation) == (world.access.principal.id, "the site")
    with pytest.raises(Conflict, match="was approved already"):
        await world.decide.proposal(world.access, waiting.proposal_id, True, None)


async def test_the_same_proposal_again_is_the_one_that_waits_until_the_fact_changes(
    world: World, propose: ProposeCorrection
) -> None:
    first = await proposed(world, propose)
    agent = world.acting(PrincipalKind.AGENT, Role.MEMBER)
    wish = Correction(first.fact_id, Verdict.REPLACE, await head(world), Mention("Hanoi", "place"), reason="the site")
    again = await propose(agent, wish)
    assert (again.proposal_id, again.revision) == (first.proposal_id, None)
    assert (await propose(agent, replace(wish, reason="another"))).revision is not None
    await world.say(says("Acme", "headquartered in", "Lyon", "2019-01-01"), source="b")
    assert (await propose(agent, replace(wish, saw=await head(world)))).revision is not None


async def test_a_rejected_correction_never_counts(world: World, propose: ProposeCorrection) -> None:
    waiting = await proposed(world, propose)
    await world.decide.proposal(world.access, waiting.proposal_id, False, "no")
    assert await stands(world) == {"Lyon": {"active"}}


async def test_a_fact_that_changed_since_it_was_proposed_is_a_conflict_unless_the_approver_saw_it(
    world: World, propose: ProposeCorrection
) -> None:
    waiting = await proposed(world, propose)
    await world.say(says("Acme", "headquartered in", "Lyon", "2019-01-01"), source="b")
    before = await head(world)
    with pytest.raises(Conflict, match="changed at revision"):
        await world.decide.proposal(world.access, waiting.proposal_id, True, None)
    assert await stands(world) == {"Lyon": {"active"}}
    async with world.unit_of_work(world.access) as tx:
        found = await tx.documents.proposal(waiting.proposal_id)
    assert found is not None
    assert found.state == "pending", "the refusal leaves it waiting"
    done = await world.decide.proposal(world.access, waiting.proposal_id, True, None, before)
    assert done.state == "approved"
    assert (await stands(world))["Hanoi"] == {"active*"}


async def test_what_cannot_be_proposed_or_approved_and_by_whom(world: World, propose: ProposeCorrection) -> None:
    waiting = await proposed(world, propose)
    agent = world.acting(PrincipalKind.AGENT, Role.OWNER)
    with pytest.raises(Forbidden, match="an agent cannot decide proposals"):
        await world.decide.proposal(agent, waiting.proposal_id, True, None)
    sound = Correction(waiting.fact_id, Verdict.DENY, await head(world))
    with pytest.raises(Forbidden, match="needs the role member"):
        await propose(world.acting(PrincipalKind.HUMAN, Role.VIEWER), sound)
    with pytest.raises(NotFound, match="no fact"):
        await propose(agent, replace(sound, fact_id=FactId(uuid4())))
    with pytest.raises(InvalidInput, match="object to replace with"):
        await propose(agent, replace(sound, object=NumberValue(Decimal(1))))
    with pytest.raises(Conflict, match="send the proposal with its present revision"):
        await propose(agent, replace(sound, saw=Revision(1)))
    with pytest.raises(InvalidInput, match=f"revision {sound.saw + 1} is not there yet"):
        await propose(agent, replace(sound, saw=Revision(sound.saw + 1)))


@pytest.mark.parametrize("target", [None, Mention("Hanoi", "place"), Mention("Hanoi"), TextValue("growing", "en")])
def test_a_correction_is_kept_whole(target: Mention | TextValue | None) -> None:
    verdict = Verdict.DENY if target is None else Verdict.REPLACE
    wish = Correction(
        FactId(uuid4()), verdict, Revision(7), target, TimeBound.stated(day("2020-01-01")), OPEN_BOUND, "since"
    )
    assert correction_of(correction_json(wish)) == wish


def test_an_erased_proposal_says_so() -> None:
    with pytest.raises(Conflict, match="was erased; reject the proposal"):
        correction_of({})
