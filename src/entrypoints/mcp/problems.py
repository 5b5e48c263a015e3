"""Errors as tool results: the code, field and message that the REST API gives, and what an agent should do next."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import structlog
from mcp.shared.exceptions import MCPError
from mcp_types import INTERNAL_ERROR, INVALID_PARAMS, CallToolResult, TextContent
from pydantic import BaseModel, ValidationError

from domain.errors import (
    AssayError,
    Conflict,
    Forbidden,
    InsufficientScope,
    InvalidInput,
    LimitExceeded,
    NotAuthenticated,
    NotFound,
    Unavailable,
    shown,
)

NEXT_STEPS: dict[type[AssayError], str] = {
    InvalidInput: "Correct the named argument and call again.",
    NotAuthenticated: "Tell the person that the API key is missing, wrong, expired or revoked; do not call again.",
    Forbidden: "Tell the person which role is missing; do not call again with the same key.",
    InsufficientScope: "Ask the person for a token with that scope; do not call again with the same one.",
    NotFound: "Check the id or name with a search; what lies outside your scopes reads as missing.",
    Conflict: "Read the present state, then decide anew.",
    LimitExceeded: "Ask for less, or wait before you call again.",
    Unavailable: "If it is retryable, call again later; otherwise tell the person.",
}

UNEXPECTED = "internal_error"
_BRANCHES = frozenset({"constrained-int", "int", "datetime"})
"""What pydantic adds to the name of an argument that takes a revision or a time."""

log = structlog.get_logger(__name__)


class WrongArgument(BaseModel):
    """One argument that is refused."""

    field: str
    detail: str
    value: str | None = None


class ToolProblem(BaseModel):
    """What went wrong. ``code`` is stable; ``field`` and ``value`` name the argument at fault."""

    type: str
    code: str
    detail: str
    retryable: bool = False
    field: str | None = None
    value: str | None = None
    errors: list[WrongArgument] = []
    next_step: str


def next_step_of(error: type[AssayError]) -> str:
    """The advice for an error's family. Raises KeyError for one outside every family."""
    for family in error.__mro__:
        if family in NEXT_STEPS:
            return NEXT_STEPS[family]
    raise KeyError(error.__name__)


def problem_of(error: AssayError) -> ToolProblem:
    """Everything that Assay refuses on purpose."""
    return ToolProblem(
        type=_type(error.code),
        code=error.code,
        detail=error.message,
        retryable=error.retryable,
        field=error.field,
        next_step=next_step_of(type(error)),
    )


def problem_of_arguments(error: ValidationError) -> ToolProblem:
    """Arguments of another shape than the tool's schema says: each by name, with its value."""
    wrong = [_wrong(item) for item in error.errors(include_url=False, include_context=False)]
    first = wrong[0]
    return ToolProblem(
        type=_type(InvalidInput.code),
        code=InvalidInput.code,
        detail=first.detail,
        field=first.field,
        value=first.value,
        errors=wrong[1:],
        next_step=NEXT_STEPS[InvalidInput],
    )


def unexpected(error: BaseException) -> ToolProblem:
    """What nobody expected: the cause goes into the log, and nowhere else."""
    log.error("unexpected", exc_info=error)
    return ToolProblem(
        type=_type(UNEXPECTED),
        code=UNEXPECTED,
        detail="something unexpected went wrong; tell the operator the time of the call",
        next_step="Tell the person; do not call again with the same arguments.",
    )


def refusal(problem: ToolProblem) -> CallToolResult:
    """The problem as a tool's result: structured, and the same as text."""
    content = problem.model_dump(exclude_none=True)
    text = TextContent(type="text", text=problem.model_dump_json(exclude_none=True))
    return CallToolResult(content=[text], structured_content=content, is_error=True)


def as_protocol_error(error: AssayError, **context: str) -> MCPError:
    """The problem where no tool is called: resources, prompts and lists."""
    code = INVALID_PARAMS if isinstance(error, InvalidInput | NotFound) else INTERNAL_ERROR
    data = problem_of(error).model_dump(exclude_none=True) | context
    return MCPError(code=code, message=error.message, data=data)


def _wrong(item: Mapping[str, Any]) -> WrongArgument:
    field = ".".join(str(part) for part in item["loc"] if part not in _BRANCHES) or "arguments"
    words = str(item["msg"])
    missing = item["type"] == "missing"
    remedy = "add it" if missing else "correct it; the tool's schema says what is expected"
    detail = f"{field}: {words[:1].lower()}{words[1:]}; {remedy}"
    return WrongArgument(field=field, detail=detail, value=None if missing else shown(item["input"]))


def _type(code: str) -> str:
    return f"urn:assay:problem:{code}"
