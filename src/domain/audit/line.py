"""One line of the audit: who came, through which door, for what, and what became of it."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum
from uuid import UUID

from domain.errors import InvalidInput
from domain.identity.ids import GroupId, OrganizationId, PrincipalId, Revision

OK = "ok"
MOST_OBJECTS = 20
"""Ids that a line names."""
MOST_LINES = 1_000
"""Lines of one page."""
LEAST_DAYS, MOST_DAYS = 30, 36_500
"""For how long an organization may have its audit kept."""

ADMINISTRATION = frozenset({
    "add_principal", "break_glass", "create_organization", "create_personal", "create_project", "create_workspace",
    "disable_principal", "enable_principal", "follow_claims", "issue_key", "keep_audit", "leave",
    "provision_principal", "remove_membership", "revoke_key", "rotate_key", "set_membership", "set_monthly_limit",
    "set_quotas",
})  # fmt: skip
"""Kinds of mutations that change who may do what, or the rules of an organization."""


class Door(StrEnum):
    """Where somebody comes in."""

    API = "api"
    MCP = "mcp"
    CLI = "cli"
    WORKER = "worker"


class AuditAction(StrEnum):
    """What was done. ``ADMINISTER`` changed a role, a key, a principal or a rule; ``REFUSED`` was not allowed to."""

    READ = "read"
    WRITE = "write"
    EXPORT = "export"
    ADMINISTER = "administer"
    SIGN_IN = "sign_in"
    SIGN_IN_FAILED = "sign_in_failed"
    REFUSED = "refused"


@dataclass(frozen=True, slots=True)
class AuditLine:
    """``what`` is a route, a tool, a command or a job, never a text of the request; ``outcome`` is ok or a code.

    ``objects`` are ids that it named or wrote, at most 20; ``revision`` is the last that it made. ``address`` is the
    client's. ``principal_name`` is there when the line is read.
    """

    id: UUID
    organization_id: OrganizationId
    group_id: GroupId
    at: datetime
    principal_id: PrincipalId
    principal_kind: str
    connection_id: str
    door: Door
    action: AuditAction
    what: str
    outcome: str
    objects: tuple[UUID, ...] = ()
    revision: Revision | None = None
    request_id: str | None = None
    address: str | None = None
    principal_name: str | None = None


@dataclass(frozen=True, slots=True)
class AuditRead:
    """Lines of ``[since, until)`` that meet everything given, behind the line ``after``; the newest or oldest first."""

    since: datetime
    until: datetime
    principal: PrincipalId | None = None
    action: AuditAction | None = None
    outcome: str | None = None
    after: UUID | None = None
    limit: int = 100
    oldest_first: bool = False

    def __post_init__(self) -> None:
        if not 1 <= self.limit <= MOST_LINES:
            raise InvalidInput(f"limit is 1 to {MOST_LINES}, not {self.limit}", field="limit")
        if self.since > self.until:
            raise InvalidInput(
                f"since ({self.since.isoformat()}) is later than until ({self.until.isoformat()}); exchange them",
                field="since",
            )


def action_of(asked: AuditAction, kinds: Iterable[str], *, forbidden: bool) -> AuditAction:
    """What a request did, from what it was made for and the kinds of the mutations that it journalled."""
    if forbidden:
        return AuditAction.REFUSED
    written = set(kinds)
    if written & ADMINISTRATION:
        return AuditAction.ADMINISTER
    return AuditAction.WRITE if written and asked is AuditAction.READ else asked
