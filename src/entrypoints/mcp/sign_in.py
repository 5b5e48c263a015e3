"""Who calls. The principal comes from the key of the process or of the request, never from an argument."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from datetime import datetime
from typing import Any, TypeAlias
from uuid import UUID

from mcp.server.mcpserver import Context
from starlette.requests import Request

from application.retrieval.system_time import revision_of
from domain.errors import InsufficientScope, NotAuthenticated
from domain.identity.access import Access
from domain.identity.ids import Revision
from domain.identity.permissions import Action, allows, require_grant
from domain.ports.token_verifier import Credential, TokenVerifier
from domain.quotas.rates import Cost
from domain.retrieval.reading import ReadPoint
from entrypoints.application import Application
from entrypoints.mcp.arguments import point
from entrypoints.mcp.profiles import Profile

CALLER = "assay.caller"
"""Where the gate leaves the caller in an ASGI scope."""


@dataclass(slots=True)
class Caller:
    """Who calls, and how much of what it may do is offered to it.

    ``paid`` is what the request was charged as already. ``lacking`` is noted where a grant is missing: the gate answers
    the request with it.
    """

    credential: Credential
    profile: Profile = Profile.CURATOR
    paid: Cost | None = None
    lacking: InsufficientScope | None = None

    def is_offered(self, action: Action) -> bool:
        """Whether what needs the action is in its lists."""
        return self.profile.offers(action) and allows(self.credential.principal, action)

    def require_grant(self, action: Action) -> None:
        """Raise InsufficientScope where the role would allow the action, but the grants do not."""
        principal = self.credential.principal
        if principal.role.at_least(action.role):
            require_grant(principal, action)


Call: TypeAlias = Context[Any, Any]
AnyRequest: TypeAlias = Request[Any] | None
CallerOf: TypeAlias = Callable[[AnyRequest], Awaitable[Caller]]


class SignIn:
    """From a call and the name of a scope to an access, and to what the record has reached."""

    def __init__(self, app: Application, caller_of: CallerOf) -> None:
        self._resolve = app.resolve_access
        self._operations = app.operations
        self._unit_of_work = app.unit_of_work
        self._read_points = app.retrieval.read_points
        self._snapshots = app.retrieval.snapshots
        self._caller_of = caller_of

    async def access(self, call: Call, scope: str | None = None) -> Access:
        """What the caller may touch in the scope. Raises NotAuthenticated, InvalidInput or NotFound."""
        caller = await self._caller_of(call.request_context.request)
        return await self._resolve(caller.credential, scope)

    async def point(
        self,
        access: Access,
        as_of: datetime | None,
        known_at: int | datetime | None,
        read_point: str | None = None,
        snapshot: UUID | None = None,
        *,
        history: bool = False,
    ) -> ReadPoint:
        """What a read is asked at: both times, pinned by a snapshot and held to a read point where they are named."""
        asked = point(as_of, await self.reached(access, known_at), history)
        asked = await self._snapshots.pinned(access, snapshot, asked)
        return await self.held(access, read_point, asked)

    async def reached(
        self, access: Access, known_at: int | datetime | None, field: str = "known_at"
    ) -> Revision | None:
        """The revision to read as of; None is the present. Raises InvalidInput for what is not there yet."""
        asked = Revision(known_at) if isinstance(known_at, int) else known_at
        return await revision_of(self._unit_of_work, self._operations, access, asked, field)

    async def held(self, access: Access, token: str | None, point: ReadPoint) -> ReadPoint:
        """The point within a read point, where there is one. Raises InvalidInput for what goes past it."""
        return await self._read_points.held(access, token, point)


def by_key(verifier: TokenVerifier, key: str, profile: Profile = Profile.CURATOR) -> CallerOf:
    """One key for the whole process, verified at each call: a revoked one stops working."""

    async def caller_of(_: AnyRequest) -> Caller:
        return Caller(await verifier.verify(key), profile)

    return caller_of


async def by_request(request: AnyRequest) -> Caller:
    """The caller whom the gate let pass with the HTTP request."""
    caller = request.scope.get(CALLER) if request is not None else None
    if not isinstance(caller, Caller):
        raise NotAuthenticated("no API key was sent; send 'Authorization: Bearer <key>'")
    return caller


def voided_by(point: ReadPoint) -> list[UUID] | None:
    """What a result says of the snapshot that was read by; None where there is none, or nothing."""
    return list(point.pins.voided_by) or None if point.pins is not None else None
