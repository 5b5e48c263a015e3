"""A fact goes to a wider scope by a proposal, verified, with its lineage and without its excerpts, over HTTP."""

from __future__ import annotations

from typing import Any
from uuid import UUID

import httpx
import pytest

from domain.identity.ids import VersionId
from entrypoints.application import Application
from tests.entrypoints.api.conftest import Tenant
from tests.entrypoints.api.test_people import acting, joined, person, refusal, with_own_key

SECRET = "Qwyjibo"
"""A word of the project's document that is in no statement of it."""
TEXT = f"The order service depends on the billing service. {SECRET} said so in confidence."


@pytest.fixture
async def project(acme: Tenant, running: Application) -> Tenant:
    """A project with a fact of a document, of a source of tier 2."""
    await acme.post("/v1/workspaces", {"name": "sales"})
    await acme.post("/v1/projects", {"workspace": "sales", "name": "q3"})
    body = {"record_key": "plan.txt", "title": "The plan", "source": {"name": "plans", "kind": "upload"}, "text": TEXT}
    answer = await acme.post("/v1/documents", body, scope="sales/q3")
    assert answer.status_code == 202, answer.text
    access = await running.resolve_access(await running.verifier.verify(acme.key), "sales/q3")
    await running.ingestion.ingest_version(access, VersionId(UUID(answer.json()["version_id"])))
    return acme


async def only_fact(reader: Tenant, scope: str = "sales/q3", **asked: Any) -> dict[str, Any]:
    found = (await reader.get("/v1/facts", predicate="DEPENDS_ON", scope=scope, **asked)).json()["items"]
    assert len(found) == 1, found
    return dict(found[0])


async def proposed(
    caller: Tenant, fact: dict[str, Any], to: str = "organization", scope: str = "sales/q3"
) -> httpx.Response:
    return await caller.post(f"/v1/facts/{fact['id']}/promotions", {"to": to, "reason": "all need it"}, scope=scope)


async def decided(caller: Tenant, proposal: str, scope: str = "organization") -> httpx.Response:
    return await caller.post(f"/v1/proposals/{proposal}/decide", {"approve": True, "reason": "right"}, scope=scope)


async def explained(reader: Tenant, fact: dict[str, Any], scope: str = "organization") -> dict[str, Any]:
    answer = await reader.get(f"/v1/facts/{fact['id']}/explanation", scope=scope)
    assert answer.status_code == 200, answer.text
    return dict(answer.json())


async def test_a_promoted_fact_leads_to_its_original_and_to_who_proposed_and_approved_it(
    project: Tenant, transport: httpx.ASGITransport
) -> None:
    mia = await joined(transport, project, "Mia", "member", "organization")
    original = await only_fact(project)
    made = await proposed(mia, original)
    assert made.status_code == 201, made.text
    assert made.json()["sentence"] == original["sentence"] == "order service depends on billing service"
    assert made.json()["sources"] == ["The plan"]
    assert (await proposed(mia, original)).json() == made.json() | {"revision": None}
    (waiting,) = (await project.get("/v1/proposals", scope="organization")).json()["items"]
    assert (waiting["kind"], waiting["payload"]["from"], waiting["principal_name"]) == ("promotion", "project", "Mia")
    done = await decided(project, made.json()["proposal_id"])
    assert (done.status_code, done.json()["state"]) == (200, "approved")

    fact = await only_fact(project, "organization")
    assert (fact["scope"], fact["sentence"], fact["verification"]) == ("organization", original["sentence"], "human")
    assert (fact["confidence"], fact["kind"]) == (original["confidence"], original["kind"])
    told = await explained(project, fact, "sales/q3")
    (lineage,) = told["promoted_from"]
    assert (lineage["fact_id"], lineage["scope"], lineage["state"]) == (original["id"], "project", "stands")
    assert (lineage["proposed_by_name"], lineage["approved_by_name"]) == ("Mia", "Olga")
    assert [a["excerpt"] for a in lineage["assertions"]] == ["The order service depends on the billing service."]
    assert lineage["assertions"][0]["title"] == "The plan"
    assert [m["kind"] for m in told["mutations"]] == ["promote"]
    assert told["assertions"][0]["excerpt"] == (
        f"Promoted from the fact {original['id']} of a project scope: {original['sentence']}. Cited there: The plan"
    )
    again = await decided(project, made.json()["proposal_id"])
    assert refusal(again) == (409, "conflict")


async def test_who_reads_only_the_wider_scope_sees_the_statement_and_the_title_and_no_more(
    project: Tenant, transport: httpx.ASGITransport
) -> None:
    original = await only_fact(project)
    proposal = (await proposed(project, original)).json()["proposal_id"]
    vera = await joined(transport, project, "Vera", "viewer", "organization")
    seen = [(await vera.get("/v1/proposals", scope="organization")).text]
    await decided(project, proposal)
    fact = await only_fact(vera, "organization")
    told = await explained(vera, fact)
    (lineage,) = told["promoted_from"]
    assert (lineage["sentence"], lineage["assertions"], lineage["state"]) == (None, [], "stands")
    seen += [str(told), str(fact)]
    for path in ("/v1/facts", "/v1/changes", "/v1/documents", "/v1/sources", "/v1/proposals?status=approved"):
        more = {"predicate": "DEPENDS_ON"} if path == "/v1/facts" else {}
        seen.append((await vera.get(path, **more)).text)
    seen.append((await vera.post("/v1/search", {"query": SECRET, "sections": ["facts", "chunks"]})).text)
    for text in seen:
        assert SECRET not in text.replace(f'"query":"{SECRET}"', "")
        assert "in confidence" not in text
        assert "sales" not in text
        assert "q3" not in text


async def test_retracting_the_original_shows_at_the_promoted_fact(project: Tenant) -> None:
    original = await only_fact(project)
    await decided(project, (await proposed(project, original)).json()["proposal_id"])
    said = (await explained(project, original, "sales/q3"))["assertions"][0]
    gone = await project.post(f"/v1/assertions/{said['assertion_id']}/retract", {"reason": "wrong"}, scope="sales/q3")
    assert gone.status_code == 200, gone.text
    fact = await only_fact(project, "organization")
    assert fact["lifecycle"] == "active"
    (lineage,) = (await explained(project, fact))["promoted_from"]
    assert lineage["state"] == "gone"


async def test_what_changed_after_it_was_proposed_is_not_taken_over(project: Tenant) -> None:
    original = await only_fact(project)
    proposal = (await proposed(project, original)).json()["proposal_id"]
    said = (await explained(project, original, "sales/q3"))["assertions"][0]
    await project.post(f"/v1/assertions/{said['assertion_id']}/retract", {"reason": "wrong"}, scope="sales/q3")
    answer = await decided(project, proposal)
    assert refusal(answer) == (409, "not_verified")
    assert answer.json()["detail"].endswith("it does not stand: it was retracted, refuted or superseded")
    assert (await project.get("/v1/proposals", scope="organization")).json()["items"][0]["state"] == "pending"
    assert (await project.get("/v1/facts", predicate="DEPENDS_ON", scope="organization")).json()["items"] == []


@pytest.mark.parametrize(
    ("kind", "role", "missing"),
    [
        ("agent", "member", "it is only proposed: a person has to approve it first"),
        ("human", "member", "it is only proposed: a person has to approve it first"),
    ],
)
async def test_what_is_not_verified_is_refused_with_what_is_missing(
    acme: Tenant, transport: httpx.ASGITransport, kind: str, role: str, missing: str
) -> None:
    await acme.post("/v1/workspaces", {"name": "sales"})
    who = await person(acme, "Rob", role, "sales", kind)
    rob = await acting(transport, acme, who, role, "sales")
    triple = {"subject": "A", "predicate": "depends on", "object": "B"}
    assert (await rob.post("/v1/assertions", {"statements": [triple]})).status_code == 201
    fact = await only_fact(acme, "sales", lifecycle="proposed")
    answer = await proposed(acme, fact, scope="sales")
    assert refusal(answer) == (409, "not_verified")
    assert answer.json()["detail"] == f"a shared scope takes verified knowledge only; of this fact: {missing}"
    assert (await acme.get("/v1/proposals", scope="organization", kind="promotion")).json()["items"] == []


async def test_a_fact_goes_up_only_and_only_where_the_caller_may_write(
    project: Tenant, other: Tenant, transport: httpx.ASGITransport
) -> None:
    original = await only_fact(project)
    for to in ("sales/q3", "personal"):
        answer = await proposed(project, original, to)
        assert (answer.status_code, answer.json()["field"]) == (422, "to"), to
    for to in ("nothing", "../organization"):
        assert (await proposed(project, original, to)).status_code in (404, 422)
    viewer = await joined(transport, project, "Vera", "viewer", "organization")
    assert refusal(await proposed(viewer, original)) == (403, "forbidden")
    inside = await joined(transport, project, "Pam", "curator", "sales/q3")
    assert refusal(await proposed(inside, original)) == (404, "not_found")
    foreign = await proposed(other, original, scope="organization")
    unknown = await proposed(other, original | {"id": str(UUID(int=7))}, scope="organization")
    assert (
        (foreign.status_code, foreign.json()["code"])
        == (unknown.status_code, unknown.json()["code"])
        == (404, "not_found")
    )


async def test_it_is_decided_in_the_wider_scope_by_a_curator_who_is_a_person(
    project: Tenant, transport: httpx.ASGITransport
) -> None:
    proposal = (await proposed(project, await only_fact(project))).json()["proposal_id"]
    member = await joined(transport, project, "Mia", "member", "organization")
    assert refusal(await decided(member, proposal)) == (403, "forbidden")
    agent = await acting(transport, project, await person(project, "bot", "curator", kind="agent"), "curator")
    assert refusal(await decided(agent, proposal)) == (403, "forbidden")
    inside = await joined(transport, project, "Pam", "curator", "sales/q3")
    elsewhere = await decided(inside, proposal, "sales/q3")
    assert elsewhere.status_code in (403, 404, 422)
    assert (await project.get("/v1/facts", predicate="DEPENDS_ON", scope="organization")).json()["items"] == []
    curator = await joined(transport, project, "Cora", "curator", "organization")
    assert (await decided(curator, proposal)).status_code == 200


async def test_a_personal_fact_is_confirmed_and_goes_to_the_team_with_its_statement_only(
    acme: Tenant, transport: httpx.ASGITransport
) -> None:
    await acme.post("/v1/workspaces", {"name": "sales"})
    mia = await with_own_key(transport, await joined(transport, acme, "Mia", "curator", "sales"))
    triple = {"subject": "Acme", "predicate": "depends on", "object": "Globex"}
    assert (await mia.post("/v1/assertions", {"statements": [triple]}, scope="personal")).status_code == 201
    fact = await only_fact(mia, "personal")
    for other_scope in ("organization", "sales"):
        assert (await acme.get(f"/v1/facts/{fact['id']}", scope=other_scope)).status_code == 404
    made = await proposed(mia, fact, "sales", "personal")
    assert made.status_code == 201, made.text
    assert (await decided(acme, made.json()["proposal_id"], "sales")).status_code == 200
    shared = await only_fact(acme, "sales")
    (lineage,) = (await explained(acme, shared, "sales"))["promoted_from"]
    assert (lineage["scope"], lineage["proposed_by_name"], lineage["assertions"]) == ("personal", "Mia", [])
    (own,) = (await explained(mia, fact, "personal"))["assertions"]
    assert own["principal_id"] == mia.owner_id


async def test_erasing_either_side_leaves_the_other(project: Tenant) -> None:
    original = await only_fact(project)
    await decided(project, (await proposed(project, original)).json()["proposal_id"])
    shared = await only_fact(project, "organization")
    (said,) = (await explained(project, original, "sales/q3"))["assertions"]
    erase = {"reason": "asked for"}
    gone = await project.post(f"/v1/documents/{said['document_id']}/erase", erase, scope="sales/q3")
    assert gone.status_code == 202, gone.text
    told = await explained(project, shared, "sales/q3")
    assert [(o["state"], o["sentence"], o["assertions"]) for o in told["promoted_from"]] == [("gone", None, [])]
    promotion = told["assertions"][0]["document_id"]
    gone = await project.post(f"/v1/documents/{promotion}/erase", erase, scope="organization")
    assert gone.status_code == 202, gone.text
    assert (await project.get(f"/v1/facts/{shared['id']}", scope="organization")).json()["code"] == "erased"
