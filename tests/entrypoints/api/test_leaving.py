"""A client that leaves in the middle of its request is no fault of the server."""

from __future__ import annotations

import asyncio
from collections.abc import MutableMapping
from typing import Any

import pytest
import structlog
from structlog.testing import CapturingLogger

from entrypoints.api import edge, problems
from entrypoints.api.app import create_api
from entrypoints.application import Application
from entrypoints.cli.http_server import answering, bound
from entrypoints.telemetry import Metrics
from tests.entrypoints.api.conftest import Tenant


async def test_a_body_that_breaks_off_is_a_quiet_line(
    running: Application, acme: Tenant, monkeypatch: pytest.MonkeyPatch
) -> None:
    metrics = Metrics()
    lines, told = CapturingLogger(), asyncio.Event()

    def note(_: object, __: str, event: MutableMapping[str, Any]) -> MutableMapping[str, Any]:
        if event["event"] == "request":
            told.set()
        return event

    with bound("127.0.0.1", 0) as listener:
        port = listener.getsockname()[1]
        async with answering(create_api(running, running.settings, metrics=metrics), listener):
            # Whatever was configured before: a logger of its own, which hears everything.
            hears_all = structlog.make_filtering_bound_logger(0)
            for module in (edge, problems):
                heard = structlog.wrap_logger(lines, processors=[note], wrapper_class=hears_all)
                monkeypatch.setattr(module, "log", heard)
            _, writer = await asyncio.open_connection("127.0.0.1", port)
            head = f"POST /v1/workspaces HTTP/1.1\r\nHost: assay.test\r\nAuthorization: Bearer {acme.key}\r\n"
            head += "Content-Type: application/json\r\nContent-Length: 1000\r\n\r\n"
            writer.write(head.encode() + b'{"name": "half')
            await writer.drain()
            writer.close()
            async with asyncio.timeout(20):
                await told.wait()
    assert (
        'assay_http_requests_total{method="POST",route="/v1/workspaces",status="400"} 1.0'
        in metrics.rendered(None).decode()
    )
    assert [call.method_name for call in lines.calls] == ["info", "info"]
    assert lines.calls[0].kwargs["event"] == "the client left before its request was whole"
