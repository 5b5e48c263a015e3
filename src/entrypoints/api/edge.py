"""What surrounds every request, found or not: id, Host check, log line, metrics, span."""

from __future__ import annotations

import re
import time
from collections.abc import Sequence
from http import HTTPStatus
from uuid import uuid4

import msgspec
import structlog
from litestar.enums import ScopeType
from litestar.types import (
    ASGIApp,
    HTTPReceiveMessage,
    HTTPScope,
    Message,
    Receive,
    Scope,
    Send,
    WebSocketReceiveMessage,
)  # fmt: skip
from opentelemetry import trace
from opentelemetry.propagate import extract

from domain.errors import shown
from entrypoints.api.limits import release
from entrypoints.api.problems import CLIENT_LEFT, MEDIA_TYPE, Problem
from entrypoints.telemetry import Metrics

_REQUEST_ID = re.compile(r"[A-Za-z0-9_.-]{1,64}\Z")
_QUIET = frozenset({"/health", "/readiness", "/metrics"})
_tracer = trace.get_tracer("assay.api")
log = structlog.get_logger(__name__)


class Edge:
    """Wraps the whole application, so that answers of the router have the same as those of handlers."""

    def __init__(self, app: ASGIApp, allowed_hosts: Sequence[str], metrics: Metrics, head_bytes: int = 65_536) -> None:
        self._app = app
        self._hosts = frozenset(host.lower() for host in allowed_hosts)
        self._metrics = metrics
        self._head_bytes = head_bytes

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer one request."""
        if scope["type"] != ScopeType.HTTP:
            await self._app(scope, receive, send)
            return
        headers = {name.decode("latin-1"): value.decode("latin-1") for name, value in scope["headers"]}
        given = headers.get("x-request-id", "")
        request_id = given if _REQUEST_ID.match(given) else uuid4().hex
        scope.setdefault("state", {})["request_id"] = request_id
        state = scope["state"]
        started, status = time.perf_counter(), 500

        async def receive_noting() -> HTTPReceiveMessage | WebSocketReceiveMessage:
            message = await receive()
            if message["type"] == "http.disconnect":
                state[CLIENT_LEFT] = True
            return message

        async def send_with_headers(message: Message) -> None:
            nonlocal status
            if message["type"] == "http.response.start":
                status = message["status"]
                message["headers"] = [*message["headers"], (b"x-request-id", request_id.encode())]
            await send(message)

        with (
            structlog.contextvars.bound_contextvars(request_id=request_id),
            _tracer.start_as_current_span(scope["method"], extract(headers), kind=trace.SpanKind.SERVER) as span,
        ):
            try:
                if not self._host_is_allowed(headers.get("host", "")):
                    await _send(_wrong_host(headers.get("host", ""), request_id), send_with_headers)
                elif _head_size(scope) > self._head_bytes:
                    await _send(_head_too_large(self._head_bytes, request_id), send_with_headers)
                else:
                    await self._app(scope, receive_noting, send_with_headers)
            finally:
                release(scope)
            self._note(scope, status, time.perf_counter() - started, span)

    def _host_is_allowed(self, header: str) -> bool:
        """Against DNS rebinding: a browser that was sent here under another name is not served."""
        host = header.lower()
        name = host if host.endswith("]") else host.rpartition(":")[0] or host
        return "*" in self._hosts or host in self._hosts or name in self._hosts

    def _note(self, scope: HTTPScope, status: int, seconds: float, span: trace.Span) -> None:
        route = scope.get("path_template") or "unmatched"
        self._metrics.request(scope["method"], route, status, seconds)
        span.update_name(f"{scope['method']} {route}")
        span.set_attribute("http.route", route)
        span.set_attribute("http.response.status_code", status)
        if scope["path"] not in _QUIET:
            principal = scope["state"].get("principal_id")
            log.info("request", method=scope["method"], route=route, status=status, seconds=round(seconds, 4),
                     principal=principal)  # fmt: skip


def _wrong_host(host: str, request_id: str) -> Problem:
    detail = f"{shown(host)} is not a name of this server; add it to ASSAY_API__ALLOWED_HOSTS if it is"
    return _problem(HTTPStatus.MISDIRECTED_REQUEST, "wrong_host", detail, request_id, field="Host")


def _head_too_large(most: int, request_id: str) -> Problem:
    detail = f"address and headers of a request have at most {most} bytes together; send what is long in the body"
    return _problem(HTTPStatus.REQUEST_HEADER_FIELDS_TOO_LARGE, "head_too_large", detail, request_id)


def _problem(status: HTTPStatus, code: str, detail: str, request_id: str, *, field: str | None = None) -> Problem:
    kind = f"urn:assay:problem:{code}"
    return Problem(kind, status.phrase, status.value, detail, code, request_id, field=field)


def _head_size(scope: HTTPScope) -> int:
    fields = sum(len(name) + len(value) for name, value in scope["headers"])
    return len(scope["raw_path"]) + len(scope["query_string"]) + fields


async def _send(problem: Problem, send: Send) -> None:
    body = msgspec.json.encode(problem)
    headers = [(b"content-type", MEDIA_TYPE.encode()), (b"content-length", str(len(body)).encode())]
    await send({"type": "http.response.start", "status": problem.status, "headers": headers})
    await send({"type": "http.response.body", "body": body, "more_body": False})
