"""Erasing, certificates, and legal holds."""

from __future__ import annotations

from datetime import datetime
from typing import Annotated
from uuid import UUID

import msgspec
from litestar import Response, get, post
from litestar.params import FromPath, JSONBody, QueryParameter

from application.erasure import queries
from application.erasure.queries import SigningKey
from domain.erasure.canaries import MAX_SPELLINGS
from domain.erasure.naming import NamingChoice, NamingPlan, NamingWish
from domain.erasure.targets import Target, TargetKind
from domain.identity.ids import EntityId, Revision
from domain.ports.erasure import ErasureId, ErasureRow, HoldId, HoldRow
from entrypoints.api.paging import Cursor, CursorOf, Limit, Page
from entrypoints.api.sign_in import App, Caller

Why = Annotated[str, msgspec.Meta(min_length=1, max_length=2000)]


class ErasureWish(msgspec.Struct, forbid_unknown_fields=True):
    """Why; the certificate says it."""

    reason: Why


class EntityErasureWish(msgspec.Struct, forbid_unknown_fields=True):
    """Why, and what becomes of documents that name the entity: needed when there are any.

    "black_out" keeps every document, without the names. "erase_own" erases those about it alone and blacks out the
    names in the others. "erase" erases them all. ``also`` are further spellings of its names.
    """

    reason: Why
    documents: NamingChoice | None = None
    also: Annotated[list[str], msgspec.Meta(max_length=MAX_SPELLINGS)] = []


class NamingDocumentView(msgspec.Struct):
    """A document that names the entity; ``alone`` says that all that was drawn from it is about it. The title is empty
    when it lies in a scope that you do not read."""

    id: UUID
    title: str
    alone: bool


class NamingPlanView(msgspec.Struct):
    """What erasing everything about an entity would concern: names that mean it wherever they stand, names that others
    have, too, or that are very short, which go only where it is known to be meant, and documents that have them."""

    names: list[str]
    names_there: list[str]
    documents: list[NamingDocumentView]

    @classmethod
    def of(cls, plan: NamingPlan) -> NamingPlanView:
        """As it is shown."""
        there = [known.name for known in plan.names if not known.everywhere]
        documents = [NamingDocumentView(d.document_id, d.title, d.alone) for d in plan.documents]
        return cls(list(plan.everywhere), there, documents)


class HoldWish(msgspec.Struct, forbid_unknown_fields=True):
    """What must not be erased, and why."""

    kind: TargetKind
    target_id: UUID
    reason: Why


class LiftWish(msgspec.Struct, forbid_unknown_fields=True):
    """Why the hold ends."""

    reason: Why


class ErasureView(msgspec.Struct):
    """An erasure. The record let go at ``revision``; ``state`` is "done" when its certificate is there.

    ``restarts`` is how often its clean-up had to be started again.
    """

    id: UUID
    kind: TargetKind
    target_id: UUID
    reason: str
    state: str
    removed: dict[str, int]
    revision: Revision | None
    requested_at: datetime
    finished_at: datetime | None
    restarts: int

    @classmethod
    def of(cls, row: ErasureRow) -> ErasureView:
        """As it is shown."""
        return cls(
            row.id, row.target.kind, row.target.id, row.reason, row.state, dict(row.counts), row.revision,
            row.requested_at, row.finished_at, row.restarts,
        )  # fmt: skip


class HoldView(msgspec.Struct):
    """A legal hold; ``lifted_at`` is there when it has ended."""

    id: UUID
    kind: TargetKind
    target_id: UUID
    reason: str
    placed_at: datetime
    lifted_at: datetime | None
    lift_reason: str | None

    @classmethod
    def of(cls, row: HoldRow) -> HoldView:
        """As it is shown."""
        target = row.target
        return cls(row.id, target.kind, target.id, row.reason, row.placed_at, row.lifted_at, row.lift_reason)


class Holds(msgspec.Struct):
    """Holds, newest first."""

    items: list[HoldView]


class SigningKeys(msgspec.Struct):
    """Public keys, oldest first."""

    items: list[SigningKey]


@post("/documents/{document_id:uuid}/erase", status_code=202, tags=["erasure"])
async def erase_document(
    app: App, access: Caller, document_id: FromPath[UUID], data: JSONBody[ErasureWish]
) -> ErasureView:
    """Take a document out of the record for good, with everything that was drawn from it and nobody else says."""
    return ErasureView.of(await app.erasure.erase(access, Target(TargetKind.DOCUMENT, document_id), data.reason))


@post("/sources/{source_id:uuid}/erase", status_code=202, tags=["erasure"])
async def erase_source(app: App, access: Caller, source_id: FromPath[UUID], data: JSONBody[ErasureWish]) -> ErasureView:
    """Erase every document of a source, and destroy the key that its bytes are sealed with."""
    return ErasureView.of(await app.erasure.erase(access, Target(TargetKind.SOURCE, source_id), data.reason))


@get("/entities/{entity_id:uuid}/erasure-plan", tags=["erasure"])
async def erasure_plan(
    app: App,
    access: Caller,
    entity_id: FromPath[UUID],
    also: Annotated[list[str] | None, QueryParameter(description="Further spellings of its names.")] = None,
) -> NamingPlanView:
    """What erasing everything about a person or a thing would concern: its names, and the documents that have them."""
    return NamingPlanView.of(await app.erasure.plan(access, EntityId(entity_id), NamingWish(also=tuple(also or ()))))


@post("/entities/{entity_id:uuid}/erase", status_code=202, tags=["erasure"])
async def erase_entity(
    app: App, access: Caller, entity_id: FromPath[UUID], data: JSONBody[EntityErasureWish]
) -> ErasureView:
    """Erase everything about a person or a thing: facts on either side, names, documents or the names in them."""
    wish = NamingWish(data.documents, tuple(data.also))
    return ErasureView.of(await app.erasure.erase(access, Target(TargetKind.ENTITY, entity_id), data.reason, wish))


@get("/erasures", tags=["erasure"])
async def erasures(app: App, access: Caller, limit: Limit = 50, cursor: Cursor = None) -> Page[ErasureView]:
    """Erasures, newest first."""
    cursors = CursorOf("erasures", access.read_scopes)
    after = cursors.after_id(cursor)
    rows = await queries.erasures(app.unit_of_work, access, ErasureId(after) if after else None, limit + 1)
    return cursors.page([ErasureView.of(row) for row in rows], limit, lambda view: view.id)


@get("/erasures/{erasure_id:uuid}", tags=["erasure"])
async def erasure(app: App, access: Caller, erasure_id: FromPath[UUID]) -> ErasureView:
    """One erasure and how far it has come."""
    return ErasureView.of(await queries.erasure(app.unit_of_work, access, ErasureId(erasure_id)))


@get("/erasures/{erasure_id:uuid}/certificate", tags=["erasure"])
async def certificate(app: App, access: Caller, erasure_id: FromPath[UUID]) -> Response[bytes]:
    """The signed certificate, as a file; 409 while the clean-up is at work."""
    data = await queries.certificate(app.unit_of_work, access, ErasureId(erasure_id))
    return Response(data, media_type="application/json")


@get("/legal-holds", tags=["erasure"])
async def legal_holds(
    app: App,
    access: Caller,
    lifted: Annotated[bool, QueryParameter(description="Those that were lifted, too.")] = False,
) -> Holds:
    """What must not be erased."""
    return Holds([HoldView.of(row) for row in await queries.holds(app.unit_of_work, access, lifted)])


@post("/legal-holds", status_code=201, tags=["erasure"])
async def place_hold(app: App, access: Caller, data: JSONBody[HoldWish]) -> HoldView:
    """Forbid the erasure of a document, a source or an entity, and of what contains or mentions it."""
    return HoldView.of(await app.erasure.holds.place(access, Target(data.kind, data.target_id), data.reason))


@post("/legal-holds/{hold_id:uuid}/lift", status_code=200, tags=["erasure"])
async def lift_hold(app: App, access: Caller, hold_id: FromPath[UUID], data: JSONBody[LiftWish]) -> HoldView:
    """End a legal hold."""
    return HoldView.of(await app.erasure.holds.lift(access, HoldId(hold_id), data.reason))


@get("/signing-keys", tags=["erasure"])
async def signing_keys(app: App, access: Caller) -> SigningKeys:
    """The public keys by which anybody can verify the organization's certificates."""
    return SigningKeys(await queries.signing_keys(app.ports.keys, app.erasure.signer, access))


@post("/signing-keys", status_code=201, tags=["erasure"])
async def rotate_signing_key(app: App, access: Caller) -> SigningKeys:
    """Sign with a new key from now on; the others stay listed."""
    await queries.rotate_signing_key(app.ports.keys, access)
    return SigningKeys(await queries.signing_keys(app.ports.keys, app.erasure.signer, access))
