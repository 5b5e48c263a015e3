"""What every route of the OpenAPI document needs. A route that is not here fails the build; see docs/isolation.md."""

from __future__ import annotations

from typing import Any

from domain.identity.permissions import Action
from tests.isolation.rules.declared import Entry, Id
from tests.isolation.two_organizations import CLAIM, DOCUMENT, NAME, REASON, YARD

PATH_IDS = {
    "assertion_id": "assertion", "concept_id": "concept", "contradiction_id": "contradiction",
    "document_id": "document", "entity_id": "entity", "erasure_id": "erasure", "fact_id": "fact", "hold_id": "hold",
    "key_id": "key", "pack_id": "pack", "principal_id": "principal", "proposal_id": "proposal",
    "receipt_id": "receipt", "snapshot_id": "snapshot", "source_id": "source", "version_id": "version",
}  # fmt: skip
"""Which kind of object a part of a path names."""
QUERY_IDS = {
    "about": "fact", "actor": "principal", "against_document": "document", "assertion": "assertion",
    "document": "document", "document_id": "document", "entity_id": "entity", "fact": "fact", "object_id": "entity",
    "principal": "principal", "snapshot": "snapshot", "source": "source", "source_id": "entity",
    "subject_id": "entity", "target_id": "entity", "version": "version",
}  # fmt: skip
"""Which kind of object a query parameter names, where it takes a UUID."""

ENTITY: dict[str, Any] = {"saw": 0, "name": f"{NAME} Ltd", "reason": REASON}
CORRECTION: dict[str, Any] = {"verdict": "confirm", "saw": 0, "reason": REASON}
TRIPLE = b'{"subject": "Northgate", "predicate": "depends on", "object": "Harbour"}\n'
_CLOCK = "it holds times of the moment"
_WALK = "the walk itself is in it"


def read(unsteady: str = "", **asked: Any) -> Entry:
    """A route that every role may call."""
    return Entry(Action.READ, asked, unsteady=unsteady)


def write(action: Action, body: Any = None, **asked: Any) -> Entry:
    """A route that changes something."""
    return Entry(action, asked, {} if body is None else body)


def unbound(why: str) -> Entry:
    """A route that asks for no principal."""
    return Entry(None, why=why)


ROUTES: dict[str, Entry] = {
    "GET /health": unbound("says that the process answers, and nothing else"),
    "GET /readiness": unbound("says which services answer, and nothing of anybody"),
    "GET /metrics": unbound("asks for the key to the metrics; its labels are checked by themselves"),
    "GET /.well-known/oauth-protected-resource": unbound("public addresses"),
    "GET /.well-known/oauth-protected-resource/mcp": unbound("public addresses"),
    "POST /v1/organizations": unbound("asks for the operator's key"),
    "GET /v1/me": read(),
    "GET /v1/organizations/current": read(),
    "GET /v1/workspaces": read(),
    "POST /v1/workspaces": write(Action.MANAGE_SCOPES, {"name": "Walked"}),
    "GET /v1/projects": read(),
    "POST /v1/projects": write(Action.MANAGE_SCOPES, {"workspace": YARD, "name": "Walked"}),
    "GET /v1/principals": read(),
    "POST /v1/principals": write(Action.MANAGE_PEOPLE, {"name": "Walked", "kind": "agent", "role": "viewer"}),
    "GET /v1/memberships": read(),
    "PUT /v1/memberships": write(Action.MANAGE_PEOPLE, {"principal_id": Id("principal"), "role": "viewer"}),
    "DELETE /v1/memberships/{principal_id}": write(Action.MANAGE_PEOPLE),
    "POST /v1/memberships/leave": write(Action.LEAVE, scope=YARD),
    "POST /v1/principals/{principal_id}/disable": write(Action.MANAGE_PEOPLE, {"reason": REASON}),
    "POST /v1/principals/{principal_id}/enable": write(Action.MANAGE_PEOPLE, {"reason": REASON}),
    "GET /v1/api-keys": read("when a key was last used is in it"),
    "POST /v1/api-keys": write(
        Action.MANAGE_KEYS, {"principal_id": Id("principal"), "name": "walked", "role": "viewer"}
    ),
    "POST /v1/api-keys/{key_id}/rotate": write(Action.MANAGE_OWN_KEYS, {"overlap_seconds": 60}),
    "DELETE /v1/api-keys/{key_id}": write(Action.MANAGE_OWN_KEYS),
    "GET /v1/changes": read(since=0),
    "GET /v1/timeline": read(name=NAME),
    "GET /v1/facts/{fact_id}/timeline": read(),
    "GET /v1/entities/{entity_id}/timeline": read(),
    "GET /v1/journal/verification": Entry(Action.OPERATE),
    "GET /v1/revision": read(),
    "GET /v1/jobs/dead-letters": Entry(Action.OPERATE),
    "POST /v1/jobs/retry": write(Action.OPERATE, {"ids": [Id("job")]}),
    "GET /v1/usage": Entry(Action.OPERATE),
    "POST /v1/usage/limit": write(Action.OPERATE, {"limit": None}),
    "PUT /v1/usage/quotas": write(Action.OPERATE),
    "GET /v1/sources": read(),
    "PUT /v1/sources/{source_id}/grade": write(Action.REGRADE, {"tier": 2, "reason": REASON}),
    "POST /v1/sources/{source_id}/retract": write(Action.RETRACT, {"reason": REASON}),
    "GET /v1/collections": read(),
    "PUT /v1/collections/{name}": write(Action.CONFIGURE, {"settings": {}, "entities": {}}),
    "GET /v1/documents": read(),
    "POST /v1/documents": write(Action.SUBMIT, DOCUMENT),
    "POST /v1/documents/upload": Entry(Action.SUBMIT, body=b"Northgate depends on Harbour.", lines=True),
    "POST /v1/documents/fetch": write(Action.SUBMIT, {"url": "https://assay.invalid/"}),
    "GET /v1/sensitive": read(),
    "PUT /v1/sensitive": write(Action.SCREEN, {"treatments": {}}),
    "POST /v1/records": write(
        Action.SUBMIT,
        {"record_key": "walked", "records": [{"service": NAME}], "mapping": {"subject": "service", "key": "service"}},
    ),
    "GET /v1/documents/{document_id}": read(),
    "GET /v1/documents/{document_id}/original": read(),
    "GET /v1/versions/{version_id}/text": read(),
    "POST /v1/documents/{document_id}/retract": write(Action.RETRACT, {"reason": REASON}),
    "POST /v1/reprocess": write(Action.REPROCESS, {"document_id": Id("document")}),
    "POST /v1/assertions": write(Action.ASSERT, {"statements": [CLAIM]}),
    "GET /v1/assertions/{assertion_id}": read(),
    "POST /v1/assertions/{assertion_id}/retract": write(Action.RETRACT, {"reason": REASON}),
    "POST /v1/assertions/decide": write(Action.DECIDE, {"approve": False, "ids": [Id("assertion")], "dry_run": True}),
    "GET /v1/assertions/waiting": read(),
    "GET /v1/proposals": read(),
    "POST /v1/proposals/{proposal_id}/decide": write(Action.DECIDE, {"approve": False, "reason": REASON}),
    "POST /v1/proposals/decide": write(Action.READ, {"approve": False}),
    "GET /v1/receipts": read(),
    "GET /v1/receipts/{receipt_id}": read(),
    "GET /v1/memory": read(q=NAME),
    "POST /v1/memory": write(Action.REMEMBER, {"text": f"{NAME} likes short answers."}),
    "POST /v1/feedback": write(Action.GIVE_FEEDBACK, {"fact_id": Id("fact"), "helpful": True}),
    "GET /v1/facts": read(subject=NAME),
    "GET /v1/facts/{fact_id}": read(),
    "GET /v1/facts/{fact_id}/explanation": read(),
    "GET /v1/predicates": read(),
    "POST /v1/read-points": Entry(Action.READ, body={}, unsteady=_CLOCK),
    "GET /v1/snapshots": read(),
    "POST /v1/snapshots": write(Action.SNAPSHOT, {"name": "walked"}),
    "GET /v1/snapshots/{snapshot_id}": read("when it was verified is in it"),
    "POST /v1/snapshots/{snapshot_id}/verify": write(Action.READ),
    "POST /v1/packs": Entry(Action.READ, body={"question": NAME, "budget": 1000}, unsteady=_CLOCK),
    "GET /v1/packs/{pack_id}": read(),
    "POST /v1/facts/{fact_id}/correct": write(Action.CORRECT, CORRECTION),
    "POST /v1/facts/{fact_id}/corrections/proposals": write(Action.ASSERT, CORRECTION),
    "POST /v1/facts/{fact_id}/promotions": write(Action.PROPOSE_PROMOTION, {"to": "organization", "reason": REASON}),
    "POST /v1/entities/{entity_id}/edit": write(Action.CORRECT, ENTITY),
    "POST /v1/entities/{entity_id}/edits/proposals": write(Action.ASSERT, ENTITY),
    "POST /v1/mutations/{revision}/undo": write(Action.UNDO, {"reason": REASON}),
    "GET /v1/vocabulary": read(),
    "POST /v1/vocabulary": write(Action.OPERATE, {"policies": [{"name": "WALKED_BY"}], "dry_run": True}),
    "GET /v1/vocabulary/suggestions": read(),
    "POST /v1/vocabulary/suggestions": write(Action.OPERATE),
    "GET /v1/concepts": read(q="retries"),
    "GET /v1/concepts/{concept_id}": read(),
    "GET /v1/contradictions": read(),
    "POST /v1/contradictions/{contradiction_id}/decide": write(
        Action.CORRECT, {"choice": "neither", "saw": 0, "facts": [], "reason": REASON}
    ),
    "POST /v1/contradictions/suggestions": write(Action.DECIDE, {"limit": 1}),
    "GET /v1/search": read(q=NAME, section="facts"),
    "POST /v1/search": Entry(Action.READ, body={"query": NAME, "sections": ["facts", "chunks"]}),
    "GET /v1/entities": read(name=NAME),
    "GET /v1/entities/{entity_id}": read(),
    "GET /v1/profile": read(name=NAME),
    "GET /v1/graph/neighbourhood": read(entity=NAME),
    "GET /v1/graph/path": read(source=NAME, target="Harbour"),
    "GET /v1/graph/status": Entry(Action.OPERATE),
    "POST /v1/graph/verify": write(Action.OPERATE),
    "POST /v1/graph/rebuild": write(Action.OPERATE),
    "POST /v1/documents/{document_id}/erase": write(Action.ERASE, {"reason": REASON}),
    "POST /v1/sources/{source_id}/erase": write(Action.ERASE, {"reason": REASON}),
    "POST /v1/entities/{entity_id}/erase": write(Action.ERASE, {"reason": REASON, "documents": "black_out"}),
    "GET /v1/entities/{entity_id}/erasure-plan": Entry(Action.ERASE),
    "GET /v1/erasures": Entry(Action.ERASE),
    "GET /v1/erasures/{erasure_id}": Entry(Action.ERASE),
    "GET /v1/erasures/{erasure_id}/certificate": Entry(Action.ERASE),
    "GET /v1/legal-holds": Entry(Action.HOLD),
    "POST /v1/legal-holds": write(Action.HOLD, {"kind": "document", "target_id": Id("document"), "reason": REASON}),
    "POST /v1/legal-holds/{hold_id}/lift": write(Action.HOLD, {"reason": REASON}),
    "GET /v1/signing-keys": read(),
    "POST /v1/signing-keys": write(Action.ERASE),
    "POST /v1/triples": Entry(Action.SUBMIT, {"name": "walked"}, TRIPLE, lines=True),
    "GET /v1/audit": Entry(Action.AUDIT, unsteady=_WALK, echoes=True),
    "GET /v1/audit/export": Entry(Action.AUDIT, unsteady=_WALK, echoes=True),
    "GET /v1/audit/retention": Entry(Action.AUDIT),
    "PUT /v1/audit/retention": write(Action.KEEP_AUDIT, {"days": None}),
}
