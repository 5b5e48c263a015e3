"""Snapshots: revisions of the record by which every read gives the same later."""

from __future__ import annotations

from datetime import datetime
from typing import Annotated
from uuid import UUID

import msgspec
from litestar import get, post
from litestar.params import FromPath, JSONBody

from application.retrieval.snapshots import SnapshotWish
from domain.identity.ids import Revision
from domain.retrieval.pinning import SnapshotId
from domain.retrieval.snapshot import MAX_NAME, MAX_REASON
from entrypoints.api.paging import LAST_NUMBER, Cursor, CursorOf, Limit, Page
from entrypoints.api.sign_in import App, Caller
from entrypoints.views.snapshots import SnapshotView


class NewSnapshot(msgspec.Struct, forbid_unknown_fields=True):
    """Of the present when ``known_at``, a revision or a time, is left out; reads by it ask about ``as_of``."""

    known_at: Annotated[int, msgspec.Meta(ge=0, le=LAST_NUMBER)] | datetime | None = None
    as_of: datetime | None = None
    name: Annotated[str, msgspec.Meta(min_length=1, max_length=MAX_NAME)] | None = None
    reason: Annotated[str, msgspec.Meta(min_length=1, max_length=MAX_REASON)] | None = None


@post("/snapshots", status_code=201, tags=["snapshots"])
async def make_snapshot(app: App, access: Caller, data: JSONBody[NewSnapshot]) -> SnapshotView:
    """Keep a snapshot of the scope. Send its id as `snapshot` with a search, a read of facts, entities, profiles or the
    graph, or a pack: the answer stays the same to the letter, but for what is erased."""
    known_at = Revision(data.known_at) if isinstance(data.known_at, int) else data.known_at
    wish = SnapshotWish(known_at, data.as_of, data.name, data.reason)
    return SnapshotView.of(await app.retrieval.snapshots.make(access, wish))


@get("/snapshots", tags=["snapshots"])
async def snapshots(app: App, access: Caller, limit: Limit = 50, cursor: Cursor = None) -> Page[SnapshotView]:
    """Snapshots of the scope and those around it, newest first."""
    cursors = CursorOf("snapshots", access.read_scopes)
    after = cursors.after_id(cursor)
    rows = await app.retrieval.snapshots.listed(access, SnapshotId(after) if after else None, limit + 1)
    return cursors.page([SnapshotView.of(row) for row in rows], limit, lambda view: view.id)


@get("/snapshots/{snapshot_id:uuid}", tags=["snapshots"])
async def snapshot(app: App, access: Caller, snapshot_id: FromPath[UUID]) -> SnapshotView:
    """One snapshot with all that it pins."""
    return SnapshotView.of(await app.retrieval.snapshots.shown(access, snapshot_id))


@post("/snapshots/{snapshot_id:uuid}/verify", status_code=200, tags=["snapshots"])
async def verify_snapshot(app: App, access: Caller, snapshot_id: FromPath[UUID]) -> SnapshotView:
    """Read everything that the snapshot holds again and compare its digest. 409 when it differs: reads by the snapshot
    are refused from then on."""
    return SnapshotView.of(await app.retrieval.snapshots.verify(access, snapshot_id))
