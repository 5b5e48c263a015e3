"""Attacks over HTTP that once went through: secrets that were kept, and a policy that was loosened."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import asyncpg
import httpx
import pytest

from entrypoints.application import Application
from tests.entrypoints.api.conftest import Tenant, client_of
from tests.entrypoints.api.test_audit import lines
from tests.entrypoints.api.test_people import joined
from tests.entrypoints.api.test_untrusted_input import CARD, key_of
from tests.services.database import Database

TOKEN = "ghp_a1B2c3D4e5F6g7H8i9J0k1L2m3N4o5P6q7R8"
OWNS = {"subject": "Acme", "predicate": "owns", "object": "Harbour"}


async def tables_with(database: Database, secret: str) -> list[str]:
    """The tables that hold a text, of whichever organization."""
    connection = await asyncpg.connect(database.administrator)
    try:
        rows = await connection.fetch(
            "SELECT oid::regclass::text FROM pg_class WHERE relnamespace = 'assay'::regnamespace AND relkind = 'r' "
            "AND relname NOT LIKE '%search%'"
        )
        found = []
        for (table,) in rows:
            if await connection.fetchval(f"SELECT count(*) FROM {table} x WHERE strpos(x::text, $1) > 0", secret):
                found.append(str(table))
        return found
    finally:
        await connection.close()


async def said(tenant: Tenant, statement: dict[str, Any] = OWNS, scope: str = "organization") -> dict[str, Any]:
    answer = await tenant.post("/v1/assertions", {"statements": [statement]}, scope=scope)
    assert answer.status_code == 201, answer.text
    return {**answer.json()["placed"][0], "revision": answer.json()["revision"]}


@pytest.mark.parametrize("field", ["source", "collection", "mapping"])
async def test_no_secret_goes_by_the_name_of_a_source_or_a_collection_or_in_a_mapping(
    acme: Tenant, database: Database, field: str
) -> None:
    secret = f"{TOKEN[:-1]}{field[0]}"
    column = {"column": "n", "predicate": "named", "object": "text", "qualifiers": {"as": secret}}
    body: dict[str, Any] = {"record_key": "r", "records": [{"id": "1", "n": "x"}]}
    body["mapping"] = {
        "subject": "id",
        "key": "id",
        "properties": [column if field == "mapping" else column | {"qualifiers": {}}],
    }
    if field != "mapping":
        body[field] = {"name": secret, "kind": "upload"} if field == "source" else secret
    refused = await acme.post("/v1/records", body)
    assert (refused.status_code, refused.json()["field"]) == (422, field)
    assert secret not in refused.text
    assert await tables_with(database, secret) == []


async def test_no_secret_goes_by_the_name_of_a_stream(acme: Tenant, database: Database) -> None:
    headers = {"Content-Type": "application/x-ndjson"}
    for named in ({"name": TOKEN}, {"name": "x", "source": TOKEN}):
        refused = await acme.client.post("/v1/triples", params=named, content=b"{}", headers=headers)
        assert (refused.status_code, TOKEN in refused.text) == (422, False), refused.text
    assert await tables_with(database, TOKEN) == []


async def test_a_secret_in_the_name_of_a_qualifier_is_masked(acme: Tenant, database: Database) -> None:
    secret = f"{TOKEN[:-2]}qq"
    await said(acme, OWNS | {"qualifiers": {secret: "x"}})
    assert await tables_with(database, secret) == []


async def test_a_card_as_a_number_with_a_point_is_no_number(acme: Tenant, database: Database) -> None:
    stated = {"subject": "Acme", "predicate": "pays with", "object": {"number": 4111111111111111.0}}
    refused = await acme.post("/v1/assertions", {"statements": [stated]})
    assert (refused.status_code, refused.json()["field"]) == (422, "object.number")
    assert await tables_with(database, "4111111111111111") == []


async def test_no_reason_with_a_secret_is_kept_and_nothing_is_done(acme: Tenant, database: Database) -> None:
    placed = await said(acme)
    told = {"reason": f"it said {TOKEN}"}
    for path, body in ((f"/v1/assertions/{placed['assertion_id']}/retract", told), ("/v1/snapshots", told)):
        refused = await acme.post(path, body)
        assert (refused.status_code, refused.json()["field"], TOKEN in refused.text) == (422, "reason", False), path
    assert (await said(acme, OWNS | {"object": "Pier"}))["revision"] == placed["revision"] + 1
    assert await tables_with(database, TOKEN) == []


async def test_a_rejection_with_a_secret_is_refused_and_the_proposal_waits(acme: Tenant, database: Database) -> None:
    placed = await said(acme)
    wish = {"verdict": "deny", "saw": placed["revision"], "reason": "wrong"}
    made = await acme.post(f"/v1/facts/{placed['fact_id']}/corrections/proposals", wish)
    assert made.status_code == 201, made.text
    path = f"/v1/proposals/{made.json()['proposal_id']}/decide"
    refused = await acme.post(path, {"approve": False, "reason": TOKEN})
    assert (refused.status_code, refused.json()["field"], TOKEN in refused.text) == (422, "reason", False)
    assert (await acme.post(path, {"approve": False, "reason": "right as it is"})).status_code == 200
    assert await tables_with(database, TOKEN) == []


async def test_a_curator_does_not_loosen_what_an_administrator_set_by_a_collection(
    acme: Tenant, transport: httpx.ASGITransport
) -> None:
    path, loose = "/v1/collections/loose", {"settings": {"sensitive": {"card": "allow"}}, "entities": {}}
    async with client_of(transport, await key_of(acme, "curator")) as curator:
        refused = await curator.put(path, json=loose)
        assert (refused.status_code, refused.json()["code"]) == (403, "forbidden")
        assert (await acme.client.put(path, json=loose)).status_code == 200
        same = {"settings": loose["settings"] | {"chunk_size": 400}, "entities": {"Acme": "organization"}}
        assert (await curator.put(path, json=same)).status_code == 200
        gone = await curator.put(path, json={"settings": {}, "entities": {}})
        assert (gone.status_code, gone.json()["code"]) == (403, "forbidden")


async def test_no_collection_declares_a_secret(acme: Tenant, database: Database) -> None:
    for body in ({"settings": {}, "entities": {TOKEN: "thing"}}, {"settings": {"note": TOKEN}, "entities": {}}):
        refused = await acme.client.put("/v1/collections/plain", json=body)
        assert (refused.status_code, TOKEN in refused.text) == (422, False)
    assert await tables_with(database, TOKEN) == []


async def test_what_a_personal_scope_allows_is_not_promoted_to_one_that_masks_it(
    acme: Tenant, database: Database
) -> None:
    await acme.post("/v1/workspaces", {"name": "sales"})
    allowed = await acme.client.put(
        "/v1/sensitive", json={"treatments": {"card": "allow"}}, params={"scope": "personal"}
    )
    assert allowed.status_code == 200, allowed.text
    stated = {"subject": "Northgate", "predicate": "pays with", "object": {"text": CARD}}
    held = await said(acme, stated, "personal")
    plain = await said(acme, OWNS, "personal")
    for fact, reason in ((held, "all need it"), (plain, f"see {TOKEN}")):
        wish = {"to": "sales", "reason": reason}
        refused = await acme.post(f"/v1/facts/{fact['fact_id']}/promotions", wish, scope="personal")
        assert (refused.status_code, CARD in refused.text, TOKEN in refused.text) == (422, False, False), refused.text
    assert await tables_with(database, TOKEN) == []
    assert (await acme.get("/v1/proposals", scope="sales")).json()["items"] == []


async def test_the_line_of_a_write_to_the_record_has_its_revision_and_what_it_wrote(
    running: Application, acme: Tenant
) -> None:
    placed = await said(acme)
    done = await acme.post(f"/v1/assertions/{placed['assertion_id']}/retract", {"reason": "wrong"})
    again = await said(acme, OWNS | {"object": "Pier"})
    found = await lines(running, acme, action="write")
    assert [line["revision"] for line in found][-2:] == [done.json()["revision"], done.json()["revision"] + 1]
    assert again["assertion_id"]


@pytest.fixture
async def lowered(acme: Tenant, running: Application, transport: httpx.ASGITransport) -> Tenant:
    """A viewer with a credential that bounds nothing, as one of a sign-in: only in the personal scope an owner."""
    mia = await joined(transport, acme, "Mia", "owner")
    own = await mia.post("/v1/api-keys", {"principal_id": mia.owner_id, "name": "own", "role": "owner"})
    mia = replace(mia, key=own.json()["key"], client=client_of(transport, own.json()["key"]))
    done = await acme.client.put("/v1/memberships", json={"principal_id": mia.owner_id, "role": "viewer"})
    assert done.status_code == 200, done.text
    running.forget_who(None)
    return mia


async def test_the_owner_of_a_personal_scope_gives_no_key_of_somebody_else(acme: Tenant, lowered: Tenant) -> None:
    refusals = []
    for principal in (acme.owner_id, "00000000-0000-7000-8000-000000000007"):
        wish = {"principal_id": principal, "name": "x", "role": "viewer"}
        refused = await lowered.post("/v1/api-keys", wish, scope="personal")
        assert refused.status_code == 404, refused.text
        refusals.append(refused.json()["detail"].replace(principal, "somebody"))
    assert refusals[0] == refusals[1]
    own = {"principal_id": lowered.owner_id, "name": "x", "role": "viewer"}
    assert (await lowered.post("/v1/api-keys", own, scope="personal")).status_code == 201


async def test_the_owner_of_a_personal_scope_is_no_administrator_of_what_is_around_it(
    acme: Tenant, lowered: Tenant
) -> None:
    body = {"record_key": "a.txt", "text": f"Northgate pays with {CARD}."}
    document = (await acme.post("/v1/documents", body)).json()["document_id"]
    held = {"kind": "document", "target_id": document, "reason": "a case"}
    assert (await acme.post("/v1/legal-holds", held)).status_code == 201
    gone = (await acme.post("/v1/documents", {"record_key": "b.txt", "text": "Southgate is open."})).json()
    erased = await acme.post(f"/v1/documents/{gone['document_id']}/erase", {"reason": "asked for"})
    assert erased.status_code == 202, erased.text
    original = await lowered.get(f"/v1/documents/{document}/original", scope="personal")
    assert (original.status_code, CARD in original.text) == (403, False)
    assert (await lowered.post("/v1/signing-keys", None, scope="personal")).status_code == 403
    assert (await lowered.get("/v1/usage", scope="personal")).status_code == 403
    for path in ("/v1/legal-holds", "/v1/erasures"):
        assert (await lowered.get(path, scope="personal")).json()["items"] == []
        assert len((await acme.get(path)).json()["items"]) == 1
    one = await lowered.get(f"/v1/erasures/{erased.json()['id']}", scope="personal")
    assert one.status_code == 404
    assert (await acme.get(f"/v1/erasures/{erased.json()['id']}")).status_code == 200


async def test_an_administrator_of_a_workspace_changes_no_key_that_signs_for_the_organization(
    acme: Tenant, transport: httpx.ASGITransport
) -> None:
    await acme.post("/v1/workspaces", {"name": "sales"})
    admin = await joined(transport, acme, "Wanda", "admin", "sales")
    before = (await acme.get("/v1/signing-keys")).json()
    assert (await admin.post("/v1/signing-keys", None, scope="sales")).status_code == 403
    assert (await acme.get("/v1/signing-keys")).json() == before


async def test_an_administrator_of_a_workspace_opens_no_personal_scope_of_who_is_more_than_there(
    acme: Tenant, transport: httpx.ASGITransport
) -> None:
    await acme.post("/v1/workspaces", {"name": "sales"})
    admin = await joined(transport, acme, "Wanda", "admin", "sales")
    assert (await acme.post("/v1/memory", {"text": "The key is under the mat."})).status_code == 202
    issued = await admin.post(
        "/v1/api-keys", {"principal_id": acme.owner_id, "name": "x", "role": "viewer"}, scope="sales"
    )
    assert issued.status_code == 201, issued.text
    async with client_of(transport, issued.json()["key"]) as posing:
        assert (await posing.get("/v1/documents")).status_code == 200
        refused = await posing.get("/v1/documents", params={"scope": "personal"})
        assert (refused.status_code, refused.json()["code"]) == (404, "not_found")
        assert (await posing.get("/v1/memory", params={"q": "key"})).status_code == 404
    assert len((await acme.get("/v1/documents", scope="personal")).json()["items"]) == 1


async def test_no_key_opens_the_personal_scope_of_a_person_who_signs_in_elsewhere(
    running: Application, acme: Tenant, transport: httpx.ASGITransport
) -> None:
    account = {"issuer": "https://id.example.com", "subject": "ines"}
    wish = {"name": "Ines", "kind": "human", "role": "member", "account": account}
    ines = (await acme.post("/v1/principals", wish)).json()["id"]
    assert (await acme.client.put("/v1/memberships", json={"principal_id": ines, "role": "admin"})).status_code == 200
    key = (await acme.post("/v1/api-keys", {"principal_id": ines, "name": "x", "role": "admin"})).json()["key"]
    async with client_of(transport, key) as posing:
        assert (await posing.get("/v1/documents")).status_code == 200
        assert (await posing.get("/v1/documents", params={"scope": "personal"})).status_code == 404
        assert (await posing.post("/v1/memory", json={"text": "It is said."})).status_code == 404
        me = (await posing.get("/v1/me")).json()
        assert [scope["scope"] for scope in me["scopes"]] == ["organization"]
        access = await running.resolve_access.with_everything_below(await running.verifier.verify(key))
    assert [group[:1] for group in access.write_scopes] == ["o"]


async def test_no_stored_pack_and_no_snapshot_is_called_by_a_secret(acme: Tenant, database: Database) -> None:
    asked = (
        ("/v1/packs", {"question": f"what opens {TOKEN}", "budget": 500, "store": True}),
        ("/v1/snapshots", {"name": TOKEN}),
    )
    for path, body in asked:
        refused = await acme.post(path, body)
        assert (refused.status_code, TOKEN in refused.text) == (422, False), refused.text
        assert refused.json()["field"] in body
    assert await tables_with(database, TOKEN) == []
