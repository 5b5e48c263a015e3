"""Erasing, certificates and legal holds over HTTP."""

from __future__ import annotations

from uuid import UUID, uuid4

import msgspec

from adapters.system.signer import Ed25519Signer
from application.erasure.queries import verified
from domain.identity.ids import OrganizationId
from domain.ports.erasure import ErasureId
from entrypoints.application import Application
from tests.entrypoints.api.conftest import Tenant

CANARY = "Quaxolotl"


async def submitted(tenant: Tenant) -> str:
    wish = {"record_key": f"{CANARY}.txt", "text": f"{CANARY} Industries is based in Lyon."}
    answer = await tenant.post("/v1/documents", wish)
    assert answer.status_code == 202, answer.text
    return str(answer.json()["document_id"])


async def complete(running: Application, tenant: Tenant, erasure_id: str) -> None:
    """What the worker does, as the tenant."""
    async with running.unit_of_work(await running.resolve_access(await running.verifier.verify(tenant.key))) as tx:
        row = await tx.erasures.erasure(ErasureId(UUID(erasure_id)))
    assert row is not None
    access = await running.resolve_access.for_job(OrganizationId(UUID(tenant.id)), row.group_id)
    await running.erasure.complete(access, row.id)


async def test_a_document_is_erased_and_its_certificate_verifies(running: Application, acme: Tenant) -> None:
    document = await submitted(acme)
    answer = await acme.post(f"/v1/documents/{document}/erase", {"reason": "asked for"})
    assert answer.status_code == 202, answer.text
    erasure = answer.json()
    assert (erasure["kind"], erasure["state"], erasure["removed"]["document"]) == ("document", "open", 1)
    early = await acme.get(f"/v1/erasures/{erasure['id']}/certificate")
    assert (early.status_code, early.json()["code"]) == (409, "conflict")
    await complete(running, acme, erasure["id"])
    (listed,) = (await acme.get("/v1/erasures")).json()["items"]
    assert (listed["id"], listed["state"]) == (erasure["id"], "done")
    certificate = await acme.get(f"/v1/erasures/{erasure['id']}/certificate")
    (key,) = (await acme.get("/v1/signing-keys")).json()["items"]
    assert verified(certificate.content, Ed25519Signer(), key["public_key"]).statement["reason"] == "asked for"
    assert (await acme.get(f"/v1/documents/{document}")).json()["versions"][0]["status"] == "erased"
    original = await acme.get(f"/v1/documents/{document}/original")
    assert (original.status_code, original.json()["code"]) == (404, "erased")
    wish = {"record_key": f"{CANARY}.txt", "text": "Something else."}
    again = await acme.post("/v1/documents", wish)
    assert (again.status_code, again.json()["status"]) == (202, "refused")
    assert again.json()["rejections"][0]["rejection"]["code"] == "suppressed"
    rotated = (await acme.post("/v1/signing-keys", {})).json()["items"]
    assert [one["signs"] for one in rotated] == [False, True]


async def test_everything_about_a_person_is_planned_chosen_and_erased(running: Application, acme: Tenant) -> None:
    document = await submitted(acme)
    unfit = {"reason": "x", "documents": "erase"}
    assert (await acme.post(f"/v1/documents/{document}/erase", unfit)).status_code == 422
    name = f"{CANARY} Smith"
    answer = await acme.client.post(
        "/v1/triples",
        content=msgspec.json.encode({"subject": name, "predicate": "works for", "object": "Brik"}),
        params={"source": "people", "name": "people"},
        headers={"Content-Type": "application/x-ndjson"},
    )
    assert answer.status_code < 300, answer.text
    text = f"Bob met {name} in Rome. Brik Ltd is based in Lyon."
    met = (await acme.post("/v1/documents", {"record_key": "met.txt", "text": text})).json()["document_id"]
    (fact,) = (await acme.get("/v1/facts", subject=name)).json()["items"]
    person = fact["subject"]
    plan = await acme.get(f"/v1/entities/{person['id']}/erasure-plan", also=f"{CANARY} S.")
    assert plan.status_code == 200, plan.text
    assert plan.json()["documents"] == [{"id": met, "title": "met.txt", "alone": False}]
    refused = await acme.post(f"/v1/entities/{person['id']}/erase", {"reason": "asked for"})
    assert (refused.status_code, refused.json()["code"]) == (409, "choice_needed")
    wish = {"reason": "asked for", "documents": "erase_own"}
    erased = await acme.post(f"/v1/entities/{person['id']}/erase", wish)
    assert (erased.status_code, erased.json()["removed"]["blacked_out_document"]) == (202, 1)
    original = await acme.get(f"/v1/documents/{met}/original")
    assert (original.status_code, original.json()["code"]) == (404, "erased")


async def test_a_hold_refuses_and_bad_requests_are_problems(acme: Tenant) -> None:
    document = await submitted(acme)
    wish = {"kind": "document", "target_id": document, "reason": "litigation"}
    hold = (await acme.post("/v1/legal-holds", wish)).json()
    refused = await acme.post(f"/v1/documents/{document}/erase", {"reason": "asked for"})
    assert (refused.status_code, refused.json()["code"]) == (409, "under_hold")
    assert "litigation" in refused.json()["detail"]
    assert [one["id"] for one in (await acme.get("/v1/legal-holds")).json()["items"]] == [hold["id"]]
    lifted = await acme.post(f"/v1/legal-holds/{hold['id']}/lift", {"reason": "settled"})
    assert lifted.json()["lift_reason"] == "settled"
    assert (await acme.get("/v1/legal-holds")).json()["items"] == []
    assert len((await acme.get("/v1/legal-holds", lifted=True)).json()["items"]) == 1
    for path in (f"/v1/documents/{uuid4()}/erase", f"/v1/sources/{uuid4()}/erase", f"/v1/entities/{uuid4()}/erase"):
        assert (await acme.post(path, {"reason": "x"})).status_code == 404
    assert (await acme.post(f"/v1/documents/{document}/erase", {})).status_code == 422
    assert (await acme.post("/v1/legal-holds", {**wish, "kind": "fact"})).status_code == 422


async def test_nobody_erases_or_holds_what_is_another_organizations(acme: Tenant, other: Tenant) -> None:
    document = await submitted(acme)
    foreign = await other.post(f"/v1/documents/{document}/erase", {"reason": "not mine"})
    unknown = await other.post(f"/v1/documents/{uuid4()}/erase", {"reason": "not mine"})
    assert (
        (foreign.status_code, foreign.json()["code"])
        == (unknown.status_code, unknown.json()["code"])
        == (404, "not_found")
    )
    wish = {"kind": "document", "target_id": document, "reason": "not mine"}
    assert (await other.post("/v1/legal-holds", wish)).status_code == 404
    erasure = (await acme.post(f"/v1/documents/{document}/erase", {"reason": "mine"})).json()
    assert (await other.get(f"/v1/erasures/{erasure['id']}")).status_code == 404
    assert (await other.get("/v1/erasures")).json()["items"] == []
