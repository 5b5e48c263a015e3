"""Two organizations on one running Assay, filled alike: the same names, texts and kinds of objects; a canary each."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any
from uuid import UUID

import asyncpg
import httpx

from domain.identity.ids import GroupId, OrganizationId, VersionId
from domain.identity.principal import Role
from domain.ports.erasure import ErasureId
from entrypoints.application import Application

NAME = "Northgate"
REASON = "walked"
CLAIM: dict[str, Any] = {"subject": NAME, "predicate": "depends on", "object": "Harbour", "kind": "fact"}
TEXT = "Northgate was founded in 2009 by Ines Calder. The order service depends on the billing service."
DOCUMENT = {"record_key": "about.txt", "title": "About", "text": TEXT, "source": {"name": "uploads", "kind": "upload"}}
IDS = re.compile(r"[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}|\b[owpu]_[0-9a-f]{32}")
"""What names an object or a scope of somebody."""
VAULT = "Vault"
"""A workspace that the bound key does not reach; YARD is the one that it does."""
YARD = "Yard"
OUT_OF_REACH = "Vexillum"
"""What the other workspace's documents say."""


@dataclass
class Organization:
    """One organization: a client for each of its keys, and an id of each kind of object that it has.

    ``secrets`` are all its ids and groups and its canary: nothing of them may be seen by anybody else.
    """

    id: str
    canary: str
    clients: dict[str, httpx.AsyncClient]
    ids: dict[str, Any] = field(default_factory=dict)
    vaulted: dict[str, str] = field(default_factory=dict)
    secrets: frozenset[str] = frozenset()

    @property
    def uuid(self) -> UUID:
        return UUID(self.id)

    @property
    def owner(self) -> httpx.AsyncClient:
        return self.clients["owner"]

    async def ask(self, method: str, path: str, body: Any = None, **asked: Any) -> Any:
        """What the owner is answered; it must succeed."""
        answer = await self.owner.request(method, path, json=body, params=asked)
        assert answer.is_success, (method, path, answer.text)
        return answer.json()

    def leaked(self, text: str) -> list[str]:
        """What of this organization is in a text."""
        found = {match for match in IDS.findall(text) if match in self.secrets}
        return sorted(found) + ([self.canary] if self.canary.lower() in text.lower() else [])


async def found(
    app: Application, operator: httpx.AsyncClient, client_of: Callable[[str], httpx.AsyncClient], canary: str
) -> Organization:
    """Make an organization with a key of each role, and one that is bound to a workspace."""
    made = (await operator.post("/v1/organizations", json={"name": f"{canary} Works", "owner": "Olga"})).json()
    new = Organization(made["id"], canary, {"owner": client_of(made["key"])})
    new.ids["organization"] = new.id
    for role in list(Role)[:-1]:
        person = await new.ask("POST", "/v1/principals", {"name": role.value, "kind": "human", "role": role.value})
        key = {"principal_id": person["id"], "name": role.value, "role": role.value}
        made = await new.ask("POST", "/v1/api-keys", key)
        async with client_of(made["key"]) as given:
            # A key of their own: one that somebody else issued opens no personal scope.
            rotated = await given.post(f"/v1/api-keys/{made['id']}/rotate", json={"overlap_seconds": 0})
        made = rotated.json()
        new.clients[role.value] = client_of(made["key"])
        new.ids |= {"principal": person["id"], "key": made["id"]}
    for workspace in (YARD, VAULT):
        await new.ask("POST", "/v1/workspaces", {"name": workspace})
    await new.ask("POST", "/v1/projects", {"workspace": YARD, "name": "Launch"})
    bound = await new.ask("POST", "/v1/principals", {"name": "Bo", "kind": "agent", "role": "admin"}, scope=YARD)
    key = {"principal_id": bound["id"], "name": "bound", "role": "admin"}
    new.clients["bound"] = client_of((await new.ask("POST", "/v1/api-keys", key, scope=YARD))["key"])
    return new


async def fill(app: Application, new: Organization) -> None:
    """The same objects in every organization, some of them with its canary."""
    said = f"{DOCUMENT['text']} {NAME} acquired {new.canary} Foods in 2021."
    receipt = await new.ask("POST", "/v1/documents", DOCUMENT | {"text": said, "collection": "papers"})
    await _read(app, new, receipt)
    new.ids |= {"document": receipt["document_id"], "version": receipt["version_id"], "receipt": receipt["id"]}
    await _triples(new)
    rivals = [CLAIM | {"predicate": "has CEO", "object": o, "valid_from": "2020-01-01"} for o in ("Ada", new.canary)]
    placed = await new.ask("POST", "/v1/assertions", {"statements": [CLAIM, *rivals]})
    new.ids |= {"assertion": placed["placed"][0]["assertion_id"], "fact": placed["placed"][0]["fact_id"]}
    waiting = await new.clients["member"].post("/v1/assertions", json={"statements": [CLAIM | {"object": new.canary}]})
    assert waiting.status_code == 201, waiting.text
    correction = {"verdict": "deny", "saw": placed["revision"], "reason": new.canary}
    path = f"/v1/facts/{new.ids['fact']}/corrections/proposals"
    await new.ask("POST", path, correction)
    remembered = await new.owner.post("/v1/memory", json={"text": f"Olga keeps {new.canary} for herself."})
    assert remembered.status_code == 202, remembered.text
    await new.ask("POST", "/v1/feedback", {"fact_id": new.ids["fact"], "helpful": True, "query": new.canary})
    new.ids["snapshot"] = (await new.ask("POST", "/v1/snapshots", {"name": new.canary}))["id"]
    pack = {"question": NAME, "budget": 1000, "store": True}
    new.ids["pack"] = (await new.ask("POST", "/v1/packs", pack))["id"]
    hold = {"kind": "document", "target_id": new.ids["document"], "reason": new.canary}
    new.ids["hold"] = (await new.ask("POST", "/v1/legal-holds", hold))["id"]
    await _erase(app, new)
    await _vault(app, new)
    listed = {
        "source": ("/v1/sources", {}), "contradiction": ("/v1/contradictions", {}), "proposal": ("/v1/proposals", {}),
        "entity": ("/v1/entities", {"name": NAME}), "concept": ("/v1/concepts", {"q": "retries"}),
    }  # fmt: skip
    for kind, (place, asked) in listed.items():
        item = (await new.ask("GET", place, **asked))["items"][0]
        new.ids[kind] = item.get(kind, item)["id"]


async def _triples(new: Organization) -> None:
    label = {"concept": "Retries must be idempotent"}
    lines = [
        {"subject": label, "predicate": "concept kind", "object": {"text": "principle"}, "excerpt": new.canary},
        {"subject": NAME, "predicate": "headquartered in", "object": "Hull"},
        {"subject": NAME, "predicate": "owns", "object": f"{new.canary} ledger"},
    ]
    answer = await new.owner.post(
        "/v1/triples",
        content="\n".join(json.dumps(line) for line in lines),
        params={"source": "handbook", "name": "lines"},
        headers={"content-type": "application/x-ndjson"},
    )
    assert answer.json()["rejected"] == 0, answer.text


async def _erase(app: Application, new: Organization) -> None:
    """A second document that is erased for good."""
    receipt = await new.ask(
        "POST", "/v1/documents", DOCUMENT | {"record_key": "old.txt", "text": "Quillon is in Hull."}
    )
    await _read(app, new, receipt)
    path = f"/v1/documents/{receipt['document_id']}/erase"
    new.ids["erasure"] = (await new.ask("POST", path, {"reason": new.canary}))["id"]
    access = await app.resolve_access.for_job(OrganizationId(UUID(new.id)), await _root(app, new))
    await app.erasure.complete(access, ErasureId(UUID(new.ids["erasure"])))


async def _vault(app: Application, new: Organization) -> None:
    """Knowledge in a workspace that the bound key does not reach."""
    document = DOCUMENT | {"record_key": "vault.txt", "text": f"{OUT_OF_REACH} was founded by Petra Voss."}
    receipt = await new.ask("POST", "/v1/documents", document, scope=VAULT)
    placed = await new.ask("POST", "/v1/assertions", {"statements": [CLAIM | {"object": OUT_OF_REACH}]}, scope=VAULT)
    new.vaulted = {
        "document": receipt["document_id"], "version": receipt["version_id"], "receipt": receipt["id"],
        "fact": placed["placed"][0]["fact_id"], "assertion": placed["placed"][0]["assertion_id"],
    }  # fmt: skip


async def _read(app: Application, new: Organization, receipt: dict[str, Any]) -> None:
    """What the worker does with the job of a submission."""
    access = await app.resolve_access.for_job(OrganizationId(UUID(new.id)), await _root(app, new))
    await app.ingestion.ingest_version(access, VersionId(UUID(receipt["version_id"])))


async def _root(app: Application, new: Organization) -> GroupId:
    token = new.owner.headers["authorization"].removeprefix("Bearer ")
    return GroupId((await app.verifier.verify(token)).reach)


async def learn_secrets(administrator: asyncpg.Connection, new: Organization, other: UUID) -> None:
    """Every id and group in the rows of an organization that are not in those of the other one."""
    columns = await administrator.fetch(
        """SELECT c.relname, a.attname FROM pg_class c JOIN pg_attribute a ON a.attrelid = c.oid
           WHERE c.relnamespace = 'assay'::regnamespace AND c.relkind IN ('r', 'p') AND NOT c.relispartition
             AND (a.atttypid = 'uuid'::regtype OR a.attname = 'group_id') AND a.attnum > 0
             AND EXISTS (SELECT 1 FROM pg_attribute o WHERE o.attrelid = c.oid AND o.attname = 'organization_id')"""
    )
    each = " UNION ".join(
        f"SELECT {column}::text FROM assay.{table} WHERE organization_id = $1" for table, column in columns
    )
    ours = {row[0] for row in await administrator.fetch(each, UUID(new.id)) if row[0]}
    theirs = {row[0] for row in await administrator.fetch(each, other) if row[0]}
    new.secrets = frozenset(ours - theirs)
