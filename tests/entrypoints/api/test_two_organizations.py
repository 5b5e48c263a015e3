"""Every route of the OpenAPI document, walked by a second organization: nothing of the first one shows.

A route that is added later is walked too, without a line here.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from typing import Any
from uuid import uuid4

import httpx
import pytest

from entrypoints.application import Application
from tests.entrypoints.api.conftest import Tenant
from tests.entrypoints.api.test_ingestion import submitted

CANARY = "Zanzibarite"
"""What the other organization asks for."""
SECRET = "Qwyjibo"
"""What only answers could show."""
UUIDS = re.compile(r"[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}")
ASKED = {
    "q": CANARY, "query": CANARY, "name": CANARY, "subject": CANARY, "entity": CANARY, "predicate": "DEPENDS_ON",
    "from": CANARY, "to": CANARY, "target": CANARY,
}  # fmt: skip
OPERATION = ("get", "post", "put", "delete", "patch")


def routes(document: dict[str, Any]) -> Iterator[tuple[str, str, dict[str, Any]]]:
    for path, operations in document["paths"].items():
        for method, operation in operations.items():
            if method in OPERATION:
                yield method.upper(), path, operation


def parameters(operation: dict[str, Any]) -> dict[str, str]:
    named = [p["name"] for p in operation.get("parameters", []) if p["in"] == "query"]
    # A path has a source and a target by name; elsewhere a source is a filter by id.
    known = ASKED | ({"source": CANARY} if "target" in named else {})
    # A history is of one thing: an entity, or a predicate.
    if "actor" in named:
        known = {name: value for name, value in known.items() if name != "predicate"}
    return {name: known[name] for name in named if name in known}


def by_id(operation: dict[str, Any]) -> bool:
    return any(p["in"] == "path" and p["schema"].get("format") == "uuid" for p in operation.get("parameters", []))


async def everything(tenant: Tenant, document: dict[str, Any]) -> dict[str, httpx.Response]:
    """What a tenant's lists and searches answer."""
    return {
        path: await tenant.get(path, **parameters(operation))
        for method, path, operation in routes(document)
        if method == "GET" and "{" not in path and path.startswith("/v1/") and not path.startswith("/v1/openapi")
    }


@pytest.fixture
async def filled(running: Application, acme: Tenant) -> Tenant:
    body = {
        "record_key": f"{CANARY}.txt", "title": SECRET, "collection": CANARY,
        "source": {"name": CANARY, "kind": "upload"},
        "text": f"{CANARY} was founded in 2009 by {SECRET} Calder. The order service depends on the billing service.",
    }  # fmt: skip
    answer = await acme.post("/v1/documents", body)
    assert answer.status_code == 202, answer.text
    await submitted(running, acme)
    triple = {"subject": CANARY, "predicate": "depends on", "object": f"{SECRET} ledger"}
    assert (await acme.post("/v1/assertions", {"statements": [triple]})).status_code == 201
    assert (await acme.post("/v1/workspaces", {"name": CANARY})).status_code == 201
    return acme


async def test_lists_and_searches_of_another_organization_show_nothing(filled: Tenant, other: Tenant) -> None:
    document = (await filled.get("/v1/openapi.json")).json()
    own = await everything(filled, document)
    assert [path for path, answer in own.items() if answer.status_code != 200] == []
    assert any(SECRET in answer.text for answer in own.values())
    known = {found for answer in own.values() for found in UUIDS.findall(answer.text)} - {filled.id}
    assert len(own) >= 15
    assert len(known) >= 8
    for path, answer in (await everything(other, document)).items():
        assert SECRET not in answer.text, path
        assert not known & set(UUIDS.findall(answer.text)), path


async def test_every_id_of_another_organization_reads_like_one_that_nobody_has(filled: Tenant, other: Tenant) -> None:
    document = (await filled.get("/v1/openapi.json")).json()
    before = await everything(filled, document)
    known = sorted({found for answer in before.values() for found in UUIDS.findall(answer.text)} - {filled.id})
    walked = 0
    for method, path, operation in routes(document):
        if not by_id(operation):
            continue
        for foreign in known:
            answers = [await asked(other, method, path, wanted) for wanted in (foreign, str(uuid4()))]
            assert answers[0] == answers[1], (method, path)
            assert SECRET not in answers[0][1], (method, path)
            walked += 1
    assert walked >= 100
    after = await everything(filled, document)
    assert after["/v1/facts"].json() == before["/v1/facts"].json()
    assert after["/v1/documents"].json() == before["/v1/documents"].json()


async def asked(tenant: Tenant, method: str, path: str, wanted: str) -> tuple[int, str]:
    place = re.sub(r"\{[^}]+\}", wanted, path)
    answer = await tenant.client.request(method, place, json={} if method in ("POST", "PUT", "PATCH") else None)
    text = answer.text.replace(wanted, "…")
    try:
        problem = json.loads(text)
    except ValueError:
        return answer.status_code, text
    if isinstance(problem, dict):
        problem.pop("request_id", None)
    return answer.status_code, json.dumps(problem, sort_keys=True)
