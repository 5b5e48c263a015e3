"""Finding facts and why they stand, over each transport."""

from __future__ import annotations

from typing import Any
from uuid import UUID

import pytest

from entrypoints.mcp.results import NOTICE
from tests.entrypoints.mcp.conftest import Agents, refused

NOBODY = str(UUID(int=7))


def sentences(answer: dict[str, Any]) -> list[str]:
    return sorted(fact["sentence"] for fact in answer["facts"])


async def fact_of(agents: Agents, **pattern: str) -> dict[str, Any]:
    facts = (await agents.ask("query_facts", **pattern))["facts"]
    assert len(facts) == 1, facts
    assert isinstance(facts[0], dict)
    return facts[0]


async def test_a_question_finds_a_cited_and_graded_fact(agents: Agents) -> None:
    answer = await agents.ask("search_knowledge", query="Who founded Northgate?")
    best = answer["facts"][0]
    assert best["fact"]["sentence"] == "Northgate was founded by Ines Calder"
    assert set(best["signals"]) == {"relevance", "authority", "verification", "recency", "feedback", "confidence"}
    evidence = best["fact"]["evidence"]
    assert (evidence["source"], evidence["tier"]) == ("uploads", 2)
    assert evidence["text"] == "Northgate was founded by Ines Calder."
    assert answer["notice"] == NOTICE


async def test_passages_come_on_request(agents: Agents) -> None:
    answer = await agents.ask("search_knowledge", query="Northgate Fenwick Foods", passages="all")
    quotes = [passage["quote"] for passage in answer["passages"]]
    assert any("Fenwick Foods in 2021" in quote["text"] and quote["source"] == "uploads" for quote in quotes)


async def test_what_nobody_knows_is_an_empty_answer(agents: Agents) -> None:
    result = await agents.theirs.call_tool("search_knowledge", {"query": "Who founded Northgate?", "passages": "all"})
    assert result.structured_content is not None
    assert (result.structured_content["facts"], result.structured_content["passages"]) == ([], [])


@pytest.mark.parametrize(
    ("pattern", "found"),
    [
        ({"subject": "Dispatch", "predicate": "runs on"}, ["Dispatch runs on NATS"]),
        ({"subject": "Dispatch", "object": "NATS"}, ["Dispatch runs on NATS"]),
        ({"predicate": "RUNS_ON", "object": "nats"}, ["Dispatch runs on NATS"]),
        ({"subject": "Dispatch"}, ["Dispatch runs on NATS"]),
        ({"predicate": "dependsOn"}, ["NATS depends on Ceph"]),
        ({"object": "Ceph"}, ["NATS depends on Ceph"]),
        ({"subject": "NATS", "predicate": "hosts", "object": "Dispatch"}, ["Dispatch runs on NATS"]),
        ({"subject": "Nobody"}, []),
    ],
)
async def test_each_pattern_by_names(agents: Agents, pattern: dict[str, str], found: list[str]) -> None:
    assert sentences(await agents.ask("query_facts", **pattern)) == found


async def test_an_id_is_as_good_as_a_name(agents: Agents) -> None:
    fact = await fact_of(agents, subject="Dispatch")
    by_id = await fact_of(agents, subject=fact["subject"]["id"], predicate="runs on")
    assert by_id["fact_id"] == fact["fact_id"]


async def test_a_pattern_without_a_side_is_no_question(agents: Agents) -> None:
    problem = await agents.refused("query_facts")
    assert (problem["code"], problem["field"]) == ("invalid_input", "subject")


async def test_pages_go_on_where_the_last_one_ended(agents: Agents) -> None:
    first = await agents.ask("query_facts", subject="Northgate", limit=2)
    seen = sentences(first)
    while "next" in first:
        first = await agents.ask("query_facts", subject="Northgate", limit=2, after=first["next"])
        seen += sentences(first)
    assert sorted(seen) == sentences(await agents.ask("query_facts", subject="Northgate"))
    problem = await agents.refused("query_facts", subject="Northgate", after="nonsense")
    assert (problem["code"], problem["field"]) == ("invalid_input", "after")


async def test_both_sides_of_a_contested_fact_are_shown(agents: Agents) -> None:
    fact = await fact_of(agents, subject="Northgate", predicate="headquartered in", object="Hull")
    assert (fact["lifecycle"], fact["contested"], fact["scope"]) == ("disputed", True, "organization")
    assert [side["sentence"] for side in fact["other_sides"]] == ["Northgate is headquartered in Singapore"]
    other = await agents.ask("explain_fact", fact_id=fact["other_sides"][0]["fact_id"])
    assert [(each["says"], each["quote"]["source"]) for each in other["assertions"]] == [("so", "brochure")]


async def test_as_of_asks_about_another_time(agents: Agents) -> None:
    now = await fact_of(agents, subject="Northgate", predicate="has ceo")
    then = await fact_of(agents, subject="Northgate", predicate="has ceo", as_of="2018-01-01T00:00:00Z")
    assert (now["object"]["name"], then["object"]["name"]) == ("Mara Lind", "Jon Brandt")
    both = await agents.ask("query_facts", subject="Northgate", predicate="has ceo", history=True)
    assert {fact["object"]["name"] for fact in both["facts"]} == {"Mara Lind", "Jon Brandt"}
    problem = await agents.refused("query_facts", subject="Northgate", as_of="2018-01-01T00:00:00")
    assert (problem["code"], problem["field"]) == ("invalid_input", "as_of")
    assert "has no time zone" in problem["detail"]


async def test_known_at_asks_what_the_record_said(agents: Agents) -> None:
    fact = await fact_of(agents, subject="Dispatch")
    before = await agents.ask("query_facts", subject="Dispatch", known_at=fact["since_revision"] - 1)
    assert before["facts"] == []
    assert sentences(await agents.ask("query_facts", subject="Dispatch", known_at=fact["since_revision"])) == [
        "Dispatch runs on NATS"
    ]


@pytest.mark.parametrize(
    ("tool", "arguments"),
    [
        ("search_knowledge", {"query": "Dispatch"}),
        ("query_facts", {"subject": "Dispatch"}),
        ("get_fact", {"fact_id": str(NOBODY)}),
        ("explain_fact", {"fact_id": str(NOBODY)}),
        ("get_entity_profile", {"entity": "Dispatch"}),
        ("neighbours", {"entity": "Dispatch"}),
        ("shortest_path", {"source": "Dispatch", "target": "Dispatch"}),
        ("predicates_in_use", {}),
        ("recall", {"query": "Dispatch"}),
    ],
)
async def test_a_revision_that_is_not_there_yet_is_refused(
    agents: Agents, tool: str, arguments: dict[str, str]
) -> None:
    problem = await agents.refused(tool, **arguments, known_at=10**9)
    assert (problem["code"], problem["field"]) == ("invalid_input", "known_at")
    assert "revision 1000000000 is not there yet, the last one is" in problem["detail"]


async def test_a_filter_asks_for_evidence(agents: Agents) -> None:
    pattern = {"subject": "Northgate", "predicate": "headquartered in"}
    assert (await agents.ask("query_facts", **pattern, filter={"tiers": [1]}))["facts"] == []
    sources = (await agents.ask("list_sources"))["sources"]
    brochure = next(source["id"] for source in sources if source["name"] == "brochure")
    found = await agents.ask("query_facts", **pattern, filter={"sources": [brochure]})
    assert sentences(found) == ["Northgate is headquartered in Singapore"]
    problem = await agents.refused("query_facts", **pattern, filter={"group_id": "o_1"})
    assert (problem["code"], problem["field"]) == ("invalid_input", "filter.group_id")


async def test_a_fact_opens_by_its_id_with_every_segment(agents: Agents) -> None:
    then = await fact_of(agents, subject="Northgate", predicate="has ceo", as_of="2018-01-01T00:00:00Z")
    opened = await agents.ask("get_fact", fact_id=then["fact_id"])
    assert opened["fact_id"] == then["fact_id"]
    assert [(part["valid_from"], part["valid_to"]) for part in opened["segments"]] == [
        ("2015-01-01T00:00:00Z", "2022-01-01T00:00:00Z")
    ]


async def test_an_explanation_names_who_says_so_and_what_changed(agents: Agents) -> None:
    fact = await fact_of(agents, subject="Dispatch")
    why = await agents.ask("explain_fact", fact_id=fact["fact_id"])
    assert why["sentence"] == "Dispatch runs on NATS"
    (assertion,) = why["assertions"]
    assert (assertion["says"], assertion["state"], assertion["kind"]) == ("so", "live", "fact")
    (source,) = why["grounds"]["sources"]
    assert [(voice["source"], voice["counts"]) for voice in source["voices"]] == [("register", True)]
    grounded = (why["grounds"]["grounding"], why["grounds"]["epistemic_status"])
    assert grounded == (fact["grounding"], fact["epistemic_status"])
    assert grounded[1] == "affirmative"
    assert (assertion["quote"]["source"], assertion["quote"]["tier"]) == ("register", 2)
    assert [segment["lifecycle"] for segment in why["segments"]] == ["active"]
    assert why["mutations"][0]["by"] == "Olga"
    assert why["notice"] == NOTICE


@pytest.mark.parametrize("tool", ["get_fact", "explain_fact"])
async def test_a_foreign_fact_reads_as_an_unknown_one(agents: Agents, tool: str) -> None:
    fact = await fact_of(agents, subject="Dispatch")
    foreign = await refused(agents.theirs, tool, fact_id=fact["fact_id"])
    unknown = await refused(agents.theirs, tool, fact_id=NOBODY)
    assert foreign["code"] == unknown["code"] == "not_found"
    assert foreign["detail"].replace(fact["fact_id"], NOBODY) == unknown["detail"]


async def test_a_vote_is_kept_for_a_known_fact_only(agents: Agents) -> None:
    hit = (await agents.ask("search_knowledge", query="Who founded Northgate?"))["facts"][0]
    fact_id = hit["fact"]["fact_id"]
    vote = {"fact_id": fact_id, "helpful": True, "query": "Who founded Northgate?", "signals": hit["signals"]}
    kept = await agents.ask("feedback", **vote)
    assert (kept["fact_id"], kept["helpful"]) == (fact_id, True)
    foreign = await refused(agents.theirs, "feedback", fact_id=fact_id, helpful=True)
    unknown = await refused(agents.theirs, "feedback", fact_id=NOBODY, helpful=True)
    assert foreign["detail"].replace(fact_id, NOBODY) == unknown["detail"]


async def test_known_at_may_be_a_time_and_the_answer_names_the_revision(agents: Agents) -> None:
    fact = await fact_of(agents, subject="Dispatch")
    explained = await agents.ask("explain_fact", fact_id=fact["fact_id"])
    made = explained["mutations"][0]
    then = await agents.ask("query_facts", subject="Dispatch", known_at=made["at"])
    assert then["known_at"] == made["revision"]
    assert sentences(then) == ["Dispatch runs on NATS"]
    before = await agents.ask("search_knowledge", query="Dispatch", known_at="2020-01-01T00:00:00Z")
    assert (before["known_at"], before["facts"]) == (0, [])
    assert "known_at" not in await agents.ask("query_facts", subject="Dispatch")
    problem = await agents.refused("query_facts", subject="Dispatch", known_at="2126-01-01T00:00:00Z")
    assert (problem["code"], problem["field"]) == ("invalid_input", "known_at")


async def test_a_timeline_tells_of_a_thing_by_valid_time_and_of_a_fact_by_its_changes(agents: Agents) -> None:
    told = await agents.ask("get_timeline", entity="Northgate")
    chiefs = [
        (e["what"], e["sentence"], e.get("succeeded_by")) for e in told["events"] if "Jon Brandt" in e["sentence"]
    ]
    assert ("began", "Northgate has as chief executive Jon Brandt", None) in chiefs
    fact = await fact_of(agents, subject="Dispatch")
    one = await agents.ask("get_timeline", fact_id=fact["fact_id"])
    assert [segment["sentence"] for segment in one["segments"]] == ["Dispatch runs on NATS"]
    made = one["changes"][0]
    assert [(effect["stands"], effect["lifecycle"]) for effect in made["effects"]] == [(True, "active")]
    assert made["effects"][0]["sources"] != []
    assert (await agents.refused("get_timeline"))["field"] == "entity"


async def test_changes_since_a_revision_are_told_with_their_effects(agents: Agents) -> None:
    fact = await fact_of(agents, subject="Dispatch")
    since = fact["since_revision"]
    found = await agents.ask("get_changes", since=since - 1, until=since)
    assert [change["revision"] for change in found["changes"]] == [since]
    assert fact["fact_id"] in [effect["fact_id"] for effect in found["changes"][0]["effects"]]
    of_fact = await agents.ask("get_changes", fact_id=fact["fact_id"], limit=1)
    assert (of_fact["changes"][0]["revision"], of_fact["next"]) == (since, since)
    late = await agents.refused("get_changes", since="2126-01-01T00:00:00Z")
    assert (late["code"], late["field"]) == ("invalid_input", "since")


async def test_a_read_point_holds_a_tool_to_both_times(agents: Agents) -> None:
    fact = await fact_of(agents, subject="Dispatch")
    point = "rp1.made.up"
    for tool, arguments in (
        ("search_knowledge", {"query": "Dispatch"}), ("query_facts", {"subject": "Dispatch"}),
        ("get_entity_profile", {"entity": "Dispatch"}), ("neighbours", {"entity": "Dispatch"}),
        ("shortest_path", {"source": "Dispatch", "target": "NATS"}), ("predicates_in_use", {}),
    ):  # fmt: skip
        problem = await agents.refused(tool, **arguments, read_point=point)
        assert (problem["code"], problem["field"]) == ("invalid_input", "read_point")
    problem = await agents.refused("get_fact", fact_id=fact["fact_id"], read_point=point)
    assert problem["field"] == "read_point"
