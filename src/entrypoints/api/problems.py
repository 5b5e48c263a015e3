"""Errors as problem+json (RFC 9457): one table from families to statuses, and what else can go wrong."""

from __future__ import annotations

import re
from collections.abc import Mapping
from http import HTTPStatus
from typing import Any

import msgspec
import structlog
from litestar import Request, Response
from litestar.exceptions import HTTPException, ValidationException
from litestar.types import ExceptionHandlersMap
from litestar.utils.scope.state import ScopeState

from domain.errors import (
    AssayError,
    Conflict,
    Forbidden,
    InvalidInput,
    LimitExceeded,
    NotAuthenticated,
    NotFound,
    Unavailable,
    shown,
)

MEDIA_TYPE = "application/problem+json"
STATUSES: dict[type[AssayError], int] = {
    InvalidInput: 422,
    NotAuthenticated: 401,
    Forbidden: 403,
    NotFound: 404,
    Conflict: 409,
    LimitExceeded: 429,
    Unavailable: 503,
}
_STEP = re.compile(r"\.?([^.\[\]]+)|\[(\d+|\.\.\.)\]")
_NAMED_FIELD = re.compile(r"(?:unknown|missing required) field `(?P<name>[^`]*)`")
_CODES = {
    400: "malformed_request",
    404: "not_found",
    405: "method_not_allowed",
    413: "limit_exceeded",
    422: "invalid_input",
}

log = structlog.get_logger(__name__)


class Problem(msgspec.Struct, omit_defaults=True):
    """What went wrong. ``code`` is stable; ``field`` and ``value`` name the input at fault."""

    type: str
    title: str
    status: int
    detail: str
    code: str
    request_id: str
    retryable: bool = False
    field: str | None = None
    value: str | None = None
    errors: list[dict[str, str]] = []


def status_of(error: type[AssayError]) -> int:
    """The status of an error's family. Raises KeyError for one outside every family."""
    for family in error.__mro__:
        if family in STATUSES:
            return STATUSES[family]
    raise KeyError(error.__name__)


def _answer(
    request: Request[Any, Any, Any],
    status: int,
    code: str,
    detail: str,
    *,
    retryable: bool = False,
    field: str | None = None,
    value: str | None = None,
    errors: list[dict[str, str]] | None = None,
    headers: Mapping[str, str] | None = None,
) -> Response[Problem]:
    problem = Problem(
        type=f"urn:assay:problem:{code}",
        title=HTTPStatus(status).phrase,
        status=status,
        detail=detail,
        code=code,
        request_id=str(request.scope.get("state", {}).get("request_id", "")),
        retryable=retryable,
        field=field,
        value=value,
        errors=errors or [],
    )
    extra = dict(headers or {})
    if status == 401:
        extra["WWW-Authenticate"] = 'Bearer realm="assay"'
    if retryable:
        extra.setdefault("Retry-After", "1")
    return Response(problem, status_code=status, media_type=MEDIA_TYPE, headers=extra)


def on_assay_error(request: Request[Any, Any, Any], error: AssayError) -> Response[Problem]:
    """Everything that Assay refuses on purpose."""
    return _answer(
        request, status_of(type(error)), error.code, error.message, retryable=error.retryable, field=error.field
    )


def on_validation(request: Request[Any, Any, Any], error: ValidationException) -> Response[Problem]:
    """A parameter or body of another shape than documented: each with its field, value and remedy."""
    body = _parsed(request)
    errors = [_explained(item, body, request) for item in error.extra or () if isinstance(item, dict)]
    first = errors[0] if errors else {"detail": error.detail, "field": "", "value": ""}
    return _answer(
        request,
        422,
        "invalid_input",
        first["detail"],
        field=first["field"] or None,
        value=first["value"] or None,
        errors=errors[1:],
    )


def _parsed(request: Request[Any, Any, Any]) -> object:
    """The body as it was read before it was refused, to show what was wrong with it."""
    body = ScopeState.from_scope(request.scope).body
    if not isinstance(body, bytes):
        return None
    try:
        return msgspec.json.decode(body)
    except msgspec.DecodeError:
        return None


def _explained(item: dict[str, Any], body: object, request: Request[Any, Any, Any]) -> dict[str, str]:
    words, place = str(item.get("message", "")), str(item.get("key", ""))
    if item.get("source") == "body":
        place = "" if place == "data" else place
        if named := _NAMED_FIELD.search(words):
            place = f"{place}.{named['name']}".lstrip(".")
        given = _value_at(body, place)
    else:
        given = request.query_params.get(place, request.path_params.get(place))
    field = place or "body"
    remedy = "remove it" if "unknown field" in words else "correct it; /v1/openapi.json says what is expected"
    detail = f"{field}: {words[:1].lower()}{words[1:]}; {remedy}"
    return {"field": field, "value": "" if given is None else shown(given), "detail": detail}


def _value_at(body: object, path: str) -> object:
    found = body
    for name, index in _STEP.findall(path):
        if isinstance(found, dict):
            found = found.get(name or index)
        elif isinstance(found, list) and index.isdigit() and int(index) < len(found):
            found = found[int(index)]
        else:
            return None
    return found


def on_http_exception(request: Request[Any, Any, Any], error: HTTPException) -> Response[Problem]:
    """What the framework refuses: unknown routes, wrong methods, malformed JSON, bodies that are too large."""
    status = error.status_code
    detail = {
        400: "the request cannot be read; send well-formed JSON with its Content-Type",
        404: f"there is no route {shown(request.url.path)}; the routes are listed in /v1/openapi.json",
        405: f"{request.method} is not allowed here; the routes are listed in /v1/openapi.json",
        413: "the request is larger than allowed here; send less, or in parts",
    }.get(status, error.detail)
    if status >= 500:
        return on_anything(request, error)
    return _answer(request, status, _CODES.get(status, "refused"), detail, headers=error.headers)


def on_anything(request: Request[Any, Any, Any], error: Exception) -> Response[Problem]:
    """What nobody expected: the cause goes into the log under the request id, and nowhere else."""
    log.error("unexpected", exc_info=error)
    return _answer(request, 500, "internal_error", "something unexpected went wrong; tell the operator the request id")


def handlers() -> ExceptionHandlersMap:
    """For the application."""
    return {
        AssayError: on_assay_error,
        ValidationException: on_validation,
        HTTPException: on_http_exception,
        Exception: on_anything,
    }
