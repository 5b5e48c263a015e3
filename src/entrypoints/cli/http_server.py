"""The API and MCP on one address."""

from __future__ import annotations

import asyncio
import contextlib
import signal
import socket
from collections.abc import AsyncIterator, Iterator, Sequence
from contextlib import asynccontextmanager
from typing import Any, Literal, TypeAlias

import uvicorn

from domain.errors import Conflict, InvalidInput
from entrypoints.api.app import create_api
from entrypoints.application import Application
from entrypoints.cli.http_protocol import patient_protocol
from entrypoints.mcp.http import mcp_over_http
from entrypoints.sections.serving import LimitsSettings
from entrypoints.settings import Settings
from entrypoints.telemetry import Metrics

DRAIN_SECONDS = 5
"""How long requests that are under way may take after a stop was asked for."""

ASGIApplication: TypeAlias = Any
"""Frameworks type it each in its own way."""


class AddressInUse(Conflict):
    """Another program listens there."""

    code = "address_in_use"


def listen(settings: Settings) -> socket.socket:
    """A socket on the configured address. A port that nobody asked for may be another one when the default is taken.

    Raises AddressInUse, and InvalidInput for an address that is not of this machine.
    """
    host, port = settings.api.host, settings.api.port
    try:
        return bound(host, port)
    except OSError as error:
        if isinstance(error, socket.gaierror):
            raise InvalidInput(f"ASSAY_API__HOST: {host!r} is no address of this machine") from error
        if "port" not in settings.api.model_fields_set:
            with contextlib.suppress(OSError):
                return bound(host, 0)
        raise AddressInUse(
            f"cannot listen on {host}:{port}: {error.strerror}; stop the other program, or set ASSAY_API__PORT"
        ) from error


def bound(host: str, port: int) -> socket.socket:
    """A socket that listens there soon. Raises OSError."""
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    listener = socket.socket(family)
    try:
        listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        listener.bind((host, port))
    except OSError:
        listener.close()
        raise
    return listener


def address_of(listener: socket.socket) -> str:
    """Where a client finds it."""
    host, port = listener.getsockname()[:2]
    named = {"0.0.0.0": "127.0.0.1", "::": "[::1]"}.get(host, f"[{host}]" if ":" in host else host)  # noqa: S104
    return f"http://{named}:{port}"


class _Server(uvicorn.Server):
    """Leaves signals to whoever runs it, and says when it listens."""

    def __init__(self, config: uvicorn.Config) -> None:
        super().__init__(config)
        self.listening = asyncio.Event()

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        await super().startup(sockets)
        self.listening.set()

    @contextlib.contextmanager
    def capture_signals(self) -> Iterator[None]:
        yield


@asynccontextmanager
async def served(
    app: Application, settings: Settings, listener: socket.socket, metrics: Metrics
) -> AsyncIterator[asyncio.Task[None]]:
    """Serve while the context is open; requests under way get time to end. Yields the task that serves."""
    async with (
        mcp_over_http(app, metrics) as mcp,
        answering(
            create_api(app, settings, metrics=metrics, more=[mcp]),
            listener,
            limits=settings.limits,
            trusted_proxies=settings.api.trusted_proxies,
        ) as task,
    ):
        yield task


@asynccontextmanager
async def answering(
    asgi: ASGIApplication,
    listener: socket.socket,
    lifespan: Literal["on", "off"] = "on",
    limits: LimitsSettings | None = None,
    trusted_proxies: Sequence[str] = (),
) -> AsyncIterator[asyncio.Task[None]]:
    """Let an ASGI application answer on the socket while the context is open. Yields the task that serves.

    Past ``limits.connections`` a request is answered with 503, so that those under way are not slowed down. Who a
    request is from is what the connection says; of a trusted proxy it is what its X-Forwarded-For says.
    """
    limits = limits or LimitsSettings()
    config = uvicorn.Config(
        asgi, http=patient_protocol(limits), ws="none", log_config=None, access_log=False, lifespan=lifespan,
        timeout_graceful_shutdown=DRAIN_SECONDS, server_header=False, limit_concurrency=limits.connections,
        timeout_keep_alive=limits.idle_seconds, h11_max_incomplete_event_size=limits.head_bytes,
        proxy_headers=bool(trusted_proxies), forwarded_allow_ips=list(trusted_proxies),
    )  # fmt: skip
    server = _Server(config)
    task = asyncio.create_task(server.serve(sockets=[listener]), name="http")
    try:
        await until_first(server.listening, task)
        yield task
    finally:
        server.should_exit = True
        await task


async def until_first(event: asyncio.Event, *tasks: asyncio.Task[None]) -> None:
    """Return when the event is set; when a task ends before that, its error is raised."""
    waiting = asyncio.create_task(event.wait())
    try:
        done, _ = await asyncio.wait((waiting, *tasks), return_when=asyncio.FIRST_COMPLETED)
        for task in done - {waiting}:
            task.result()
    finally:
        waiting.cancel()


def stop_on_signal() -> asyncio.Event:
    """Set at the first SIGINT or SIGTERM. Further ones change nothing: the stop is under way, and limited in time."""
    stop = asyncio.Event()
    loop = asyncio.get_running_loop()
    for number in (signal.SIGINT, signal.SIGTERM):
        loop.add_signal_handler(number, stop.set)
    return stop
