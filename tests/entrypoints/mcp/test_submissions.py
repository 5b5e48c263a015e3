"""What agents offer to the memory, over each transport."""

from __future__ import annotations

from uuid import UUID, uuid4

from mcp import Client

from tests.entrypoints.mcp.conftest import Agents, refused

NOBODY = str(UUID(int=7))


async def test_sources_come_with_their_tiers(agents: Agents) -> None:
    listed = (await agents.ask("list_sources"))["sources"]
    known = {source["name"]: (source["kind"], source["tier"], source["documents"]) for source in listed}
    assert known["register"] == ("record_export", 2, 1)
    assert known["uploads"] == ("upload", 2, 1)
    assert "group_id" not in str(listed)


async def test_an_organization_that_knows_nothing_has_no_sources(agents: Agents) -> None:
    result = await agents.theirs.call_tool("list_sources", {})
    assert result.structured_content == {"sources": [], "truncated": False}


async def test_what_an_agent_proposes_waits_and_its_receipt_says_so(agents: Agents) -> None:
    title = f"Notes {uuid4().hex}"
    receipt = await agents.ask("propose_document", title=title, content="# Notes\n\nHull floods.\n")
    assert (receipt["status"], receipt["notes"]) == ("proposed", {"gate": "propose"})
    again = await agents.ask("get_receipt", receipt_id=receipt["receipt_id"])
    assert again == receipt
    unchanged = await agents.ask("propose_document", title=title, content="# Notes\n\nHull floods.\n")
    assert (unchanged["status"], unchanged["document_id"]) == ("unchanged", receipt["document_id"])


async def test_what_an_agent_asserts_waits(agents: Agents) -> None:
    statement = {"subject": f"Depot {uuid4().hex}", "predicate": "located in", "object": "Leeds"}
    made = await agents.ask("assert_fact", **statement)
    assert (made["state"], len(made["asserted"]), made["already_known"]) == ("pending", 1, 0)
    again = await agents.ask("assert_fact", **statement)
    assert (again["asserted"], again["already_known"]) == ([], 1)


async def test_values_are_asserted_by_their_type(agents: Agents) -> None:
    depot = f"Depot {uuid4().hex}"
    for value, kind in (("12.5", "number"), ("2021-04", "date"), ("true", "boolean"), ("cold", "text")):
        made = await agents.ask("assert_fact", subject=depot, predicate="has detail", object=value, object_type=kind)
        assert len(made["asserted"]) == 1
    problem = await agents.refused(
        "assert_fact", subject=depot, predicate="has size", object="many", object_type="number"
    )
    assert (problem["code"], problem["field"]) == ("invalid_input", "object.number")
    assert "'many'" in problem["detail"]


async def test_what_a_curator_asserts_is_live(curator: Client) -> None:
    arguments = {"subject": f"Depot {uuid4().hex}", "predicate": "located in", "object": "York"}
    result = await curator.call_tool("assert_fact", arguments)
    assert result.structured_content is not None
    assert result.structured_content["state"] == "live"


async def test_a_memory_is_kept_in_the_personal_scope(agents: Agents) -> None:
    text = f"The dispatch team prefers short answers. {uuid4().hex}"
    receipt = await agents.ask("remember", text=text)
    assert receipt["status"] == "accepted"
    assert (await agents.ask("remember", text=text))["document_id"] == receipt["document_id"]
    problem = await agents.refused("get_receipt", receipt_id=receipt["receipt_id"])
    assert problem["code"] == "not_found"
    mine = await agents.ask("get_receipt", receipt_id=receipt["receipt_id"], scope="personal")
    assert mine["document_id"] == receipt["document_id"]


async def test_a_foreign_receipt_reads_as_an_unknown_one(agents: Agents) -> None:
    receipt = await agents.ask("propose_document", title="Foreign", content="Nothing to see.")
    foreign = await refused(agents.theirs, "get_receipt", receipt_id=receipt["receipt_id"])
    unknown = await refused(agents.theirs, "get_receipt", receipt_id=NOBODY)
    assert foreign["code"] == unknown["code"] == "not_found"
    assert foreign["detail"].replace(receipt["receipt_id"], NOBODY) == unknown["detail"]
