"""Who calls. The principal comes from the key of the process or of the request, never from an argument."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from datetime import datetime
from typing import Any, TypeAlias
from uuid import UUID

from mcp.server.mcpserver import Context

from application.retrieval.system_time import revision_of
from domain.errors import NotAuthenticated
from domain.identity.access import Access
from domain.identity.ids import Revision
from domain.ports.token_verifier import Credential, TokenVerifier
from domain.retrieval.reading import ReadPoint
from entrypoints.application import Application
from entrypoints.mcp.arguments import point

Call: TypeAlias = Context[Any, Any]
CredentialOf: TypeAlias = Callable[[Call], Awaitable[Credential]]

CREDENTIAL = "assay.credential"
"""Where the gate leaves the verified credential in an ASGI scope."""


class SignIn:
    """From a call and the name of a scope to an access, and to what the record has reached."""

    def __init__(self, app: Application, credential_of: CredentialOf) -> None:
        self._resolve = app.resolve_access
        self._operations = app.operations
        self._unit_of_work = app.unit_of_work
        self._read_points = app.retrieval.read_points
        self._snapshots = app.retrieval.snapshots
        self._credential_of = credential_of

    async def access(self, call: Call, scope: str | None = None) -> Access:
        """What the caller may touch in the scope. Raises NotAuthenticated, InvalidInput or NotFound."""
        return await self._resolve(await self._credential_of(call), scope)

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


def by_key(verifier: TokenVerifier, key: str) -> CredentialOf:
    """One key for the whole process, verified at each call: a revoked one stops working."""

    async def credential_of(_: Call) -> Credential:
        return await verifier.verify(key)

    return credential_of


async def by_request(call: Call) -> Credential:
    """The credential that the gate verified for the HTTP request of the call."""
    request = call.request_context.request
    credential = request.scope.get(CREDENTIAL) if request is not None else None
    if not isinstance(credential, Credential):
        raise NotAuthenticated("no API key was sent; send 'Authorization: Bearer <key>'")
    return credential


def voided_by(point: ReadPoint) -> list[UUID] | None:
    """What a result says of the snapshot that was read by; None where there is none, or nothing."""
    return list(point.pins.voided_by) or None if point.pins is not None else None
