"""Concepts over HTTP."""

from __future__ import annotations

import json
from typing import Any
from uuid import uuid4

from tests.entrypoints.api.conftest import Tenant

RETRIES, ONCE = "Retries must be idempotent", "Messages are delivered once"


async def filled(tenant: Tenant) -> int:
    """Two concepts that disagree, in two triples each; returns the revision before they disagreed."""
    stated = [
        {"subject": {"concept": label}, "predicate": "concept kind", "object": {"text": kind}, "excerpt": f"{label}!"}
        for label, kind in ((RETRIES, "principle"), (ONCE, "claim"))
    ]
    first = await triples(tenant, *stated)
    against = {"subject": {"concept": ONCE}, "predicate": "contradicts", "object": {"concept": RETRIES}}
    await triples(tenant, against)
    return int(first["revision"])


async def triples(tenant: Tenant, *lines: dict[str, Any]) -> dict[str, Any]:
    body = "\n".join(json.dumps(line) for line in lines)
    answer = await tenant.client.post(
        "/v1/triples", content=body, params={"source": "handbook", "name": str(uuid4())},
        headers={"content-type": "application/x-ndjson"},
    )  # fmt: skip
    assert answer.status_code == 200, answer.text
    receipt: dict[str, Any] = answer.json()
    assert receipt["rejected"] == 0, receipt
    return receipt


async def test_concepts_are_searched_and_read_with_both_sides(acme: Tenant, other: Tenant) -> None:
    before = await filled(acme)
    answer = await acme.get("/v1/concepts", q="idempotent retries", concept_kind="principle")
    assert answer.status_code == 200, answer.text
    (found,) = answer.json()["items"]
    concept = found["concept"]
    assert (concept["label"], concept["kind"], concept["sources"]) == (RETRIES, "principle", 1)
    assert [each["name"] for each in concept["contradicted_by"]] == [ONCE]
    assert concept["quotes"][0]["excerpt"] == f"{RETRIES}!"
    answer = await acme.get(f"/v1/concepts/{concept['id']}")
    assert answer.status_code == 200, answer.text
    details = answer.json()
    (relation,) = details["relations"]
    assert (relation["relation"], relation["other"]["name"]) == ("CONTRADICTS", ONCE)
    assert relation["fact"]["lifecycle"] == "active"
    assert details["concept"]["epistemic_status"] == "contested"
    earlier = await acme.get(f"/v1/concepts/{concept['id']}", known_at=before)
    assert (earlier.json()["relations"], earlier.headers["assay-known-at"]) == ([], str(before))
    assert (await other.get("/v1/concepts", q="retries")).json()["items"] == []
    assert (await other.get(f"/v1/concepts/{concept['id']}")).status_code == 404


async def test_what_makes_no_sense_is_a_problem_with_its_field(acme: Tenant) -> None:
    await filled(acme)
    for asked, field in (
        ({}, "q"), ({"q": " "}, "q"), ({"q": "x" * 2_001}, "q"), ({"q": "a", "concept_kind": "idea"}, "concept_kind"),
        ({"q": "a", "limit": 51}, "limit"), ({"q": "a", "known_at": 10_000}, "known_at"),
    ):  # fmt: skip
        answer = await acme.get("/v1/concepts", **asked)
        assert (answer.status_code, answer.json()["field"]) == (422, field), answer.text
    await triples(acme, {"subject": "Acme", "predicate": "owns", "object": "Brik"})
    (fact,) = (await acme.get("/v1/facts", subject="Acme")).json()["items"]
    for unknown in (fact["subject"]["id"], str(uuid4())):
        missing = await acme.get(f"/v1/concepts/{unknown}")
        assert (missing.status_code, missing.json()["code"]) == (404, "not_found")
    said = {"subject": {"concept": RETRIES}, "predicate": "likes", "object": {"concept": ONCE}}
    refused = await acme.post("/v1/assertions", {"statements": [said]})
    assert (refused.status_code, "no relation of concepts" in refused.text) == (422, True), refused.text
