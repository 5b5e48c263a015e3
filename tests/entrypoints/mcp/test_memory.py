"""What an agent remembers, over each transport."""

from __future__ import annotations

from mcp import Client

from tests.entrypoints.mcp.conftest import Agents
from tests.entrypoints.mcp.filling import MEMORY


async def test_what_was_remembered_is_recalled_as_words_and_facts(agents: Agents) -> None:
    answer = await agents.ask("recall", query="Which answers does Olga like?")
    (passage,) = answer["passages"]
    assert (passage["quote"]["text"], passage["scope"]) == (MEMORY, "personal")
    assert (passage["quote"]["source"], passage["quote"]["tier"]) == ("memory", 4)
    answer = await agents.ask("recall", query="Who founded Quillon?")
    fact = answer["facts"][0]["fact"]
    assert fact["sentence"] == "Quillon was founded by Petra Voss"
    assert (fact["scope"], fact["tier"], fact["confidence"] <= 0.5) == ("personal", 4, True)


async def test_recall_leaves_out_what_the_organization_knows(agents: Agents) -> None:
    answer = await agents.ask("recall", query="Who founded Northgate?")
    assert all(hit["fact"]["scope"] == "personal" for hit in answer["facts"])
    assert all(passage["scope"] == "personal" for passage in answer["passages"])


async def test_nobody_else_recalls_it(agents: Agents, curator: Client) -> None:
    for client in (agents.theirs, curator):
        recalled = await client.call_tool("recall", {"query": "Who founded Quillon?"})
        assert recalled.structured_content is not None
        assert (recalled.structured_content["facts"], recalled.structured_content["passages"]) == ([], [])
    searched = await curator.call_tool("query_facts", {"subject": "Quillon"})
    assert searched.structured_content is not None
    assert searched.structured_content["facts"] == []
