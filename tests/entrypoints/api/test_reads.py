"""Facts, search, entities and the graph over HTTP, on what was really written."""

from __future__ import annotations

import json
from typing import Any
from uuid import UUID

import httpx
import pytest

from domain.identity.ids import GroupId, OrganizationId
from entrypoints.application import Application
from tests.entrypoints.api.conftest import Tenant

TRIPLES: list[dict[str, Any]] = [
    {"subject": {"name": "billing", "kind": "service"}, "predicate": "DEPENDS_ON",
     "object": {"entity": "ledger", "kind": "service"}, "excerpt": "Billing needs the ledger."},
    {"subject": {"name": "ledger", "kind": "service"}, "predicate": "DEPENDS_ON",
     "object": {"entity": "postgres", "kind": "database"}},
    {"subject": {"name": "billing", "kind": "service"}, "predicate": "OWNED_BY",
     "object": {"entity": "Payments", "kind": "team"}},
    {"subject": {"name": "billing", "kind": "service"}, "predicate": "HAS_TIMEOUT",
     "object": {"number": "30", "unit": "s"}},
]  # fmt: skip


@pytest.fixture
async def filled(acme: Tenant) -> Tenant:
    body = "\n".join(json.dumps(triple) for triple in TRIPLES)
    headers = {"Content-Type": "application/x-ndjson"}
    answer = await acme.client.post("/v1/triples?name=cmdb", content=body, headers=headers)
    assert answer.json()["stored"] == 4, answer.text
    return acme


def sentences(answer: httpx.Response) -> list[str]:
    assert answer.status_code == 200, answer.text
    return sorted(fact["sentence"] for fact in answer.json()["items"])


async def test_the_six_patterns_and_both_directions(filled: Tenant) -> None:
    needs, runs_on = "billing depends on ledger", "ledger depends on postgres"
    assert sentences(await filled.get("/v1/facts", subject="Billing", predicate="depends on")) == [needs]
    assert sentences(await filled.get("/v1/facts", predicate="DEPENDS_ON", object="postgres")) == [runs_on]
    assert sentences(await filled.get("/v1/facts", subject="billing", object="ledger")) == [needs]
    assert sentences(await filled.get("/v1/facts", subject="billing")) == [needs, "billing has timeout 30 s"]
    owner = ["Payments owns billing"]
    assert sentences(await filled.get("/v1/facts", subject="billing", predicate="ownedBy")) == owner
    assert sentences(await filled.get("/v1/facts", subject="payments", predicate="owns")) == owner
    assert sentences(await filled.get("/v1/facts", predicate="DEPENDS_ON")) == [needs, runs_on]
    assert sentences(await filled.get("/v1/facts", object="ledger")) == [needs]
    literal = await filled.get("/v1/facts", object_literal='{"type":"number","value":"30","unit":"s"}')
    assert len(sentences(literal)) == 1
    refused = await filled.get("/v1/facts")
    assert (refused.status_code, refused.json()["field"]) == (422, "subject")
    refused = await filled.get("/v1/facts", object_literal="30")
    assert (refused.status_code, refused.json()["field"]) == (422, "object_literal")
    both = await filled.get("/v1/facts", subject="billing", subject_id=str(UUID(int=7)))
    assert (both.status_code, both.json()["field"]) == (422, "subject")


async def test_a_fact_is_graded_dated_and_cited_without_a_group_id(filled: Tenant) -> None:
    (fact,) = (await filled.get("/v1/facts", subject="billing", object="ledger")).json()["items"]
    assert (fact["scope"], fact["lifecycle"], fact["tier"]) == ("organization", "active", 2)
    assert fact["citation"]["excerpt"] == "Billing needs the ledger."
    assert fact["subject"]["name"] == "billing"
    assert "group_id" not in json.dumps(fact)
    same = (await filled.get(f"/v1/facts/{fact['id']}")).json()
    assert [segment["standing_id"] for segment in same["segments"]] == [fact["standing_id"]]
    why = (await filled.get(f"/v1/facts/{fact['id']}/explanation")).json()
    assert [a["excerpt"] for a in why["assertions"]] == ["Billing needs the ledger."]
    assert [m["kind"] for m in why["mutations"]] == ["append"]
    grounds = why["grounds"]
    assert (fact["grounding"], fact["epistemic_status"]) == (grounds["grounding"], grounds["epistemic_status"])
    assert (round(grounds["grounding"], 4), grounds["epistemic_status"]) == (0.2032, "affirmative")
    ((voice,),) = (source["voices"] for source in grounds["sources"])
    assert (voice["counts"], voice["why"], voice["weight"]) == (True, None, grounds["support_mass"])
    (timeout,) = (await filled.get("/v1/facts", predicate="HAS_TIMEOUT")).json()["items"]
    assert timeout["object"]["type"] == "number"
    assert (fact["object"]["type"], fact["object"]["name"]) == ("entity", "ledger")


@pytest.mark.parametrize("path", ["", "/explanation"])
async def test_grounding_is_read_at_a_moment_with_a_zone(filled: Tenant, path: str) -> None:
    (fact,) = (await filled.get("/v1/facts", subject="billing", object="ledger")).json()["items"]
    read = await filled.get(f"/v1/facts/{fact['id']}{path}", as_of="2020-01-01T00:00:00Z")
    assert read.status_code == 200
    if path:
        assert read.json()["grounds"]["as_of"] == "2020-01-01T00:00:00Z"
    naive = await filled.get(f"/v1/facts/{fact['id']}{path}", as_of="2020-01-01T00:00:00")
    assert (naive.status_code, naive.json()["field"]) == (422, "as_of")


async def test_facts_come_in_pages(filled: Tenant) -> None:
    first = (await filled.get("/v1/facts", subject="billing", limit=1)).json()
    second = (await filled.get("/v1/facts", subject="billing", limit=1, cursor=first["next"])).json()
    assert len({f["id"] for f in first["items"] + second["items"]}) == 2
    third = await filled.get("/v1/facts", subject="billing", limit=1, cursor=second["next"])
    assert third.json() == {"items": [], "next": None}
    other = await filled.get("/v1/facts", subject="ledger", limit=1, cursor=first["next"])
    assert (other.status_code, other.json()["field"]) == (422, "cursor")


async def test_another_organization_sees_nothing(filled: Tenant, other: Tenant) -> None:
    (fact,) = (await filled.get("/v1/facts", subject="billing", object="ledger")).json()["items"]
    entity = fact["subject"]["id"]
    assert (await other.get("/v1/facts", subject="billing")).json() == {"items": [], "next": None}
    assert (await other.get("/v1/search", q="billing")).json()["hits"] == []
    assert (await other.get("/v1/entities", name="billing")).json() == {"items": []}
    assert (await other.get("/v1/predicates")).json() == {"items": []}
    for path in ("/v1/facts/{}", "/v1/facts/{}/explanation", "/v1/entities/{}", "/v1/entities/{}/timeline"):
        answers = []
        for wanted in (entity if "entities" in path else fact["id"], str(UUID(int=7))):
            answer = await other.get(path.format(wanted))
            problem = answer.json()
            problem.pop("request_id")
            answers.append((answer.status_code, json.dumps(problem).replace(wanted, "…")))
        assert answers[0] == answers[1]
        assert answers[0][0] == 404
    for wanted in (entity, str(UUID(int=7))):
        around = (await other.get("/v1/graph/neighbourhood", entity_id=wanted)).json()
        assert around["facts"] == []
        path = (await other.get("/v1/graph/path", source_id=wanted, target="ledger")).json()
        assert path["found"] is False


async def test_search_finds_by_words_and_shows_its_signals(filled: Tenant) -> None:
    found = (await filled.post("/v1/search", {"query": "what does billing depend on", "limit": 3})).json()
    assert found["hits"][0]["fact"]["subject"]["name"] == "billing"
    assert set(found["hits"][0]["signals"]) == {
        "relevance", "authority", "verification", "recency", "feedback", "confidence",
    }  # fmt: skip
    same = (await filled.get("/v1/search", q="what does billing depend on", limit=3)).json()
    assert [h["fact"]["id"] for h in same["hits"]] == [h["fact"]["id"] for h in found["hits"]]
    for body, field in (({"query": " "}, "query"), ({"query": "x", "limit": 0}, "limit")):
        refused = await filled.post("/v1/search", body)
        assert (refused.status_code, refused.json()["field"]) == (422, field)
    naive = await filled.post("/v1/search", {"query": "x", "as_of": "2026-01-01T00:00:00"})
    assert (naive.status_code, naive.json()["field"]) == (422, "as_of")


async def test_a_search_says_how_close_it_came_and_on_request_how_long_it_took(filled: Tenant) -> None:
    close = (await filled.post("/v1/search", {"query": "what does billing depend on", "explain": True})).json()
    assert close["match"] == "close"
    assert {"candidates", "load", "blend"} <= set(close["milliseconds"])
    linked = (await filled.get("/v1/search", q="what does billing depend on", explain=True)).json()
    assert set(linked["milliseconds"]) == set(close["milliseconds"])
    plain = (await filled.get("/v1/search", q="what does billing depend on")).json()
    assert (plain["match"], plain["milliseconds"]) == ("close", None)


async def test_entities_profiles_and_predicates(filled: Tenant) -> None:
    (entity,) = (await filled.get("/v1/entities", name="billing")).json()["items"][:1]
    assert entity["entity"]["name"] == "billing"
    profile = (await filled.get(f"/v1/entities/{entity['entity']['id']}")).json()
    assert profile == (await filled.get("/v1/profile", name="Billing")).json()
    assert {t["predicate"]: (t["as_subject"], t["as_object"]) for t in profile["totals"]} == {
        "DEPENDS_ON": (1, 0), "HAS_TIMEOUT": (1, 0), "OWNS": (0, 1),
    }  # fmt: skip
    assert len(profile["facts"]) == 3
    assert 0.0 < profile["neighbourhood_diversity"] < 1.0
    assert {fact["epistemic_status"] for fact in profile["facts"]} == {"affirmative"}
    used = (await filled.get("/v1/predicates")).json()["items"]
    assert (used[0]["predicate"], used[0]["facts"], used[0]["reviewed"]) == ("DEPENDS_ON", 2, True)
    assert len(used[0]["examples"]) == 2


async def test_the_graph_answers_from_the_record_until_it_is_projected(running: Application, filled: Tenant) -> None:
    status = (await filled.get("/v1/graph/status")).json()
    assert status["engine"] == "inmemory"
    root = (await running.verifier.verify(filled.key)).reach
    access = await running.resolve_access.for_job(OrganizationId(UUID(filled.id)), GroupId(root))
    await running.projection.project_facts(access)
    around = (await filled.get("/v1/graph/neighbourhood", entity="billing", hops=2)).json()
    assert [(f["hop"], f["fact"]["predicate"]) for f in around["facts"]].count((2, "DEPENDS_ON")) == 1
    assert around["engine"] == "inmemory"
    path = (await filled.get("/v1/graph/path", source="billing", target="postgres")).json()
    assert [f["sentence"] for f in path["facts"]] == ["billing depends on ledger", "ledger depends on postgres"]
    head = (await filled.get("/v1/revision")).json()["head"]
    then = (await filled.get("/v1/graph/neighbourhood", entity="billing", known_at=head)).json()
    assert (then["engine"], len(then["facts"])) == ("postgres", 3)
    assert (await filled.post("/v1/graph/verify", {})).json()["buckets"] == []
    rebuilt = await filled.post("/v1/graph/rebuild", {})
    assert rebuilt.json()["watermark"] == head
    refused = await filled.get("/v1/graph/neighbourhood", entity="billing", hops=9)
    assert (refused.status_code, refused.json()["field"]) == (422, "hops")
    assert (await filled.get("/v1/graph/neighbourhood")).json()["field"] == "entity"


async def test_a_reader_waits_for_the_own_write_or_learns_what_lags(filled: Tenant) -> None:
    head = (await filled.get("/v1/revision")).json()["head"]
    assert len(sentences(await filled.get("/v1/facts", subject="billing", at_least=head))) == 2
    early = await filled.get("/v1/facts", subject="billing", at_least=head + 1)
    assert (early.status_code, early.json()["code"], early.headers["retry-after"]) == (503, "not_caught_up", "1")


async def test_the_record_is_read_as_it_was_known(filled: Tenant) -> None:
    before = (await filled.get("/v1/revision")).json()["head"]
    (fact,) = (await filled.get("/v1/facts", subject="billing", object="ledger")).json()["items"]
    assertion = fact["citation"]["assertion_id"]
    assert (await filled.post(f"/v1/assertions/{assertion}/retract", {})).status_code == 200
    assert sentences(await filled.get("/v1/facts", subject="billing", object="ledger")) == []
    then = await filled.get("/v1/facts", subject="billing", object="ledger", known_at=before)
    assert sentences(then) == ["billing depends on ledger"]


async def test_a_time_reads_the_record_of_then_and_the_answer_names_its_revision(filled: Tenant) -> None:
    before = (await filled.get("/v1/revision")).json()["head"]
    (fact,) = (await filled.get("/v1/facts", subject="billing", object="ledger")).json()["items"]
    assertion = fact["citation"]["assertion_id"]
    changes = (await filled.get("/v1/changes", since=before - 1)).json()["items"]
    moment = changes[-1]["committed_at"]
    assert (await filled.post(f"/v1/assertions/{assertion}/retract", {})).status_code == 200
    for path, asked in (
        ("/v1/facts", {"subject": "billing"}), ("/v1/search", {"q": "billing", "all_time": True}),
        ("/v1/profile", {"name": "billing"}),
        (f"/v1/facts/{fact['id']}", {}), (f"/v1/facts/{fact['id']}/explanation", {}), ("/v1/predicates", {}),
        ("/v1/graph/neighbourhood", {"entity": "billing"}), ("/v1/entities", {"name": "billing"}),
        ("/v1/graph/path", {"source": "billing", "target": "ledger"}),
    ):  # fmt: skip
        then = await filled.get(path, **asked, known_at=moment)
        assert (then.status_code, then.headers["assay-known-at"]) == (200, str(before)), path
        assert then.json() == (await filled.get(path, **asked, known_at=before)).json(), path
        assert "assay-known-at" not in (await filled.get(path, **asked)).headers
        late = await filled.get(path, **asked, known_at="2126-01-01T00:00:00Z")
        assert (late.status_code, late.json()["field"]) == (422, "known_at"), path
    found = await filled.post("/v1/search", {"query": "billing", "known_at": moment})
    assert found.headers["assay-known-at"] == str(before)
    assert (await filled.get("/v1/facts", subject="billing", known_at="2024-01-01T00:00:00")).status_code == 422
