"""Organizations with an agent, and what the filled one knows: two sources that disagree, a document, a chain."""

from __future__ import annotations

import json
from collections.abc import AsyncIterator
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any

from application.identity.add_principal import NewPrincipal
from application.identity.create_organization import NewOrganization, Operator
from application.identity.issue_key import NewKey
from application.ingestion.sources import SourceSpec
from application.ingestion.submission import DocumentSubmission
from domain.identity.access import Access
from domain.identity.ids import DocumentId
from domain.identity.principal import PrincipalKind, Role
from entrypoints.application import Application

PUBLISHED = datetime(2024, 5, 1, tzinfo=UTC)
ABOUT = "# About Northgate\n\nNorthgate was founded by Ines Calder. Northgate acquired Fenwick Foods in 2021.\n"
MEMORY = "Olga likes short answers. Quillon was founded by Petra Voss."
REGISTER = (
    {"subject": "Northgate", "predicate": "headquartered in", "object": "Hull"},
    {"subject": "Dispatch", "predicate": "runs on", "object": "NATS"},
    {"subject": "NATS", "predicate": "depends on", "object": "Ceph"},
    {"subject": "Northgate", "predicate": "has ceo", "object": "Mara Lind", "valid_from": "2022"},
    {"subject": "Northgate", "predicate": "has ceo", "object": "Jon Brandt", "valid_from": "2015", "valid_to": "2022"},
)
BROCHURE = ({"subject": "Northgate", "predicate": "headquartered in", "object": "Singapore"},)


@dataclass
class Tenant:
    """An organization, its owner's key and its agent's key."""

    owner_key: str
    agent_key: str
    owner: Access
    document_id: DocumentId | None = None


async def new_tenant(app: Application, name: str) -> Tenant:
    made = await app.identity.create_organization(Operator("test"), NewOrganization(name, "Olga"))
    owner_key = made.key.key.text
    owner = await app.resolve_access(await app.verifier.verify(owner_key))
    agent = await app.identity.add_principal(owner, NewPrincipal("Scout", PrincipalKind.AGENT))
    key = await app.identity.issue_key(owner, NewKey(agent.id, "scout", Role.MEMBER))
    return Tenant(owner_key, key.key.text, owner)


async def fill(app: Application, tenant: Tenant) -> None:
    await triples(app, tenant.owner, "register", REGISTER)
    await triples(app, tenant.owner, "brochure", BROCHURE)
    submission = DocumentSubmission(
        ABOUT.encode(), SourceSpec("uploads", "upload"), "about.md", "text/markdown", published_at=PUBLISHED
    )
    receipt = await app.ingestion.submit_document(tenant.owner, submission)
    assert receipt.version_id is not None
    assert await app.ingestion.ingest_version(tenant.owner, receipt.version_id) is not None
    tenant.document_id = receipt.document_id
    personal = await app.resolve_access(await app.verifier.verify(tenant.agent_key), "personal")
    receipt = await app.ingestion.remember(personal, MEMORY)
    assert receipt.version_id is not None
    assert await app.ingestion.ingest_version(personal, receipt.version_id) is not None


async def triples(app: Application, access: Access, source: str, lines: tuple[dict[str, Any], ...]) -> None:
    async def encoded() -> AsyncIterator[bytes]:
        for line in lines:
            yield json.dumps({"observed_at": "2024-05-01", "kind": "fact"} | line).encode()

    receipt = await app.ingestion.import_triples(access, SourceSpec(source, "record_export"), "lines", encoded())
    assert (receipt.stored, receipt.rejected) == (len(lines), 0), receipt
