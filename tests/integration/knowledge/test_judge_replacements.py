"""A model may suggest that a value was replaced: over HTTP to a real server, metered, and only ever a proposal."""

from __future__ import annotations

import json
from collections.abc import AsyncIterator
from typing import Any

import httpx
import pytest

from adapters.judging.language_model import LanguageModelReplacementJudge
from adapters.language_models.openai import OpenAILanguageModel
from adapters.postgres.usage_meter import PostgresUsageMeter
from adapters.system.clock import SystemClock
from adapters.system.ids import TimeOrderedIds
from application.knowledge.judge_replacements import JudgeReplacements, JudgeRun
from application.knowledge.propose_correction import ProposeCorrection
from application.models.metering import MeteredLanguageModel
from domain.errors import Conflict, Forbidden, InvalidInput
from domain.identity.principal import PrincipalKind, Role
from domain.ports.replacement_judge import ReplacementJudge
from tests.contracts.model_server import HANG_UP, ModelServer, Reply, impatient_chain, model_server
from tests.services.contradicting import claim, reads
from tests.services.world import World

OPEN = "to_rev = 9223372036854775807"


@pytest.fixture
async def server() -> AsyncIterator[ModelServer]:
    async with model_server() as served:
        yield served


@pytest.fixture
async def judge(server: ModelServer, world: World) -> AsyncIterator[ReplacementJudge]:
    async with httpx.AsyncClient(base_url=server.url) as client:
        model = OpenAILanguageModel(client, impatient_chain(), "m")
        yield LanguageModelReplacementJudge(
            MeteredLanguageModel(model, PostgresUsageMeter(world.pool), SystemClock().now)
        )


def judging(world: World, judge: ReplacementJudge | None, most: int = 20) -> JudgeReplacements:
    propose = ProposeCorrection(world.unit_of_work, TimeOrderedIds())
    return JudgeReplacements(world.unit_of_work, reads(world), propose, judge, most)


def says(data: object, *, truncated: bool = False) -> Reply:
    text = data if isinstance(data, str) else json.dumps(data)
    choice = {"message": {"role": "assistant", "content": text}, "finish_reason": "length" if truncated else "stop"}
    return Reply({"choices": [choice], "model": "m-1", "usage": {"prompt_tokens": 10, "completion_tokens": 5}})


def replaced(older: str, newer: str) -> Reply:
    return says({"replaced": [{"older": older, "newer": newer}]})


async def two_values(world: World) -> None:
    await world.say(claim("Brik", "uses", "Kafka", since="2019-01-01"), source="old")
    await world.say(claim("Brik", "uses", "Redis", since="2022-05-01"), source="new")


async def proposals(world: World) -> list[Any]:
    return await world.rows(
        "SELECT payload::text AS payload, state, target_id FROM proposals WHERE kind = 'correction'"
    )


async def stands(world: World) -> list[tuple[str, str]]:
    rows = await world.rows(
        f"SELECT f.sentence, s.lifecycle, s.valid_from FROM standings s JOIN facts f USING (organization_id, fact_id) "
        f"WHERE s.{OPEN} ORDER BY f.sentence, s.valid_from"
    )
    return [(row["sentence"], row["lifecycle"]) for row in rows]


async def test_a_verdict_is_a_proposal_with_its_evidence_which_ends_the_older_value_when_it_is_approved(
    world: World, server: ModelServer, judge: ReplacementJudge
) -> None:
    await two_values(world)
    before = await stands(world)
    server.will_reply(replaced("V1", "V2"))
    run = await judging(world, judge)(world.access)
    (end,) = run.suggested
    assert (end.older.says, end.newer.says, end.newer.begins.date().isoformat()) == (
        "Brik uses Kafka", "Brik uses Redis", "2022-05-01",
    )  # fmt: skip
    assert (run.asked, run.unused, run.stopped, end.prompt) == (1, (), None, "find_replacements.v1")
    assert await stands(world) == before, "a verdict changes nothing"
    asked = server.received[0].body["messages"][1]["content"]
    assert "Brik uses Kafka since 2019-01-01" in asked
    (row,) = await proposals(world)
    payload = json.loads(row["payload"])
    assert (payload["verdict"], payload["judged"]["model"]) == ("deny", "m-1")
    (usage,) = await world.rows("SELECT role, model, input_tokens, output_tokens FROM usage")
    assert tuple(usage) == ("judge", "m-1", 10, 5)
    again = await judging(world, judge)(world.access)
    assert (again.asked, again.suggested) == (0, ()), "the two were judged, and one question is enough"
    await world.decide.proposal(world.access, end.proposal_id, True, "seen in the register")
    assert await stands(world) == [
        ("Brik uses Kafka", "active"),
        ("Brik uses Kafka", "refuted"),
        ("Brik uses Redis", "active"),
    ]


@pytest.mark.parametrize(
    ("replies", "why"),
    [
        ([says("Kafka was replaced, I think.")] * 2, "is not JSON"),
        ([says('{"replaced": [{"older": "V1", "new', truncated=True)] * 2, "cut off at the token limit"),
        ([replaced("V1", "V9")] * 2, "is not one of the 2 allowed values"),
        ([says({"replaced": "V1"})] * 2, "is not of type array"),
        ([replaced("V1", "V1")], "names one fact twice"),
        ([replaced("V2", "V1")], "begins later"),
    ],
)
async def test_what_a_model_says_amiss_gives_no_proposal_and_is_told(
    world: World, server: ModelServer, judge: ReplacementJudge, replies: list[Reply], why: str
) -> None:
    await two_values(world)
    server.will_reply(*replies)
    run = await judging(world, judge)(world.access)
    assert (run.suggested, run.asked, run.stopped) == ((), 1, None)
    assert why in run.unused[0].why
    assert await proposals(world) == []


async def test_a_model_that_is_down_ends_the_run_and_is_told(
    world: World, server: ModelServer, judge: ReplacementJudge
) -> None:
    await two_values(world)
    server.will_reply(*[HANG_UP] * 10)
    run = await judging(world, judge)(world.access)
    assert (run.suggested, run.asked) == ((), 1)
    assert run.stopped is not None
    assert "the test provider" in run.stopped
    assert await proposals(world) == []


async def test_a_run_asks_no_more_than_it_may_and_says_where_to_go_on(
    world: World, server: ModelServer, judge: ReplacementJudge
) -> None:
    for company in ("Brik", "Cord", "Doma"):
        await world.say(claim(company, "uses", "Kafka", since="2019-01-01"), source=company)
        await world.say(claim(company, "uses", "Redis", since="2022-05-01"), source=company)
    await world.say(claim("Brik", "has CEO", "Ada", since="2019-01-01"), source="heads")
    server.will_reply(*[says({"replaced": []})] * 3)
    run = judging(world, judge, most=2)
    first: JudgeRun = await run(world.access)
    assert (first.asked, first.next is not None) == (2, True)
    second = await run(world.access, after=first.next)
    assert (second.asked, second.next) == (1, None)
    with pytest.raises(InvalidInput, match=r"limit is 1 to 2 \(ASSAY_JUDGE__MOST\), not 3"):
        await run(world.access, limit=3)
    assert (await run(world.access, ("founded by",))).asked == 0


async def test_it_is_off_until_a_judge_is_configured_and_takes_a_curator(world: World, judge: ReplacementJudge) -> None:
    with pytest.raises(Conflict, match="ASSAY_JUDGE__PROVIDER"):
        await judging(world, None)(world.access)
    with pytest.raises(Forbidden):
        await judging(world, judge)(world.acting(PrincipalKind.HUMAN, Role.MEMBER))


async def test_a_budget_that_is_used_up_ends_the_run_before_the_model_is_asked(
    world: World, server: ModelServer, judge: ReplacementJudge
) -> None:
    await two_values(world)
    async with world.unit_of_work(world.access) as tx:
        await tx.directory.set_monthly_limit(0.0)
    run = await judging(world, judge)(world.access)
    assert (run.suggested, server.received) == ((), [])
    assert run.stopped is not None
