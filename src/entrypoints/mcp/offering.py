"""What is listed for a caller: the tools, resources and prompts of its profile that its role and grants cover."""

from __future__ import annotations

from typing import Any

from mcp.server.context import CallNext, HandlerResult, ServerRequestContext

from domain.errors import AssayError, InsufficientScope
from domain.identity.permissions import Action
from entrypoints.mcp.problems import as_protocol_error
from entrypoints.mcp.sign_in import Caller, CallerOf

_LISTS = {
    "tools/list": "tools",
    "resources/list": "resources",
    "resources/templates/list": "resourceTemplates",
    "prompts/list": "prompts",
}
_READING = frozenset({"resources/read", "prompts/get"})


class Offering:
    """A middleware: lists are cut to what the caller may use, and what needs a grant that it lacks is refused.

    ``tools`` are those of the server by name; what is not in it is offered to nobody. Resources and prompts read.
    """

    def __init__(self, caller_of: CallerOf) -> None:
        self.tools: dict[str, Action] = {}
        self._caller_of = caller_of

    async def __call__(self, ctx: ServerRequestContext[Any, Any], call_next: CallNext) -> HandlerResult:
        """Answer one message."""
        kind = _LISTS.get(ctx.method)
        if kind is None and ctx.method not in _READING:
            return await call_next(ctx)
        try:
            caller = await self._caller_of(ctx.request)
        except AssayError as error:
            raise as_protocol_error(error) from error
        if ctx.method in _READING:
            _require_reading(caller)
        result = await call_next(ctx)
        if kind is not None and isinstance(result, dict):
            result[kind] = [item for item in result[kind] if self._is_offered(kind, item, caller)]
        return result

    def _is_offered(self, kind: str, item: dict[str, Any], caller: Caller) -> bool:
        if kind != "tools":
            return caller.is_offered(Action.READ)
        action = self.tools.get(item["name"])
        return action is not None and caller.is_offered(action)


def _require_reading(caller: Caller) -> None:
    try:
        caller.require_grant(Action.READ)
    except InsufficientScope as error:
        caller.lacking = error
        raise as_protocol_error(error) from error
