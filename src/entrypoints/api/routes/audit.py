"""The audit: who read, wrote, exported, signed in, was refused, or changed who may do what."""

from __future__ import annotations

from collections.abc import AsyncIterator
from datetime import datetime
from typing import Annotated, TypeAlias
from uuid import UUID

import msgspec
from litestar import get, put
from litestar.params import JSONBody, QueryParameter
from litestar.response import Stream

from application.audit.queries import AuditFilter, AuditKept, audit_kept, audit_lines, every_audit_line, keep_audit
from domain.audit.line import LEAST_DAYS, MOST_DAYS, AuditAction
from domain.identity.access import Access
from entrypoints.api.paging import Cursor, CursorOf, Limit, Page
from entrypoints.api.sign_in import App, Caller
from entrypoints.application import Application
from entrypoints.views.audit import AuditLineView

By: TypeAlias = Annotated[UUID | None, QueryParameter(description="What this principal did.")]
Did: TypeAlias = Annotated[AuditAction | None, QueryParameter(description="Lines of this kind.")]
Ending: TypeAlias = Annotated[
    str | None, QueryParameter(max_length=100, description="How it ended: ok, or the code of a refusal.")
]
Since: TypeAlias = Annotated[datetime | None, QueryParameter(description="From this time on.")]
Until: TypeAlias = Annotated[datetime | None, QueryParameter(description="Before this time.")]


class KeepWish(msgspec.Struct, forbid_unknown_fields=True):
    """For how many days lines are kept; null leaves it to the installation."""

    days: Annotated[int, msgspec.Meta(ge=LEAST_DAYS, le=MOST_DAYS)] | None


@get("/audit", tags=["audit"])
async def audit(
    app: App,
    wide_access: Caller,
    principal: By = None,
    action: Did = None,
    outcome: Ending = None,
    since: Since = None,
    until: Until = None,
    limit: Limit = 100,
    cursor: Cursor = None,
) -> Page[AuditLineView]:
    """Lines of the scope and everything inside it, the newest first. For its administrators; this read has a line, too.

    Lines of the last second may be missing.
    """
    asked = AuditFilter(principal, action, outcome, since, until)
    cursors = CursorOf("audit", wide_access.write_scope, asked)
    read = asked.read(after=cursors.after_id(cursor), limit=limit + 1)
    found = await audit_lines(app.unit_of_work, wide_access, read)
    return cursors.page([AuditLineView.of(line) for line in found], limit, lambda line: line.id)


@get("/audit/export", media_type="application/x-ndjson", tags=["audit"])
async def export_audit(
    app: App,
    wide_access: Caller,
    principal: By = None,
    action: Did = None,
    outcome: Ending = None,
    since: Since = None,
    until: Until = None,
) -> Stream:
    """The same as JSON lines, the oldest first, all of them."""
    asked = AuditFilter(principal, action, outcome, since, until)
    # What is wrong with the request is said before the first line.
    await audit_lines(app.unit_of_work, wide_access, asked.read(limit=1))
    headers = {"Content-Disposition": 'attachment; filename="audit.ndjson"'}
    return Stream(_lines(app, wide_access, asked), media_type="application/x-ndjson", headers=headers)


@get("/audit/retention", tags=["audit"])
async def audit_retention(app: App, access: Caller) -> AuditKept:
    """For how many days lines are kept: the organization's own number, and the one in force."""
    return await audit_kept(app.unit_of_work, access, app.settings.audit.days)


@put("/audit/retention", tags=["audit"])
async def set_audit_retention(app: App, access: Caller, data: JSONBody[KeepWish]) -> AuditKept:
    """Set for how many days the organization's lines are kept. For its owners; older lines go within minutes."""
    await keep_audit(app.unit_of_work, access, data.days)
    return await audit_kept(app.unit_of_work, access, app.settings.audit.days)


async def _lines(app: Application, access: Access, asked: AuditFilter) -> AsyncIterator[bytes]:
    async for line in every_audit_line(app.unit_of_work, access, asked):
        yield msgspec.json.encode(AuditLineView.of(line)) + b"\n"
