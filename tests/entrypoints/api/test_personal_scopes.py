"""A personal scope is nobody else's, not even an owner's: over HTTP, in lists, by ids, and in the exported journal."""

from __future__ import annotations

import json
from dataclasses import dataclass
from uuid import UUID

import httpx
import pytest

from domain.identity.ids import VersionId
from domain.journal.entries import EntriesRead
from entrypoints.application import Application
from tests.entrypoints.api.conftest import Tenant
from tests.entrypoints.api.test_people import joined, refusal, with_own_key
from tests.entrypoints.api.test_two_organizations import everything

SECRET = "Qwyjibo"


@dataclass(frozen=True)
class Diary:
    """An administrator with something in the personal scope, and the ids of it."""

    owner: Tenant
    ids: dict[str, str]
    revisions: set[int]


@pytest.fixture
async def diary(acme: Tenant, transport: httpx.ASGITransport, running: Application) -> Diary:
    mia = await with_own_key(transport, await joined(transport, acme, "Mia", "admin"))
    kept = await mia.post("/v1/memory", {"text": f"{SECRET} depends on the billing service."})
    assert kept.status_code == 202, kept.text
    access = await running.resolve_access(await running.verifier.verify(mia.key), "personal")
    await running.ingestion.ingest_version(access, VersionId(UUID(kept.json()["version_id"])))
    triple = {"subject": SECRET, "predicate": "depends on", "object": f"{SECRET} ledger"}
    stated = (await mia.post("/v1/assertions", {"statements": [triple]}, scope="personal")).json()
    wish = {"principal_id": mia.owner_id, "name": f"{SECRET} key", "role": "viewer"}
    key = await mia.post("/v1/api-keys", wish, scope="personal")
    assert key.status_code == 201, key.text
    made = await mia.post("/v1/snapshots", {"name": SECRET, "reason": SECRET}, scope="personal")
    assert made.status_code == 201, made.text
    reason = {"reason": f"{SECRET} was wrong"}
    gone = await mia.post(f"/v1/assertions/{stated['placed'][0]['assertion_id']}/retract", reason, scope="personal")
    assert gone.status_code == 200, gone.text
    ids = {
        "facts": stated["placed"][0]["fact_id"],
        "assertions": stated["placed"][0]["assertion_id"],
        "receipts": kept.json()["id"],
        "snapshots": made.json()["id"],
        "api-keys": key.json()["id"],
    }
    async with running.unit_of_work(access) as tx:
        entries = await tx.chronicle.entries(EntriesRead())
    own = {e.mutation.revision for e in entries if e.group_id == access.write_scope}
    assert len(own) >= 5
    return Diary(mia, ids, {int(revision) for revision in own})


async def test_no_list_and_no_search_of_an_owner_shows_anything_of_it(acme: Tenant, diary: Diary) -> None:
    document = (await acme.get("/v1/openapi.json")).json()
    answers = await everything(acme, document)
    assert len(answers) >= 20
    for path, answer in answers.items():
        asked = answer.text.replace(f'"query":"{SECRET}"', "")
        assert SECRET not in asked, path
        # The audit says who came for what, by ids.
        if not path.startswith("/v1/audit"):
            assert not [each for each in diary.ids.values() if each in answer.text], path
    for body in ({"query": SECRET, "sections": ["facts", "chunks"]}, {"query": "what depends on billing"}):
        assert SECRET not in (await acme.post("/v1/search", body)).text.replace(f'"query":"{SECRET}"', "")


async def test_ids_of_it_read_as_unknown_in_every_scope_of_an_owner(acme: Tenant, diary: Diary) -> None:
    for scope in ("organization", "personal"):
        for kind in ("facts", "assertions", "receipts", "snapshots"):
            found = await acme.get(f"/v1/{kind}/{diary.ids[kind]}", scope=scope)
            unknown = await acme.get(f"/v1/{kind}/{UUID(int=7)}", scope=scope)
            assert refusal(found) == refusal(unknown) == (404, "not_found"), kind
            told = found.json()["detail"].replace(diary.ids[kind], str(UUID(int=7)))
            assert told == unknown.json()["detail"]
            mine = await diary.owner.get(f"/v1/{kind}/{diary.ids[kind]}", scope="personal")
            assert mine.status_code == 200, kind
    revoked = await acme.client.delete(f"/v1/api-keys/{diary.ids['api-keys']}")
    assert refusal(revoked) == (404, "not_found")


async def test_it_has_no_other_members_and_no_name(acme: Tenant, diary: Diary) -> None:
    listed = (await acme.get("/v1/memberships")).json()["items"]
    assert {m["scope"] for m in listed} == {"organization"}
    wish = {"principal_id": acme.owner_id, "role": "viewer"}
    own = await diary.owner.client.put("/v1/memberships", json=wish, params={"scope": "personal"})
    assert (own.status_code, own.json()["field"]) == (422, "scope")
    for name in ("Mia", "personal/Mia", f"personal/{diary.owner.owner_id}"):
        answer = await acme.get("/v1/facts", subject=SECRET, scope=name)
        assert answer.status_code in (404, 422), name


async def test_an_access_to_everything_below_has_no_personal_scope_of_others(
    acme: Tenant, diary: Diary, running: Application
) -> None:
    credential = await running.verifier.verify(acme.key)
    wide = await running.resolve_access.with_everything_below(credential)
    personal = {group for group in (*wide.read_scopes, *wide.writable) if group.startswith("u_")}
    own = await running.resolve_access(credential, "personal")
    assert personal <= {own.write_scope}


async def test_the_journal_tells_an_owner_that_something_happened_and_not_what(
    acme: Tenant, diary: Diary, running: Application
) -> None:
    entries = (await acme.get("/v1/changes", limit=200)).json()["items"]
    assert entries
    assert not diary.revisions & {entry["revision"] for entry in entries}
    access = await running.resolve_access(await running.verifier.verify(acme.key))
    anchor = await running.journal.export.anchor(access)
    lines = [line async for line in running.journal.export(access, anchor.revision)]
    assert [line["revision"] for line in lines] == list(range(1, anchor.revision + 1))
    withheld = [line for line in lines if line["revision"] in diary.revisions]
    assert len(withheld) == len(diary.revisions)
    for line in withheld:
        assert (line["payload"], line["reason"], line["withheld"]) == (None, None, True)
    assert SECRET not in json.dumps(lines, default=str)
    assert [line["previous_hash"] for line in lines[1:]] == [line["hash"] for line in lines[:-1]]
