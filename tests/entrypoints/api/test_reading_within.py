"""A read sees of the scopes around what it asks for, and rivals between those are marked, over HTTP."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import pytest

from entrypoints.application import Application
from tests.entrypoints.api.conftest import Tenant


async def stated(tenant: Tenant, value: str, scope: str) -> None:
    triple = {"subject": "Acme", "predicate": "motto", "object": {"text": value}}
    answer = await tenant.post("/v1/assertions", {"statements": [triple]}, scope=scope)
    assert answer.status_code == 201, answer.text


@pytest.fixture
async def layered(acme: Tenant) -> Tenant:
    """One thing of the organization, with another motto in each scope, and a policy that it has one."""
    await acme.post("/v1/workspaces", {"name": "sales"})
    await acme.post("/v1/projects", {"workspace": "sales", "name": "q3"})
    policy = {"name": "MOTTO", "cardinality": "one"}
    made = await acme.post("/v1/vocabulary", {"policies": [policy]})
    assert made.status_code == 200, made.text
    await stated(acme, "Oslo", "organization")
    await stated(acme, "Bergen", "sales")
    await stated(acme, "Tromso", "sales/q3")
    return acme


def objects(items: Sequence[dict[str, Any]]) -> list[str]:
    return sorted(item["object"]["value"] for item in items)


READS = {
    "project": ["Tromso"],
    "workspace": ["Bergen", "Tromso"],
    "organization": ["Bergen", "Oslo", "Tromso"],
    None: ["Bergen", "Oslo", "Tromso"],
}


@pytest.mark.parametrize("within", READS, ids=str)
async def test_facts_profile_search_and_packs_read_as_far_as_asked(
    layered: Tenant, running: Application, within: str | None
) -> None:
    asked = {"scope": "sales/q3"} | ({"within": within} if within else {})
    by_name = (await layered.get("/v1/facts", subject="acme", **asked)).json()["items"]
    assert objects(by_name) == READS[within]
    assert {item["subject"]["name"] for item in by_name} == {"Acme"}
    profile = (await layered.get("/v1/profile", name="Acme", **asked)).json()
    assert objects(profile["facts"]) == READS[within]
    found = await layered.post("/v1/search", {"query": "Acme motto"}, **asked)
    hits = [hit.get("fact", hit) for hit in found.json()["hits"]]
    assert objects(hits) == READS[within]
    pack = (await layered.post("/v1/packs", {"question": "Acme motto", "budget": 2000}, **asked)).json()
    told = sorted(city for city in ("Bergen", "Oslo", "Tromso") if city in pack["text"])
    assert told == READS[within]
    for item in (*by_name, *hits):
        assert item["differs_by_scope"] is (len(READS[within]) > 1)


async def test_a_fact_of_a_scope_that_was_not_asked_for_reads_as_unknown(layered: Tenant) -> None:
    wide = (await layered.get("/v1/facts", subject="Acme", scope="sales/q3")).json()["items"]
    oslo = next(item for item in wide if item["object"]["value"] == "Oslo")
    for path in (f"/v1/facts/{oslo['id']}", f"/v1/facts/{oslo['id']}/explanation"):
        assert (await layered.get(path, scope="sales/q3")).status_code == 200
        assert (await layered.get(path, scope="sales/q3", within="workspace")).status_code == 404


async def test_what_is_wider_than_asked_or_no_kind_is_refused(layered: Tenant) -> None:
    answer = await layered.get("/v1/facts", subject="Acme", scope="sales", within="project")
    assert (answer.status_code, answer.json()["field"]) == (422, "within")
    assert answer.json()["detail"].endswith("its kind is workspace; read within workspace, organization")
    answer = await layered.get("/v1/facts", subject="Acme", within="galaxy")
    assert (answer.status_code, answer.json()["field"]) == (422, "within")
    answer = await layered.post("/v1/assertions", {"statements": []}, within="project")
    assert answer.status_code == 422
