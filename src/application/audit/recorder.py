"""What a door says when a request ends, as lines of the audit."""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from datetime import timedelta
from typing import TypeAlias

import structlog

from application.audit.trail import AuditTrail
from application.audit.visit import Visit
from domain.audit.line import MOST_OBJECTS, OK, AuditAction, AuditLine, Door, action_of
from domain.identity.ids import GroupId
from domain.identity.principal import Principal
from domain.identity.scope_name import ScopeKind, kind_of
from domain.ports.clock import Clock
from domain.ports.ids import Ids

_Window: TypeAlias = tuple[str, str]

NOT_AUTHENTICATED = "not_authenticated"
_FORBIDDEN = frozenset({"forbidden", "insufficient_scope"})
_FAILURES_SECONDS = 60.0
_CAPACITY = 10_000
_NOT_REACHED = frozenset({"rate_limited"})

log = structlog.get_logger(__name__)


@dataclass(frozen=True, slots=True)
class Ended:
    """A request that ended: where, what it was made for, its route, tool or command, and what became of it.

    ``named`` are values of its path or arguments, of which the ids are kept.
    """

    door: Door
    asked: AuditAction
    what: str
    outcome: str = OK
    named: Mapping[str, object] = field(default_factory=dict)
    request_id: str | None = None
    address: str | None = None


class Recorder:
    """Enters who did what, at every door alike.

    - A write that went through, a change of roles and keys, and an export are committed before the answer; reads, and
      what was refused, go in batches.
    - The first use of a key or token in a window is a sign-in. The command line has none: each command is its own.
    - A revoked or expired key is a failed sign-in of its organization, once a minute and process; an unknown one
      belongs to nobody and goes to the operator's log.
    - What a limit on the rate stopped reached nothing, and has no line.
    """

    def __init__(
        self,
        trail: AuditTrail,
        ids: Ids,
        clock: Clock,
        *,
        window: timedelta = timedelta(hours=1),
        reads: bool = True,
        now: Callable[[], float] = time.monotonic,
    ) -> None:
        self._trail = trail
        self._ids = ids
        self._clock = clock
        self._window = window.total_seconds()
        self._reads = reads
        self._now = now
        self._seen: dict[_Window, float] = {}

    async def __call__(self, visit: Visit, ended: Ended) -> None:
        """Enter what is to be said of a request. Raises AuditUnavailable when a line cannot be kept."""
        principal, group = _who(visit)
        if principal is None or group is None:
            await self._failed(visit, ended)
            return
        if ended.outcome in _NOT_REACHED:
            return
        by_session = visit.signed_in and ended.door is not Door.CLI
        if by_session and self._first(principal.connection_id, ended.door, self._window):
            await self._trail.note(self._sign_in(principal, group, ended))
        visit.name(ended.named)
        line = self._line(principal, group, visit, ended)
        if visit.kinds or (line.outcome == OK and line.action in (AuditAction.WRITE, AuditAction.EXPORT)):
            await self._trail.enter(line)
        elif self._reads or line.action is not AuditAction.READ:
            await self._trail.note(line)

    async def _failed(self, visit: Visit, ended: Ended) -> None:
        if ended.outcome != NOT_AUTHENTICATED:
            return
        if visit.refused is None:
            log.warning("sign_in_failed", door=ended.door.value, what=ended.what, address=ended.address)
            return
        principal, group = visit.refused.principal, visit.refused.reach
        if self._first(principal.connection_id, f"failed {ended.door}", _FAILURES_SECONDS):
            line = self._line(principal, group, Visit(), ended)
            await self._trail.note(replace(line, action=AuditAction.SIGN_IN_FAILED))

    def _sign_in(self, principal: Principal, group: GroupId, ended: Ended) -> AuditLine:
        line = self._line(principal, group, Visit(), ended)
        return replace(line, action=AuditAction.SIGN_IN, outcome=OK)

    def _line(self, principal: Principal, group: GroupId, visit: Visit, ended: Ended) -> AuditLine:
        return AuditLine(
            id=self._ids.new(),
            organization_id=principal.organization_id,
            group_id=group,
            at=self._clock.now(),
            principal_id=principal.id,
            principal_kind=principal.kind.value,
            connection_id=principal.connection_id,
            door=ended.door,
            action=action_of(ended.asked, visit.kinds, forbidden=ended.outcome in _FORBIDDEN),
            what=ended.what,
            outcome=ended.outcome,
            objects=tuple(visit.objects)[:MOST_OBJECTS],
            revision=visit.revision,
            request_id=ended.request_id,
            address=ended.address,
        )

    def _first(self, connection: str, door: str, seconds: float) -> bool:
        """Whether nothing was seen of the connection at the door for so long."""
        key, now = (connection, door), self._now()
        if self._seen.get(key, 0.0) > now:
            return False
        if len(self._seen) >= _CAPACITY:
            self._seen.clear()
        self._seen[key] = now + seconds
        return True


def _who(visit: Visit) -> tuple[Principal | None, GroupId | None]:
    """Work in a personal scope is entered in the organization's: a personal one has no administrator who could look."""
    if visit.access is not None:
        access = visit.access
        personal = kind_of(access.write_scope) is ScopeKind.PERSONAL
        return access.principal, access.read_scopes[-1] if personal else access.write_scope
    if visit.credential is not None:
        return visit.credential.principal, visit.credential.reach
    return None, None
