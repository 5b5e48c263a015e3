"""A real HTTP server on loopback that answers as it is told, well or badly."""

from __future__ import annotations

import asyncio
import json
from collections import deque
from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from typing import Any

from application.models.provider_chain import ProviderChain, ProviderLimits


@dataclass(frozen=True)
class Reply:
    """A status with a JSON body (or raw text) and headers; or silence until the client hangs up; or a hang-up."""

    body: Any = None
    status: int = 200
    headers: Mapping[str, str] = field(default_factory=dict)
    silent: bool = False
    hangs_up: bool = False


SILENCE = Reply(silent=True)
HANG_UP = Reply(hangs_up=True)


@dataclass(frozen=True)
class Received:
    """One request as it came in; header names are lower case."""

    path: str
    headers: Mapping[str, str]
    body: Any


class ModelServer:
    """Serves scripted replies in order. ``received`` holds every request that arrived whole."""

    def __init__(self) -> None:
        self.received: list[Received] = []
        self.url = ""
        self._replies: deque[Reply] = deque()

    def will_reply(self, *replies: Reply) -> None:
        self._replies.extend(replies)

    async def serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        try:
            while await self._one(reader, writer):
                pass
        except (asyncio.IncompleteReadError, ConnectionError):
            pass
        finally:
            writer.close()

    async def _one(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> bool:
        head = (await reader.readuntil(b"\r\n\r\n")).decode("latin-1").split("\r\n")
        headers = {name.lower(): value.strip() for name, _, value in (line.partition(":") for line in head[1:] if line)}
        body = await reader.readexactly(int(headers.get("content-length", "0")))
        self.received.append(Received(head[0].split(" ")[1], headers, json.loads(body)))
        reply = self._replies.popleft() if self._replies else Reply({"error": "nothing scripted"}, status=418)
        if reply.hangs_up:
            return False
        if reply.silent:
            await reader.read()
            return False
        text = reply.body if isinstance(reply.body, str) else json.dumps(reply.body)
        payload = text.encode()
        lines = [f"HTTP/1.1 {reply.status} Scripted", f"content-length: {len(payload)}"]
        lines += [f"{name}: {value}" for name, value in reply.headers.items()]
        writer.write("\r\n".join([*lines, "", ""]).encode() + payload)
        await writer.drain()
        return True


@asynccontextmanager
async def model_server() -> AsyncIterator[ModelServer]:
    """A server on a free port of loopback."""
    served = ModelServer()
    server = await asyncio.start_server(served.serve, "127.0.0.1", 0)
    port = server.sockets[0].getsockname()[1]
    served.url = f"http://127.0.0.1:{port}/v1"
    try:
        yield served
    finally:
        server.close()


class Waits:
    """Stands in for ``asyncio.sleep``: keeps how long was asked for and returns at once."""

    def __init__(self) -> None:
        self.seconds: list[float] = []

    async def __call__(self, seconds: float) -> None:
        self.seconds.append(seconds)


def impatient_chain(waits: Waits | None = None, **limits: Any) -> ProviderChain:
    """A chain that retries without waiting and gives an attempt 0.3 s unless told otherwise."""
    return ProviderChain(
        "the test provider", ProviderLimits(**{"timeout_seconds": 0.3, **limits}), sleep=waits or Waits()
    )
