"""Documents, records, triples and statements over HTTP, worked off on the real database."""

from __future__ import annotations

import json
from typing import Any
from uuid import UUID

import httpx
import pytest

from domain.identity.ids import GroupId, OrganizationId, VersionId
from entrypoints.application import Application
from tests.entrypoints.api.conftest import Tenant, client_of

MAPPING = {
    "subject": "service",
    "subject_kind": "service",
    "key": "service",
    "properties": [{"column": "team", "predicate": "OWNED_BY", "object": "entity", "object_kind": "team"}],
}
RECORDS = [{"service": "billing", "team": "payments"}, {"service": "search", "team": "discovery"}]


async def work_off(app: Application, tenant: Tenant, receipt: dict[str, Any]) -> None:
    """What the worker does with the job of a submission."""
    organization = OrganizationId(UUID(tenant.id))
    root = (await app.verifier.verify(tenant.key)).reach
    access = await app.resolve_access.for_job(organization, GroupId(root))
    await app.ingestion.ingest_version(access, VersionId(UUID(receipt["version_id"])))


async def submitted(app: Application, tenant: Tenant) -> dict[str, Any]:
    answer = await tenant.post("/v1/records", {"record_key": "cmdb", "records": RECORDS, "mapping": MAPPING})
    assert answer.status_code == 202, answer.text
    receipt = answer.json()
    assert receipt["status"] == "accepted"
    await work_off(app, tenant, receipt)
    assert isinstance(receipt, dict)
    return receipt


async def test_records_end_in_a_receipt_that_adds_up(running: Application, acme: Tenant, other: Tenant) -> None:
    receipt = await submitted(running, acme)
    done = (await acme.get(f"/v1/receipts/{receipt['id']}")).json()
    assert (done["status"], done["items"], done["stored"]) == ("completed", 2, 2)
    assert [r["id"] for r in (await acme.get("/v1/receipts")).json()["items"]] == [receipt["id"]]
    (document,) = (await acme.get("/v1/documents")).json()["items"]
    assert (document["record_key"], document["status"]) == ("cmdb", "completed")
    assert not {"group_id", "object_key", "key_id"} & set(document)
    again = await acme.post("/v1/records", {"record_key": "cmdb", "records": RECORDS, "mapping": MAPPING})
    assert again.json()["status"] == "unchanged"
    (source,) = (await acme.get("/v1/sources")).json()["items"]
    assert (source["name"], source["tier"], source["documents"]) == ("records", 2, 1)
    assert "group_id" not in source
    assert (await other.get("/v1/sources")).json() == {"items": []}
    assert (await other.get("/v1/documents")).json() == {"items": [], "next": None}


async def test_foreign_and_unknown_objects_give_the_same_answer(
    running: Application, acme: Tenant, other: Tenant
) -> None:
    receipt = await submitted(running, acme)
    source = (await acme.get("/v1/sources")).json()["items"][0]["id"]
    document, version, unknown = receipt["document_id"], receipt["version_id"], str(UUID(int=7))
    asked = [
        ("GET", "/v1/documents/{}", document, None),
        ("GET", "/v1/documents/{}/original", document, None),
        ("GET", "/v1/versions/{}/text", version, None),
        ("GET", "/v1/receipts/{}", receipt["id"], None),
        ("POST", "/v1/documents/{}/retract", document, {}),
        ("POST", "/v1/sources/{}/retract", source, {}),
        ("PUT", "/v1/sources/{}/grade", source, {"tier": 1}),
        ("POST", "/v1/assertions/{}/retract", document, {}),
        ("POST", "/v1/proposals/{}/decide", document, {"approve": True}),
    ]
    for method, path, foreign, body in asked:
        answers = []
        for wanted in (foreign, unknown):
            answer = await other.client.request(method, path.format(wanted), json=body)
            assert answer.status_code == 404, (path, answer.text)
            problem = answer.json()
            problem.pop("request_id")
            answers.append(json.dumps(problem).replace(wanted, "…"))
        assert answers[0] == answers[1]
    reprocess = await other.post("/v1/reprocess", {"document_id": document})
    assert reprocess.status_code == 404
    assert (await acme.get(f"/v1/documents/{document}")).json()["versions"][0]["status"] == "completed"


async def test_a_file_comes_back_byte_for_byte(acme: Tenant) -> None:
    data = "# Zuständigkeiten\n\nBilling gehört Payments.\n".encode()
    form = {"source": "handbook", "collection": "policies", "title": "Owners"}
    answer = await acme.client.post(
        "/v1/documents/upload", data=form, files={"file": ("owners.md", data, "text/markdown")}
    )
    assert answer.status_code == 202, answer.text
    document = answer.json()["document_id"]
    original = await acme.get(f"/v1/documents/{document}/original")
    assert original.content == data
    assert original.headers["content-disposition"] == "attachment; filename*=UTF-8''owners.md"
    version = (await acme.get(f"/v1/documents/{document}")).json()["versions"][0]
    assert (version["title"], version["content_type"], version["gate"]) == ("Owners", "text/markdown", "live")
    assert original.headers["etag"] == f'"{version["content_hash"]}"'
    text = (await acme.get(f"/v1/versions/{version['version_id']}/text")).json()["text"]
    assert "Billing gehört Payments." in text
    assert [c["name"] for c in (await acme.get("/v1/collections")).json()["items"]] == ["policies"]
    assert (await acme.get("/v1/documents", collection="policies")).json()["items"][0]["id"] == document
    assert (await acme.get("/v1/documents", collection="other")).json()["items"] == []


async def test_bad_documents_change_nothing(acme: Tenant) -> None:
    async def refused(body: dict[str, Any]) -> tuple[int, str, str | None]:
        answer = await acme.post("/v1/documents", {"record_key": "x", "text": "A text.", **body})
        problem = answer.json()
        return answer.status_code, problem["code"], problem.get("field")

    assert await refused({"text": ""}) == (422, "invalid_input", "content")
    assert await refused({"content_type": "application/pdf"}) == (422, "document_unreadable", None)
    assert await refused({"published_at": "2026-01-01T00:00:00"}) == (422, "invalid_input", "published_at")
    assert await refused({"published_at": "yesterday"}) == (422, "invalid_input", "published_at")
    assert await refused({"source": {"tier": 9}}) == (422, "invalid_input", "tier")
    assert await refused({"group_id": "w_0"}) == (422, "invalid_input", "group_id")
    assert await refused({"source": {"group_id": "w_0"}}) == (422, "invalid_input", "source.group_id")
    broken = await acme.client.post(
        "/v1/documents/upload", data={"mapping": "{"}, files={"file": ("a.txt", b"A text.", "text/plain")}
    )
    assert (broken.status_code, broken.json()["field"]) == (422, "mapping")
    wish = {
        "subject": "name",
        "key": "id",
        "properties": [{"column": "ownr", "predicate": "OWNED_BY", "object": "text"}],
    }
    missing = await acme.client.post(
        "/v1/documents/upload",
        data={"mapping": json.dumps(wish)},
        files={"file": ("cmdb.csv", b"id,name,owner\n1,billing,Ada\n", "text/csv")},
    )
    assert (missing.status_code, missing.json()["field"]) == (422, "mapping"), missing.text
    assert "'ownr' is mapped but not in the data, which has id, name, owner" in missing.json()["detail"]
    assert (await acme.get("/v1/documents")).json()["items"] == []
    assert (await acme.get("/v1/receipts")).json()["items"] == []


async def test_triples_are_streamed_and_an_import_is_resumed_by_repeating(acme: Tenant) -> None:
    lines = [
        json.dumps({"subject": {"name": f"service {n}", "kind": "service"}, "predicate": "DEPENDS_ON", "object": "db"})
        for n in range(5)
    ]
    lines.insert(2, "{broken")
    lines.insert(4, "x" * 70_000)
    body = "\n".join(lines).encode()

    async def parts() -> Any:
        for at in range(0, len(body), 1000):
            yield body[at : at + 1000]

    headers = {"Content-Type": "application/x-ndjson"}
    answer = await acme.client.post("/v1/triples?name=first", content=parts(), headers=headers)
    assert answer.status_code == 200, answer.text
    receipt = answer.json()
    assert (receipt["items"], receipt["stored"], receipt["rejected"]) == (7, 5, 2)
    assert [r["place"] for r in receipt["rejections"]] == ["line 3", "line 5"]
    repeated = (await acme.client.post("/v1/triples?name=first", content=body, headers=headers)).json()
    assert (repeated["stored"], repeated["merged"], repeated["rejected"]) == (0, 5, 2)
    wrong = await acme.client.post("/v1/triples?name=first", content=body, headers={"Content-Type": "text/plain"})
    assert (wrong.status_code, wrong.json()["field"]) == (422, "Content-Type")


async def test_an_agents_statement_waits_for_a_person(acme: Tenant, transport: httpx.ASGITransport) -> None:
    agent = (await acme.post("/v1/principals", {"name": "bot", "kind": "agent"})).json()["id"]
    wish = {"principal_id": agent, "name": "bot's", "role": "member"}
    key = (await acme.post("/v1/api-keys", wish)).json()["key"]
    said = {"statements": [{"subject": "Acme", "predicate": "FOUNDED_BY", "object": "Ada"}]}
    async with client_of(transport, key) as bot:
        made = await bot.post("/v1/assertions", json=said)
        assert made.status_code == 201, made.text
        assert made.json()["state"] == "pending"
        assertion = made.json()["placed"][0]["assertion_id"]
        decision = {"ids": [assertion], "approve": True}
        assert (await bot.post("/v1/assertions/decide", json=decision)).status_code == 403
        proposed = await bot.post("/v1/documents", json={"record_key": "note", "text": "A note."})
        assert proposed.json()["status"] == "proposed"
    assert (await acme.post("/v1/assertions/decide", {**decision, "dry_run": True})).json()["decided"] == 1
    assert (await acme.post("/v1/assertions/decide", decision)).json()["decided"] == 1
    assert (await acme.post("/v1/assertions/decide", decision)).json()["decided"] == 0
    (proposal,) = (await acme.get("/v1/proposals")).json()["items"]
    assert (proposal["kind"], proposal["principal_name"]) == ("document", "bot")
    dry = (await acme.post("/v1/proposals/decide", {"approve": False})).json()
    assert (dry["dry_run"], [p["id"] for p in dry["items"]]) == (True, [proposal["id"]])
    decided = await acme.post(f"/v1/proposals/{proposal['id']}/decide", {"approve": False, "reason": "no source"})
    assert decided.json()["state"] == "rejected"
    again = await acme.post(f"/v1/proposals/{proposal['id']}/decide", {"approve": True})
    assert (again.status_code, again.json()["code"]) == (409, "conflict")
    assert (await acme.get("/v1/proposals")).json()["items"] == []
    assert len((await acme.get("/v1/proposals", status="rejected")).json()["items"]) == 1


async def test_statements_are_retracted_and_sources_regraded(running: Application, acme: Tenant) -> None:
    said = {"statements": [{"subject": "Acme", "predicate": "FOUNDED_BY", "object": "Ada"}]}
    made = (await acme.post("/v1/assertions", said)).json()
    assert made["state"] == "live"
    fact = made["placed"][0]["fact_id"]
    vote = await acme.post("/v1/feedback", {"fact_id": fact, "helpful": True, "signals": {"relevance": 0.5}})
    assert vote.json()["revision"] == made["revision"]
    foreign = await acme.post("/v1/feedback", {"fact_id": str(UUID(int=7)), "helpful": True})
    assert foreign.status_code == 404
    place = f"/v1/assertions/{made['placed'][0]['assertion_id']}"
    before = (await acme.get(place)).json()
    assert (before["fact_id"], before["assertion"]["state"]) == (made["placed"][0]["fact_id"], "live")
    retracted = await acme.post(f"{place}/retract", {"reason": "wrong"})
    assert retracted.json()["assertions"] == 1
    after = (await acme.get(place)).json()
    assert (after["fact_id"], after["assertion"]["state"]) == (before["fact_id"], "rejected")
    assert after["assertion"]["excerpt"] == before["assertion"]["excerpt"]
    receipt = await submitted(running, acme)
    source = next(s for s in (await acme.get("/v1/sources")).json()["items"] if s["name"] == "records")
    graded = await acme.client.put(f"/v1/sources/{source['id']}/grade", json={"tier": 4, "reason": "stale export"})
    assert graded.json()["standings_changed"] == 2
    assert (await acme.post(f"/v1/documents/{receipt['document_id']}/retract", {})).json()["assertions"] == 2
    assert (await acme.post(f"/v1/sources/{source['id']}/retract", {})).json()["assertions"] == 0
    bad = await acme.post("/v1/assertions", {"statements": [{"subject": "A", "predicate": "P", "object": "B", "x": 1}]})
    assert bad.status_code == 422


async def test_a_collection_is_configured_and_the_scope_reprocessed(running: Application, acme: Tenant) -> None:
    await submitted(running, acme)
    wish = {"settings": {"chunk_size": 800}, "entities": {"Billing": "service"}}
    made = await acme.client.put("/v1/collections/runbooks", json=wish)
    assert (made.status_code, made.json()["settings"]) == (200, {"chunk_size": 800})
    bad = await acme.client.put("/v1/collections/runbooks", json={"settings": {"chunk_size": "big"}})
    assert (bad.status_code, bad.json()["field"]) == (422, "chunk_size")
    (kept,) = (await acme.get("/v1/collections")).json()["items"]
    assert (kept["entities"], kept["settings"]) == ({"Billing": "service"}, {"chunk_size": 800})
    assert (await acme.post("/v1/reprocess", {})).json() == {"queued": 1, "left": 0}


async def test_what_is_remembered_is_the_callers_own(acme: Tenant) -> None:
    receipt = await acme.post("/v1/memory", {"text": "The release is on Friday."})
    assert receipt.status_code == 202
    assert (await acme.get("/v1/documents")).json()["items"] == []
    (document,) = (await acme.get("/v1/documents", scope="personal")).json()["items"]
    assert document["gate"] == "live"
    assert (await acme.post("/v1/memory", {"text": " "})).json()["field"] == "text"


async def test_pages_follow_each_other_and_cursors_belong_to_their_list(acme: Tenant) -> None:
    for n in range(3):
        await acme.post("/v1/documents", {"record_key": f"d{n}", "text": f"Text {n}."})
    first = (await acme.get("/v1/documents", limit=2)).json()
    second = (await acme.get("/v1/documents", limit=2, cursor=first["next"])).json()
    keys = [d["record_key"] for d in first["items"] + second["items"]]
    assert (keys, second["next"]) == (["d0", "d1", "d2"], None)
    elsewhere = await acme.get("/v1/documents", limit=2, cursor=first["next"], source="api")
    assert (elsewhere.status_code, elsewhere.json()["field"]) == (422, "cursor")
    assert (await acme.get("/v1/receipts", cursor=first["next"])).status_code == 422


@pytest.mark.slow
async def test_a_text_becomes_cited_facts(running: Application, acme: Tenant) -> None:
    text = "Globex acquired Initech in 2019. Initech is headquartered in Hanoi."
    receipt = (await acme.post("/v1/documents", {"record_key": "news", "text": text})).json()
    await work_off(running, acme, receipt)
    done = (await acme.get(f"/v1/receipts/{receipt['id']}")).json()
    assert done["status"] == "completed"
    assert done["stored"] == done["items"] - done["rejected"]
    facts = (await acme.get("/v1/facts", subject="Globex")).json()["items"]
    assert facts, done
    citation = facts[0]["citation"]
    version = (await acme.get(f"/v1/versions/{citation['version_id']}/text")).json()["text"]
    assert version[citation["start"] : citation["end"]] == citation["excerpt"]
    passages = (await acme.post("/v1/search", {"query": "Hanoi", "sections": ["facts", "chunks"]})).json()["passages"]
    assert "headquartered in Hanoi" in passages[0]["text"]
