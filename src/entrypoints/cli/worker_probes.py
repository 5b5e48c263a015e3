"""What a worker of its own shows over HTTP, where it was asked to: its metrics, and that it lives."""

from __future__ import annotations

import hmac
import socket
from collections.abc import AsyncIterator, Awaitable, Callable, MutableMapping
from contextlib import asynccontextmanager
from typing import Any

from domain.errors import AssayError
from domain.ports.operations import Operations
from entrypoints.bearer import bearer_token
from entrypoints.cli.http_server import AddressInUse, answering, bound
from entrypoints.sections.serving import ApiSettings
from entrypoints.settings import Settings
from entrypoints.telemetry import Metrics

Scope = MutableMapping[str, Any]
Receive = Callable[[], Awaitable[MutableMapping[str, Any]]]
Send = Callable[[MutableMapping[str, Any]], Awaitable[None]]
TEXT = b"text/plain; version=0.0.4; charset=utf-8"


@asynccontextmanager
async def probed(settings: Settings, operations: Operations, metrics: Metrics) -> AsyncIterator[str | None]:
    """Serve the probes while the context is open; yields their address, None when none is configured.

    Raises AddressInUse.
    """
    if settings.worker.metrics_address is None:
        yield None
        return
    with _listener(settings.worker.metrics_address) as listener:
        async with answering(Probes(settings.api, operations, metrics), listener, lifespan="off"):
            host, port = listener.getsockname()[:2]
            yield f"http://[{host}]:{port}" if ":" in host else f"http://{host}:{port}"


def _listener(address: str) -> socket.socket:
    host, _, port = address.rpartition(":")
    try:
        return bound(host.strip("[]"), int(port))
    except (OSError, OverflowError) as error:
        raise AddressInUse(
            f"ASSAY_WORKER__METRICS_ADDRESS: cannot listen on {address} ({error}); "
            "stop the other program, or choose another address"
        ) from error


class Probes:
    """An ASGI application of two routes: ``/metrics``, behind a key where the API has one, and ``/health/live``."""

    def __init__(self, settings: ApiSettings, operations: Operations, metrics: Metrics) -> None:
        keys = (settings.metrics_key, settings.operator_key)
        self._keys = [key.get_secret_value().encode() for key in keys if key is not None]
        self._operations = operations
        self._metrics = metrics

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer one request."""
        if scope["type"] != "http":
            return
        if scope["method"] not in {"GET", "HEAD"}:
            await _answer(send, 405, b"only GET is served here\n")
        elif scope["path"] == "/health/live":
            await _answer(send, 200, b"ok\n")
        elif scope["path"] != "/metrics":
            await _answer(send, 404, b"there is /metrics and /health/live\n")
        elif not self._may_see(scope):
            await _answer(send, 401, b"send the value of ASSAY_API__METRICS_KEY as the bearer token\n")
        else:
            await _answer(send, 200, await self._rendered())

    def _may_see(self, scope: Scope) -> bool:
        headers = dict(scope["headers"])
        try:
            token = bearer_token(headers.get(b"authorization", b"").decode("latin-1")).encode()
        except AssayError:
            token = b""
        return not self._keys or any(hmac.compare_digest(token, key) for key in self._keys)

    async def _rendered(self) -> bytes:
        try:
            backlog = await self._operations.backlog()
        except AssayError:
            backlog = None
        return self._metrics.rendered(backlog)


async def _answer(send: Send, status: int, body: bytes) -> None:
    headers = [(b"content-type", TEXT), (b"content-length", str(len(body)).encode())]
    await send({"type": "http.response.start", "status": status, "headers": headers})
    await send({"type": "http.response.body", "body": body, "more_body": False})
