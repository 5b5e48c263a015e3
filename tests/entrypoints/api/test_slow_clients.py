"""Clients that send or read too slowly, over real sockets."""

from __future__ import annotations

import asyncio
import json
import socket
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any

import pytest
from litestar import Litestar, get
from litestar.response import Stream

from entrypoints.api.app import create_api
from entrypoints.application import Application
from entrypoints.cli.http_server import answering, bound
from entrypoints.sections.serving import LimitsSettings
from tests.entrypoints.api.conftest import Tenant

QUICK = LimitsSettings(
    head_seconds=0.2, body_pause_seconds=0.2, body_bytes_per_second=1_000_000, unread_seconds=0.2, head_bytes=4_096
)


@pytest.fixture(scope="module")
async def port(running: Application) -> AsyncIterator[int]:
    settings = running.settings.model_copy(update={"limits": QUICK})
    with bound("127.0.0.1", 0) as listener:
        async with answering(create_api(running, settings), listener, limits=QUICK):
            yield listener.getsockname()[1]


@asynccontextmanager
async def connected(port: int) -> AsyncIterator[tuple[asyncio.StreamReader, asyncio.StreamWriter]]:
    reader, writer = await asyncio.open_connection("127.0.0.1", port)
    try:
        yield reader, writer
    finally:
        writer.close()


async def answered(port: int, sent: bytes) -> tuple[int, dict[str, Any]]:
    """What the server says, and closes the connection after."""
    async with connected(port) as (reader, writer), asyncio.timeout(20):
        writer.write(sent)
        head, _, body = (await reader.read()).partition(b"\r\n\r\n")
    return int(head.split()[1]), json.loads(body)


def post(key: str, length: int) -> bytes:
    head = f"POST /v1/workspaces HTTP/1.1\r\nHost: assay.test\r\nAuthorization: Bearer {key}\r\n"
    return (head + f"Content-Type: application/json\r\nContent-Length: {length}\r\n\r\n").encode()


@pytest.mark.parametrize("sent", [b"", b"GET /health HT", b"GET /health HTTP/1.1\r\nHost: assay.test\r\nX-Slow: "])
async def test_a_head_that_does_not_come_is_408(port: int, sent: bytes) -> None:
    status, problem = await answered(port, sent)
    assert (status, problem["code"]) == (408, "too_slow")
    assert problem["detail"] == "the head was not whole after 0.2 s; send it faster"


async def test_a_second_head_on_one_connection_has_no_more_time(port: int) -> None:
    async with connected(port) as (reader, writer), asyncio.timeout(20):
        writer.write(b"GET /health HTTP/1.1\r\nHost: assay.test\r\n\r\n")
        assert (await reader.readline()).split()[1] == b"200"
        writer.write(b"GET /health HT")
        rest = await reader.read()
    assert b"HTTP/1.1 408 Request Timeout" in rest


async def test_a_body_that_does_not_come_is_408(port: int, acme: Tenant) -> None:
    status, problem = await answered(port, post(acme.key, 1_000) + b'{"name": "ha')
    assert (status, problem["code"]) == (408, "too_slow")
    assert problem["request_id"]
    assert (await acme.get("/v1/workspaces")).json() == {"items": []}


async def test_a_body_that_trickles_in_is_408(port: int, acme: Tenant) -> None:
    async with connected(port) as (reader, writer), asyncio.timeout(20):
        writer.write(post(acme.key, 100_000))
        answer = asyncio.create_task(reader.readline())
        while not answer.done():
            writer.write(b" ")
            await asyncio.wait((answer,), timeout=0.05)
    assert answer.result().split()[1] == b"408"


@pytest.mark.parametrize("padding", [5_000, 300_000])
async def test_a_head_that_is_too_long_is_431(port: int, padding: int) -> None:
    head = b"GET /health HTTP/1.1\r\nHost: assay.test\r\nConnection: close\r\nX-Long: " + b"x" * padding + b"\r\n\r\n"
    status, problem = await answered(port, head)
    assert (status, problem["code"]) == (431, "head_too_large")


async def test_what_is_no_request_is_400(port: int) -> None:
    status, problem = await answered(port, b"\x16\x03\x01 hello\r\n\r\n")
    assert (status, problem["code"]) == (400, "malformed_request")


async def test_an_answer_that_is_not_read_is_broken_off() -> None:
    ended = asyncio.Event()

    async def much() -> AsyncIterator[bytes]:
        try:
            for _ in range(1_000):
                yield b"x" * 100_000
        finally:
            ended.set()

    @get("/much")
    async def handler() -> Stream:
        return Stream(much())

    with bound("127.0.0.1", 0) as listener:
        listener.setsockopt(socket.SOL_SOCKET, socket.SO_SNDBUF, 65_536)
        port = listener.getsockname()[1]
        async with answering(Litestar([handler]), listener, limits=QUICK), connected(port) as (_, writer):
            writer.write(b"GET /much HTTP/1.1\r\nHost: assay.test\r\n\r\n")
            async with asyncio.timeout(20):
                await ended.wait()


async def test_answers_that_are_not_read_hold_no_connection_to_the_database(running: Application, acme: Tenant) -> None:
    text = "Ada knows Bob. " * 40_000
    assert (await acme.post("/v1/documents", {"record_key": "long.txt", "text": text})).status_code == 202
    (document,) = (await acme.get("/v1/documents")).json()["items"]
    path = f"/v1/documents/{document['id']}/original"
    request = f"GET {path} HTTP/1.1\r\nHost: assay.test\r\nAuthorization: Bearer {acme.key}\r\n\r\n".encode()
    with bound("127.0.0.1", 0) as listener:
        listener.setsockopt(socket.SOL_SOCKET, socket.SO_SNDBUF, 4_096)
        port = listener.getsockname()[1]
        async with answering(create_api(running, running.settings), listener):
            unread = [await asyncio.open_connection("127.0.0.1", port, limit=1) for _ in range(6)]  # the pool has 4
            for reader, writer in unread:
                writer.write(request)
                assert await reader.readexactly(8) == b"HTTP/1.1"
            async with asyncio.timeout(20):
                assert (await acme.get("/v1/workspaces")).status_code == 200
            for _, writer in unread:
                writer.close()
