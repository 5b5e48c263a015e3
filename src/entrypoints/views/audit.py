"""The audit as it is shown."""

from __future__ import annotations

from datetime import datetime
from uuid import UUID

import msgspec

from domain.audit.line import AuditAction, AuditLine, Door
from domain.identity.scope_name import ScopeKind, kind_of


class AuditLineView(msgspec.Struct):
    """Who did what, when, from where, and what became of it.

    ``what`` is a route, a tool, a command or a job; ``outcome`` is ok or an error's code. ``objects`` are ids that were
    named or written, at most 20; ``revision`` is the last that was made. ``connection_id`` is a key, token or session.
    """

    id: UUID
    at: datetime
    scope: ScopeKind
    principal_id: UUID
    principal_kind: str
    principal_name: str | None
    connection_id: str
    door: Door
    action: AuditAction
    what: str
    outcome: str
    objects: tuple[UUID, ...]
    revision: int | None
    request_id: str | None
    address: str | None

    @classmethod
    def of(cls, line: AuditLine) -> AuditLineView:
        """As it is shown."""
        return cls(
            line.id, line.at, kind_of(line.group_id), line.principal_id, line.principal_kind, line.principal_name,
            line.connection_id, line.door, line.action, line.what, line.outcome, line.objects, line.revision,
            line.request_id, line.address,
        )  # fmt: skip
