"""Idempotency-Key: a write that is sent again gets the first answer, and is not done again."""

from __future__ import annotations

from urllib.parse import parse_qs

import msgspec
from litestar import Request
from litestar.types import ASGIApp, Message, Receive, Scope, Send
from litestar.types.asgi_types import HTTPRequestEvent

from domain.errors import InvalidInput, LimitExceeded
from entrypoints.api.sign_in import let_in
from entrypoints.application import Application

HEADER = "idempotency-key"
SECRET_ANSWERS = frozenset({"/v1/organizations", "/v1/api-keys", "/v1/api-keys/{key_id}/rotate"})
"""Routes whose answer holds a key."""
_METHODS = frozenset({"POST", "PUT", "PATCH", "DELETE"})


class Answer(msgspec.Struct, array_like=True):
    """A whole response."""

    status: int
    headers: list[tuple[bytes, bytes]]
    body: bytes


class _Refused(Exception):
    """The handler answered with a problem: nothing was done, so the key stays free."""

    def __init__(self, answer: Answer) -> None:
        super().__init__(answer.status)
        self.answer = answer


class Replay:
    """Middleware of the signed-in routes. Without the header it does nothing."""

    def __init__(self, app: ASGIApp) -> None:
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer one request."""
        if scope.get("method") not in _METHODS:
            await self._app(scope, receive, send)
            return
        request: Request = Request(scope, receive, send)  # type: ignore[type-arg]
        key = request.headers.get(HEADER)
        if key is None:
            await self._app(scope, receive, send)
            return
        _refuse_unsuited(request)
        app: Application = request.app.state.application
        named = parse_qs(scope["query_string"].decode("latin-1")).get("scope", [None])[0]
        access = await app.resolve_access(await let_in(request), named)
        body = await _body(receive, app.settings.limits.body_bytes)

        async def produce() -> bytes:
            answer = await _captured(self._app, scope, body, send)
            if answer.status >= 400:
                raise _Refused(answer)
            return msgspec.msgpack.encode(answer)

        identity = b"\0".join((request.method.encode(), scope["raw_path"], scope["query_string"], body))
        try:
            kept, replayed = await app.answer_once(access, key, identity, produce)
        except _Refused as refused:
            await _send(refused.answer, send, replayed=False)
            return
        await _send(msgspec.msgpack.decode(kept, type=Answer), send, replayed=replayed)


def _refuse_unsuited(request: Request) -> None:  # type: ignore[type-arg]
    if request.scope.get("path_template") in SECRET_ANSWERS:
        raise InvalidInput("the answer holds a key, and is not kept; leave the header out", field="Idempotency-Key")
    content_type = request.headers.get("content-type", "application/json")
    if not content_type.startswith("application/json"):
        raise InvalidInput(
            "files and streams are recognised by their content, so the header is not taken here; leave it out",
            field="Idempotency-Key",
        )


async def _body(receive: Receive, limit: int) -> bytes:
    parts: list[bytes] = []
    size = 0
    while True:
        message = await receive()
        if message["type"] != "http.request":
            return b"".join(parts)
        size += len(message["body"])
        if size > limit:
            raise LimitExceeded(f"a request with an idempotency key has at most {limit} bytes; send less")
        parts.append(message["body"])
        if not message.get("more_body"):
            return b"".join(parts)


async def _captured(app: ASGIApp, scope: Scope, body: bytes, send: Send) -> Answer:
    answer = Answer(500, [], b"")

    async def receive() -> HTTPRequestEvent:
        return {"type": "http.request", "body": body, "more_body": False}

    async def capture(message: Message) -> None:
        if message["type"] == "http.response.start":
            answer.status = message["status"]
            answer.headers = list(message["headers"])
        elif message["type"] == "http.response.body":
            answer.body += message["body"]

    await app(scope, receive, capture)
    return answer


async def _send(answer: Answer, send: Send, *, replayed: bool) -> None:
    headers = [*answer.headers, (b"idempotent-replayed", b"true")] if replayed else answer.headers
    await send({"type": "http.response.start", "status": answer.status, "headers": headers})
    await send({"type": "http.response.body", "body": answer.body, "more_body": False})
