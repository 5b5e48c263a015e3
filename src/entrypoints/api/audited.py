"""Every request that somebody signed in for has its line in the audit before it has an answer."""

from __future__ import annotations

from http import HTTPStatus

import msgspec
from litestar.enums import ScopeType
from litestar.types import ASGIApp, HTTPScope, Message, Receive, Scope, Send

from application.audit.recorder import NOT_AUTHENTICATED, Ended, Recorder
from application.audit.visit import visiting
from domain.audit.line import OK, AuditAction, Door
from domain.errors import AssayError
from entrypoints.api.problems import MEDIA_TYPE, PROBLEM, Problem, status_of

READS_BY_POST = frozenset({
    "/v1/search", "/v1/read-points", "/v1/packs", "/v1/snapshots/{snapshot_id}/verify",
    "/v1/graph/verify",
})  # fmt: skip
"""Routes that take their question as a body. What one of them writes all the same is told by the journal."""
EXPORTS = frozenset({
    "/v1/audit/export", "/v1/documents/{document_id}/original", "/v1/erasures/{erasure_id}/certificate",
})  # fmt: skip
"""Routes that hand out whole records."""
_READING = frozenset({"GET", "HEAD", "OPTIONS"})
_NOBODY = HTTPStatus.UNAUTHORIZED
_OUTCOMES = {401: NOT_AUTHENTICATED, 429: "rate_limited"}
"""Of answers that no handler made."""


class Audited:
    """Wraps the router. An answer whose line cannot be kept becomes a 503: nobody is told what nobody can look up.

    ``elsewhere`` are paths of another door, which keeps its own lines of whom it let in.
    """

    def __init__(self, app: ASGIApp, recorder: Recorder, elsewhere: tuple[str, ...] = ("/mcp",)) -> None:
        self._app = app
        self._recorder = recorder
        self._elsewhere = elsewhere

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer one request."""
        if scope["type"] != ScopeType.HTTP:
            await self._app(scope, receive, send)
            return
        refused, elsewhere = False, scope["path"].startswith(self._elsewhere)

        async def send_recorded(message: Message) -> None:
            nonlocal refused
            if message["type"] == "http.response.start" and not (elsewhere and message["status"] != _NOBODY):
                try:
                    door = Door.MCP if elsewhere else Door.API
                    await self._recorder(visit, _ended(door, scope, message["status"]))
                except AssayError as error:
                    refused = True
                    await _refuse(error, scope, send)
            if not refused:
                await send(message)

        with visiting() as visit:
            await self._app(scope, receive, send_recorded)


def action_of_route(method: str, route: str) -> AuditAction:
    """What a route is for."""
    if route in EXPORTS:
        return AuditAction.EXPORT
    return AuditAction.READ if method in _READING or route in READS_BY_POST else AuditAction.WRITE


def _ended(door: Door, scope: HTTPScope, status: int) -> Ended:
    route, state = str(scope.get("path_template") or "unmatched"), scope.get("state", {})
    outcome = OK if status < HTTPStatus.BAD_REQUEST else str(state.get(PROBLEM) or _OUTCOMES.get(status, "failed"))
    client = scope.get("client")
    return Ended(
        door,
        action_of_route(scope["method"], route),
        f"{scope['method']} {route}",
        outcome,
        scope.get("path_params") or {},
        state.get("request_id"),
        client[0] if client else None,
    )


async def _refuse(error: AssayError, scope: HTTPScope, send: Send) -> None:
    status = HTTPStatus(status_of(type(error)))
    problem = Problem(
        type=f"urn:assay:problem:{error.code}",
        title=status.phrase,
        status=status.value,
        detail=error.message,
        code=error.code,
        request_id=str(scope.get("state", {}).get("request_id", "")),
    )
    headers = [(b"content-type", MEDIA_TYPE.encode())]
    await send({"type": "http.response.start", "status": status.value, "headers": headers})
    await send({"type": "http.response.body", "body": msgspec.json.encode(problem), "more_body": False})
