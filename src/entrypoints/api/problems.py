"""Errors as problem+json (RFC 9457): one table from families to statuses, and what else can go wrong."""

from __future__ import annotations

import math
from collections.abc import Mapping
from http import HTTPStatus
from typing import Any

import msgspec
import structlog
from litestar import Request, Response
from litestar.exceptions import HTTPException, ValidationException
from litestar.types import ExceptionHandlersMap

from domain.errors import (
    AssayError,
    Conflict,
    Forbidden,
    InsufficientScope,
    InvalidInput,
    LimitExceeded,
    NotAuthenticated,
    NotFound,
    RateLimited,
    Unavailable,
)
from domain.identity.grants import Grant
from domain.ports.token_verifier import Credential, Resource
from entrypoints.api import refusals
from entrypoints.protected_resources import base_address, challenge

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

PROBLEM = "problem"
"""Where a request's state has the code of what it was refused for."""
CLIENT_LEFT = "client_left"
"""Set in a request's state once the client has closed the connection."""

log = structlog.get_logger(__name__)


class Problem(msgspec.Struct, omit_defaults=True):
    """What went wrong. ``code`` is stable; ``field`` and ``value`` name the input at fault, ``limit`` a rate limit."""

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
    limit: str | None = None


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
    limit: str | None = None,
    lacking: str | None = None,
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
        limit=limit,
    )
    request.scope.setdefault("state", {})[PROBLEM] = code
    extra = dict(headers or {})
    if status == 401 or lacking:
        extra["WWW-Authenticate"] = _challenge(request, lacking)
    if retryable:
        extra.setdefault("Retry-After", "1")
    return Response(problem, status_code=status, media_type=MEDIA_TYPE, headers=extra)


def _challenge(request: Request[Any, Any, Any], lacking: str | None) -> str:
    """What to get a token for; what the token has already is asked for again, or it would be lost."""
    base = base_address(request.app.state.application.settings.api, request.url.scheme, request.headers.get("host", ""))
    if lacking is None:
        return challenge(base, Resource.API, "invalid_token" if "authorization" in request.headers else None)
    credential: Credential = request.scope["state"]["credential"]
    return challenge(base, Resource.API, "insufficient_scope", {*(credential.principal.grants or ()), Grant(lacking)})


def on_assay_error(request: Request[Any, Any, Any], error: AssayError) -> Response[Problem]:
    """Everything that Assay refuses on purpose."""
    headers = None
    if isinstance(error, RateLimited):
        request.app.state.metrics.limited(error.limit)
        headers = {"Retry-After": str(max(1, math.ceil(error.retry_after)))}
    return _answer(
        request,
        status_of(type(error)),
        error.code,
        error.message,
        retryable=error.retryable,
        field=error.field,
        headers=headers,
        limit=error.limit if isinstance(error, RateLimited) else None,
        lacking=error.scope if isinstance(error, InsufficientScope) else None,
    )


def on_validation(request: Request[Any, Any, Any], error: ValidationException) -> Response[Problem]:
    """A parameter or body of another shape than documented: each with its field, value and remedy."""
    return _refused(request, refusals.wrong_values(request, error))


def on_http_exception(request: Request[Any, Any, Any], error: HTTPException) -> Response[Problem]:
    """What the framework refuses: unknown routes, wrong methods, malformed bodies, bodies that are too large."""
    match error.status_code:
        case 400:
            refusal = refusals.unreadable(request)
        case 404:
            refusal = refusals.unknown_route(request)
        case 405:
            detail = f"{request.method} is not allowed here; the routes are listed in /v1/openapi.json"
            refusal = refusals.Refusal(405, "method_not_allowed", detail)
        case 413:
            refusal = refusals.too_large(request)
        case status if status >= 500:
            if request.scope.get("state", {}).get(CLIENT_LEFT):
                return _left(request)
            return on_anything(request, error)
        case _:
            refusal = refusals.otherwise(error)
    return _refused(request, refusal, error.headers)


def _left(request: Request[Any, Any, Any]) -> Response[Problem]:
    """The client closed the connection in the middle of its body: nobody reads the answer, and nothing is wrong."""
    log.info("the client left before its request was whole")
    return _answer(request, 400, "malformed_request", "the connection ended before the body did; send it whole")


def _refused(
    request: Request[Any, Any, Any], refusal: refusals.Refusal, headers: Mapping[str, str] | None = None
) -> Response[Problem]:
    return _answer(
        request,
        refusal.status,
        refusal.code,
        refusal.detail,
        field=refusal.field,
        value=refusal.value,
        errors=list(refusal.errors),
        headers=headers,
    )


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
