"""Facts and documents by address, and prompts, over each transport."""

from __future__ import annotations

import json
from uuid import UUID

import pytest
from mcp import MCPError

from tests.entrypoints.mcp.conftest import Agents
from tests.entrypoints.mcp.filling import ABOUT, Tenant

NOBODY = str(UUID(int=7))


async def test_facts_and_documents_have_addresses(agents: Agents) -> None:
    templates = (await agents.ours.list_resource_templates()).resource_templates
    assert {template.uri_template for template in templates} == {
        "assay://fact/{fact_id}",
        "assay://document/{document_id}",
    }
    assert all(template.description and template.mime_type == "application/json" for template in templates)


async def test_a_fact_reads_as_get_fact_gives_it(agents: Agents) -> None:
    fact_id = (await agents.ask("query_facts", subject="Dispatch"))["facts"][0]["fact_id"]
    contents = (await agents.ours.read_resource(f"assay://fact/{fact_id}")).contents
    assert json.loads(contents[0].text) == await agents.ask("get_fact", fact_id=fact_id)  # type: ignore[union-attr]


async def test_a_quote_lies_at_its_offsets_in_the_document(agents: Agents, acme: Tenant) -> None:
    contents = (await agents.ours.read_resource(f"assay://document/{acme.document_id}")).contents
    document = json.loads(contents[0].text)  # type: ignore[union-attr]
    assert (document["text"], document["status"], document["content_type"]) == (ABOUT, "completed", "text/markdown")
    facts = (await agents.ask("query_facts", subject="Northgate", predicate="founded by"))["facts"]
    quote = facts[0]["evidence"]
    assert document["version_id"] == quote["version_id"]
    assert document["text"][quote["start"] : quote["end"]] == quote["text"]


@pytest.mark.parametrize("kind", ["fact", "document"])
async def test_a_foreign_address_reads_as_an_unknown_one(agents: Agents, acme: Tenant, kind: str) -> None:
    known = str(acme.document_id)
    if kind == "fact":
        known = (await agents.ask("query_facts", subject="Dispatch"))["facts"][0]["fact_id"]
    said = []
    for asked in (known, NOBODY):
        with pytest.raises(MCPError) as refused:
            await agents.theirs.read_resource(f"assay://{kind}/{asked}")
        assert refused.value.error.data["code"] == "not_found"
        said.append(refused.value.error.message.replace(asked, NOBODY))
    assert said[0] == said[1]


async def test_a_wrong_id_is_refused_by_name(agents: Agents) -> None:
    with pytest.raises(MCPError, match="'seven' is no id") as refused:
        await agents.ours.read_resource("assay://fact/seven")
    assert refused.value.error.data["field"] == "fact_id"


async def test_prompts_describe_themselves(agents: Agents) -> None:
    (prompt,) = (await agents.ours.list_prompts()).prompts
    assert (prompt.name, bool(prompt.description)) == ("cited_answer", True)
    filled = await agents.ours.get_prompt("cited_answer", {"question": "Who founded Northgate?"})
    assert "Who founded Northgate?" in filled.messages[0].content.text  # type: ignore[union-attr]


async def test_an_unknown_prompt_and_wrong_arguments_of_one_are_refused(agents: Agents) -> None:
    with pytest.raises(MCPError, match="there is no prompt 'poem'; there are: cited_answer") as refused:
        await agents.ours.get_prompt("poem", {})
    assert refused.value.error.data["code"] == "not_found"
    with pytest.raises(MCPError, match="cited_answer does not take these") as refused:
        await agents.ours.get_prompt("cited_answer", {})
    assert refused.value.error.data["field"] == "arguments"
