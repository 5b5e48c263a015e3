"""Concepts, over each transport."""

from __future__ import annotations

import json
from collections.abc import AsyncIterator
from uuid import uuid4

from application.ingestion.sources import SourceSpec
from entrypoints.application import Application
from tests.entrypoints.mcp.conftest import Agents
from tests.entrypoints.mcp.filling import Tenant

LABEL, OTHER = "Depots should own their stock", "Stock belongs to the group"
LINES = (
    {"subject": {"concept": LABEL}, "predicate": "concept kind", "object": {"text": "principle"}, "excerpt": "Own it."},
    {"subject": {"concept": OTHER}, "predicate": "contradicts", "object": {"concept": LABEL}},
)


async def told(app: Application, tenant: Tenant) -> None:
    """Loaded once, however often it is asked for."""
    await imported(app, tenant, "handbook", *(json.dumps(line).encode() for line in LINES))


async def imported(app: Application, tenant: Tenant, source: str, *told: bytes) -> None:
    async def lines() -> AsyncIterator[bytes]:
        for line in told:
            yield line

    await app.ingestion.import_triples(tenant.owner, SourceSpec(source, "record_export"), "lines", lines())


async def test_an_agent_finds_a_concept_and_reads_both_sides(agents: Agents, app: Application, acme: Tenant) -> None:
    await told(app, acme)
    answer = await agents.ask("search_concepts", query="depots own stock", kinds=["principle"])
    found = answer["concepts"][0]["concept"]
    assert (found["label"], found["kind"], found["epistemic_status"]) == (LABEL, "principle", "contested")
    assert [quote["text"] for quote in found["quotes"]] == ["Own it."]
    details = await agents.ask("get_concept", concept=LABEL)
    assert details["concept"]["id"] == found["id"]
    (relation,) = details["relations"]
    assert (relation["relation"], relation["other"]["name"]) == ("CONTRADICTS", OTHER)
    kept = (await agents.ask("create_snapshot"))["snapshot_id"]
    late = str(uuid4())
    await imported(app, acme, f"handbook {late}", json.dumps({**LINES[0], "excerpt": late}).encode())
    by = {"query": "depots own stock", "kinds": ["principle"]}
    pinned = await agents.ask("search_concepts", **by, snapshot=kept)
    assert pinned["concepts"][0]["concept"] == found
    assert (await agents.ask("search_concepts", **by))["concepts"][0]["concept"]["sources"] > found["sources"]
    assert (await agents.ask("get_concept", concept=LABEL, snapshot=kept))["concept"] == details["concept"]
    assert (await agents.refused("get_concept", concept=LABEL, snapshot=str(uuid4())))["code"] == "not_found"
    theirs = await agents.theirs.call_tool("search_concepts", {"query": "stock"})
    assert theirs.structured_content is not None
    assert theirs.structured_content["concepts"] == []


async def test_what_is_no_concept_is_refused(agents: Agents) -> None:
    assert (await agents.refused("get_concept", concept="Northgate"))["code"] == "not_found"
    assert (await agents.refused("search_concepts", query="x", kinds=["idea"]))["code"] == "invalid_input"
