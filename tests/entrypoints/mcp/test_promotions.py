"""Reading as far around a scope as is asked, and offering a fact to a wider one, through the tools."""

from __future__ import annotations

from uuid import uuid4

import pytest

from entrypoints.application import Application
from tests.entrypoints.mcp.conftest import Agents
from tests.entrypoints.mcp.filling import Tenant


@pytest.fixture
async def harbour(app: Application, acme: Tenant) -> str:
    """A workspace of the test's own, with one fact that a person states there."""
    name = f"harbour-{uuid4().hex[:8]}"
    await app.identity.create_scope(acme.owner, name)
    owner = await app.resolve_access(await app.verifier.verify(acme.owner_key), name)
    triple = {"subject": f"Quay {name}", "predicate": "depends on", "object": "Northgate"}
    await app.ingestion.assert_facts(owner, [triple])
    return name


async def test_a_read_goes_as_far_as_it_asks(agents: Agents, harbour: str) -> None:
    everything = await agents.ask("get_entity_profile", entity="Northgate", scope=harbour)
    narrow = await agents.ask("get_entity_profile", entity="Northgate", scope=harbour, within="workspace")
    assert {fact["scope"] for fact in everything["facts"]} == {"workspace", "organization"}
    assert [fact["scope"] for fact in narrow["facts"]] == ["workspace"]
    assert narrow["facts"][0]["object"]["name"] == "Northgate"
    found = await agents.ask("query_facts", object="Northgate", scope=harbour, within="workspace")
    assert [fact["fact_id"] for fact in found["facts"]] == [narrow["facts"][0]["fact_id"]]
    hits = await agents.ask("search_knowledge", query="Northgate", scope=harbour, within="workspace")
    assert {hit["fact"]["scope"] for hit in hits["facts"]} == {"workspace"}
    pack = await agents.ask("get_context_pack", question="Northgate", budget=2_000, scope=harbour, within="workspace")
    assert "Hull" not in pack["text"]


async def test_an_agent_offers_a_fact_to_the_organization_and_nothing_changes(
    agents: Agents, app: Application, acme: Tenant, harbour: str
) -> None:
    (fact,) = (await agents.ask("query_facts", subject=f"Quay {harbour}", scope=harbour))["facts"]
    wish = {"fact_id": fact["fact_id"], "to": "organization", "reason": "all ask", "scope": harbour}
    offered = await agents.ask("propose_promotion", **wish)
    assert offered["sentence"] == fact["sentence"]
    assert (await agents.ask("propose_promotion", **wish))["proposal_id"] == offered["proposal_id"]
    assert (await agents.ask("query_facts", subject=f"Quay {harbour}", scope="organization"))["facts"] == []
    async with app.unit_of_work(acme.owner) as tx:
        waiting = await tx.documents.proposals("pending", "promotion", None, 50)
    assert offered["proposal_id"] in {str(row.id) for row in waiting}
