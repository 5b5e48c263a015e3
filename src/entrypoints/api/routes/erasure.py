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
from domain.erasure.targets import Target, TargetKind
from domain.identity.ids import Revision
from domain.ports.erasure import ErasureId, ErasureRow, HoldId, HoldRow
from entrypoints.api.paging import Cursor, CursorOf, Limit, Page
from entrypoints.api.sign_in import App, Caller

Why = Annotated[str, msgspec.Meta(min_length=1, max_length=2000)]


class ErasureWish(msgspec.Struct, forbid_unknown_fields=True):
    """Why; the certificate says it."""

    reason: Why


class HoldWish(msgspec.Struct, forbid_unknown_fields=True):
    """What must not be erased, and why."""

    kind: TargetKind
    target_id: UUID
    reason: Why


class LiftWish(msgspec.Struct, forbid_unknown_fields=True):
    """Why the hold ends."""

    reason: Why


class ErasureView(msgspec.Struct):
    """An erasure. The record let go at ``revision``; ``state`` is "done" when its certificate is there."""

    id: UUID
    kind: TargetKind
    target_id: UUID
    reason: str
    state: str
    removed: dict[str, int]
    revision: Revision | None
    requested_at: datetime
    finished_at: datetime | None

    @classmethod
    def of(cls, row: ErasureRow) -> ErasureView:
        """As it is shown."""
        return cls(
            row.id, row.target.kind, row.target.id, row.reason, row.state, dict(row.counts), row.revision,
            row.requested_at, row.finished_at,
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


@post("/entities/{entity_id:uuid}/erase", status_code=202, tags=["erasure"])
async def erase_entity(app: App, access: Caller, entity_id: FromPath[UUID], data: JSONBody[ErasureWish]) -> ErasureView:
    """Erase everything that is known about a person or a thing: facts on either side, and names. Texts stay."""
    return ErasureView.of(await app.erasure.erase(access, Target(TargetKind.ENTITY, entity_id), data.reason))


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
