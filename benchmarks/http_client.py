"""A small HTTP/1.1 client: connections that stay open, one request after the other on each, answers of known length."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from urllib.parse import urlsplit


async def ask_all(address: str, paths: Sequence[str], headers: dict[str, str], connections: int) -> None:
    """Ask for every path over that many connections. Raises ValueError when an answer is not 200."""
    host, port = urlsplit(address).hostname or "", urlsplit(address).port
    lines = "".join(f"{name}: {value}\r\n" for name, value in headers.items())

    async def one(first: int) -> None:
        reader, writer = await asyncio.open_connection(host, port)
        try:
            for number in range(first, len(paths), connections):
                writer.write(f"GET {paths[number]} HTTP/1.1\r\nHost: {host}:{port}\r\n{lines}\r\n".encode())
                await _answer(reader)
        finally:
            writer.close()
            await writer.wait_closed()

    await asyncio.gather(*(one(first) for first in range(connections)))


async def _answer(reader: asyncio.StreamReader) -> bytes:
    head = (await reader.readuntil(b"\r\n\r\n")).lower()
    length = int(head.partition(b"content-length:")[2].partition(b"\r\n")[0])
    body = await reader.readexactly(length)
    if not head.startswith(b"http/1.1 200"):
        raise ValueError(f"the server answered {head[:20]!r} {body[:200]!r}")
    return body
