"""Every tool that is called, and every resource that is read, has its line in the audit before it has an answer."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any
from urllib.parse import urlsplit

from mcp.server.context import CallNext, HandlerResult, ServerRequestContext
from mcp.shared.exceptions import MCPError
from starlette.requests import Request

from application.audit.recorder import Ended, Recorder
from application.audit.visit import Visit, note_credential, visiting
from domain.audit.line import OK, AuditAction, Door
from domain.errors import AssayError
from domain.identity.permissions import Action
from entrypoints.mcp.problems import as_protocol_error, problem_of, refusal
from entrypoints.mcp.sign_in import CallerOf

_TOOL, _RESOURCE = "tools/call", "resources/read"
_RESOURCES = frozenset({"assay://fact", "assay://document"})
_UNKNOWN = "unknown"
_FAILED = "failed"


@dataclass(frozen=True, slots=True)
class _Asked:
    """What a message asks for, in words of ours, and the values in it that may be ids."""

    what: str
    action: AuditAction
    named: Mapping[str, object]


class AuditedMessages:
    """A middleware, around all others. ``actions`` are those of the server's tools by name; any but reading writes."""

    def __init__(self, recorder: Recorder, caller_of: CallerOf, actions: Mapping[str, Action]) -> None:
        self._recorder = recorder
        self._caller_of = caller_of
        self._actions = actions

    async def __call__(self, ctx: ServerRequestContext[Any, Any], call_next: CallNext) -> HandlerResult:
        """Answer one message."""
        asked = self._asked(ctx.method, ctx.params or {})
        if asked is None:
            return await call_next(ctx)
        with visiting() as visit:
            try:
                result = await call_next(ctx)
            except MCPError as error:
                await self._enter(visit, ctx.request, asked, _code_in(error.error.data))
                raise
            try:
                await self._enter(visit, ctx.request, asked, _outcome(result))
            except AssayError as error:
                if asked.action is AuditAction.READ and ctx.method == _RESOURCE:
                    raise as_protocol_error(error) from error
                return refusal(problem_of(error))
        return result

    def _asked(self, method: str, parameters: Mapping[str, Any]) -> _Asked | None:
        if method == _TOOL:
            action = self._actions.get(str(parameters.get("name")))
            named = parameters.get("arguments")
            return _Asked(
                str(parameters["name"]) if action else _UNKNOWN,
                AuditAction.READ if action in (None, Action.READ) else AuditAction.WRITE,
                named if isinstance(named, Mapping) else {},
            )
        if method == _RESOURCE:
            parts = urlsplit(str(parameters.get("uri")))
            kind = f"{parts.scheme}://{parts.netloc}"
            what = f"resource {kind if kind in _RESOURCES else _UNKNOWN}"
            return _Asked(what, AuditAction.READ, {"id": parts.path.strip("/")})
        return None

    async def _enter(self, visit: Visit, request: Request[Any] | None, asked: _Asked, outcome: str) -> None:
        if visit.access is None:
            # What was refused before its scope was looked for.
            try:
                note_credential((await self._caller_of(request)).credential)
            except AssayError:
                return
        request_id = request.scope.get("state", {}).get("request_id") if request else None
        address = request.client.host if request and request.client else None
        await self._recorder(
            visit, Ended(Door.MCP, asked.action, asked.what, outcome, asked.named, request_id, address)
        )


def _outcome(result: HandlerResult) -> str:
    """OK, or the code in a tool's refusal."""
    if not isinstance(result, Mapping) or not result.get("isError"):
        return OK
    return _code_in(result.get("structuredContent"))


def _code_in(data: object) -> str:
    return str(data["code"]) if isinstance(data, Mapping) and "code" in data else _FAILED
