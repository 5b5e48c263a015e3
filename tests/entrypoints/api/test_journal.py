"""What changed, timelines, and the verification of the journal, over HTTP."""

from __future__ import annotations

from typing import Any

import pytest

from tests.entrypoints.api.conftest import Tenant


async def say(tenant: Tenant, target: str, start: str, end: str | None = None) -> int:
    statement = {"subject": "Kelvara", "predicate": "headquartered in", "object": target, "valid_from": start}
    if end is not None:
        statement["valid_to"] = end
    answer = await tenant.post("/v1/assertions", {"statements": [statement]})
    assert answer.status_code == 201, answer.text
    return int(answer.json()["revision"])


async def facts(tenant: Tenant) -> dict[str, Any]:
    found = (await tenant.get("/v1/facts", subject="Kelvara", all_time=True)).json()["items"]
    return {fact["object"]["name"]: fact for fact in found}


async def test_changes_say_what_each_mutation_did_to_which_facts(acme: Tenant) -> None:
    first = await say(acme, "Oslo", "2010")
    second = await say(acme, "Bergen", "2020")
    (entry,) = (await acme.get("/v1/changes", since=first, until=second)).json()["items"]
    assert (entry["revision"], entry["scope"], entry["steps"]) == (second, "organization", 3)
    did = [(s["sentence"], s["opened"], s["valid_from"], s["valid_to"]) for s in entry["did"]]
    assert sorted(did, key=str) == [
        ("Kelvara is headquartered in Bergen", True, "2020-01-01T00:00:00Z", None),
        ("Kelvara is headquartered in Oslo", False, "2010-01-01T00:00:00Z", None),
        ("Kelvara is headquartered in Oslo", True, "2010-01-01T00:00:00Z", "2020-01-01T00:00:00Z"),
    ]
    assert (await acme.get("/v1/changes", since=entry["committed_at"])).json() == {"items": [], "next": None}
    upto = (await acme.get("/v1/changes", since=0, until=entry["committed_at"])).json()["items"]
    assert upto[-1]["revision"] == second
    refused = await acme.get("/v1/changes", since=second, until=first)
    assert (refused.status_code, refused.json()["field"]) == (422, "since")


async def test_changes_of_one_thing_one_actor_one_kind(acme: Tenant) -> None:
    first = await say(acme, "Oslo", "2010")
    second = await say(acme, "Bergen", "2020")
    oslo = (await facts(acme))["Oslo"]

    async def revisions(**asked: Any) -> list[int]:
        answer = await acme.get("/v1/changes", **asked)
        assert answer.status_code == 200, answer.text
        return [entry["revision"] for entry in answer.json()["items"]]

    assert await revisions(fact=oslo["id"]) == [first, second]
    assert await revisions(entity="kelvara") == [first, second]
    assert await revisions(entity="Bergen") == [second]
    assert await revisions(assertion=oslo["citation"]["assertion_id"]) == [first]
    assert first in await revisions(document=oslo["citation"]["document_id"])
    assert await revisions(predicate="headquartered in") == []
    assert await revisions(entity="Kelvara", since=first, kind="append") == [second]
    actor = (await acme.get("/v1/changes", since=first)).json()["items"][0]["principal_id"]
    assert await revisions(actor=actor, since=first) == [second]
    assert await revisions(actor="00000000-0000-0000-0000-000000000000") == []
    both = await acme.get("/v1/changes", fact=oslo["id"], entity="Kelvara")
    assert both.status_code == 422
    assert (await acme.get("/v1/changes", entity="Nobody")).status_code == 404
    assert await revisions(kind="undo") == []
    unknown = (await acme.get("/v1/changes", kind="apend")).json()
    assert (unknown["status"], unknown["field"]) == (422, "kind")
    assert "'apend' (did you mean append?); there are: add_collection, " in unknown["detail"]


async def test_an_entity_that_nobody_has_is_not_found(acme: Tenant) -> None:
    nobody = "00000000-0000-7000-8000-000000000000"
    for path in (f"/v1/entities/{nobody}", f"/v1/entities/{nobody}/timeline"):
        answer = await acme.get(path)
        assert (answer.status_code, answer.json()["detail"]) == (
            404, f"there is no entity {nobody} in the scopes of the caller",
        )  # fmt: skip
    assert (await acme.get("/v1/timeline", name="Nobody")).json()["events"] == []


async def test_a_facts_timeline_has_its_segments_and_their_causes(acme: Tenant) -> None:
    first = await say(acme, "Oslo", "2010")
    second = await say(acme, "Bergen", "2020")
    oslo = (await facts(acme))["Oslo"]
    told = (await acme.get(f"/v1/facts/{oslo['id']}/timeline")).json()
    assert [(s["holds_from"][:4], s["holds_to"][:4]) for s in told["segments"]] == [("2010", "2020")]
    assert [(e["revision"], [s["opened"] for s in e["did"]]) for e in told["entries"]] == [
        (first, [True]), (second, [False, True]),
    ]  # fmt: skip
    assert told["entries"][0]["did"][0]["sources"] != []
    then = await acme.get(f"/v1/facts/{oslo['id']}/timeline", known_at=first)
    assert (then.headers["assay-known-at"], then.json()["segments"][0]["holds_to"]) == (str(first), None)
    assert [e["revision"] for e in then.json()["entries"]] == [first]
    page = (await acme.get(f"/v1/facts/{oslo['id']}/timeline", limit=1)).json()
    assert (len(page["entries"]), page["next"]) == (1, first)
    assert (await acme.get(f"/v1/facts/{oslo['citation']['document_id']}/timeline")).status_code == 404


async def test_an_entitys_timeline_tells_what_began_and_what_succeeded_it(acme: Tenant) -> None:
    await say(acme, "Oslo", "2010")
    await say(acme, "Bergen", "2020")
    by_name = (await acme.get("/v1/timeline", name="kelvara")).json()
    assert [(e["at"][:4], e["what"], e["sentence"].split()[-1], e["by_sentence"]) for e in by_name["events"]] == [
        ("2010", "began", "Oslo", None),
        ("2020", "began", "Bergen", None),
        ("2020", "succeeded", "Oslo", "Kelvara is headquartered in Bergen"),
    ]
    about = (await acme.get("/v1/timeline", name="Oslo")).json()["events"]
    assert [(e["at"][:4], e["what"]) for e in about] == [("2010", "began"), ("2020", "ended")], "it is told of, too"
    entity = (await facts(acme))["Oslo"]["subject"]["id"]
    assert (await acme.get(f"/v1/entities/{entity}/timeline")).json() == by_name
    assert (await acme.get("/v1/timeline", name="Nobody")).json() == {"events": [], "truncated": False}


async def test_the_journal_is_verified_for_who_operates_it(acme: Tenant) -> None:
    await say(acme, "Oslo", "2010")
    answer = await acme.get("/v1/journal/verification")
    assert answer.status_code == 200, answer.text
    found = answer.json()
    assert (found["whole"], found["faults"], found["entries"]) == (True, [], found["head"]["revision"])
    await say(acme, "Bergen", "2020")
    head = found["head"]
    held = {"anchor_revision": head["revision"], "anchor_hash": head["hash"]}
    assert (await acme.get("/v1/journal/verification", **held)).json()["whole"]
    other = (await acme.get("/v1/journal/verification", **held | {"anchor_hash": "00" * 32})).json()
    assert [(f["kind"], f["revision"]) for f in other["faults"]] == [("anchor", head["revision"])]
    for wrong in ({"anchor_revision": 1}, {"anchor_revision": 1, "anchor_hash": "xyz"}):
        assert (await acme.get("/v1/journal/verification", **wrong)).status_code == 422


@pytest.mark.parametrize("path", ["/v1/changes", "/v1/timeline?name=Kelvara", "/v1/journal/verification"])
async def test_another_organization_sees_nothing_of_it(acme: Tenant, other: Tenant, path: str) -> None:
    await say(acme, "Oslo", "2010")
    answer = await other.client.get(path)
    assert answer.status_code == 200
    assert "Kelvara" not in answer.text
