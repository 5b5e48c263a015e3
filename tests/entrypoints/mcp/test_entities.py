"""Things and what is around them, over each transport."""

from __future__ import annotations

from typing import Any
from uuid import UUID

from tests.entrypoints.mcp.conftest import Agents

NOBODY = str(UUID(int=7))


def walked(answer: dict[str, Any]) -> list[tuple[int, str]]:
    return [(each["hop"], each["fact"]["sentence"]) for each in answer["facts"]]


async def test_a_profile_has_totals_facts_and_documents(agents: Agents) -> None:
    profile = await agents.ask("get_entity_profile", entity="northgate")
    assert profile["aliases"] == ["Northgate"]
    totals = {total["predicate"]: total["as_subject"] for total in profile["totals"]}
    assert (totals["HEADQUARTERED_IN"], totals["FOUNDED_BY"]) == (2, 1)
    assert "Northgate was founded by Ines Calder" in {fact["sentence"] for fact in profile["facts"]}
    assert "About Northgate" in {document.get("title") for document in profile["documents"]}
    assert "did_you_mean" in profile


async def test_an_unknown_name_gives_names_that_are_alike(agents: Agents) -> None:
    profile = await agents.ask("get_entity_profile", entity="Northgat")
    assert (profile["entities"], profile["facts"]) == ([], [])
    assert "Northgate" in {each["entity"]["name"] for each in profile["did_you_mean"]}


async def test_a_foreign_entity_reads_as_an_unknown_one(agents: Agents) -> None:
    entity = (await agents.ask("get_entity_profile", entity="Northgate"))["entities"][0]["id"]
    for tool in ("get_entity_profile", "neighbours"):
        foreign = await agents.theirs.call_tool(tool, {"entity": entity})
        unknown = await agents.theirs.call_tool(tool, {"entity": NOBODY})
        # The profile of an id that nobody has is refused; a walk from one finds nothing.
        assert foreign.is_error is unknown.is_error is (tool == "get_entity_profile")
        assert str(foreign.structured_content).replace(entity, NOBODY) == str(unknown.structured_content)


async def test_neighbours_go_as_far_as_asked(agents: Agents) -> None:
    near = await agents.ask("neighbours", entity="Dispatch")
    assert walked(near) == [(1, "Dispatch runs on NATS")]
    far = await agents.ask("neighbours", entity="Dispatch", hops=2, direction="out")
    assert walked(far) == [(1, "Dispatch runs on NATS"), (2, "NATS depends on Ceph")]
    one = await agents.ask("neighbours", entity="NATS", predicates=["depends on"])
    assert walked(one) == [(1, "NATS depends on Ceph")]
    assert walked(await agents.ask("neighbours", entity="Ceph", direction="out")) == []


async def test_a_walk_has_bounds(agents: Agents) -> None:
    problem = await agents.refused("neighbours", entity="Dispatch", hops=9)
    assert (problem["code"], problem["field"], problem["value"]) == ("invalid_input", "hops", "9")


async def test_a_path_is_a_chain_of_facts(agents: Agents) -> None:
    path = await agents.ask("shortest_path", source="Dispatch", target="Ceph")
    assert path["connected"] is True
    assert [fact["sentence"] for fact in path["facts"]] == ["Dispatch runs on NATS", "NATS depends on Ceph"]
    none = await agents.ask("shortest_path", source="Dispatch", target="Singapore")
    assert (none["connected"], none["facts"]) == (False, [])


async def test_predicates_in_use_are_counted(agents: Agents) -> None:
    listed = (await agents.ask("predicates_in_use"))["predicates"]
    used = {use["predicate"]: use["facts"] for use in listed}
    assert all(0 < len(use["examples"]) <= min(use["facts"], 3) for use in listed)
    assert (used["RUNS_ON"], used["HEADQUARTERED_IN"]) == (1, 2)
    theirs = await agents.theirs.call_tool("predicates_in_use", {})
    assert theirs.structured_content == {"predicates": [], "truncated": False}
