"""Connections to addresses that were checked: a name is looked up once, and what it gave is connected to."""

from __future__ import annotations

import asyncio
import ipaddress
import socket
from collections.abc import Awaitable, Callable, Iterable, Sequence
from typing import Any

import httpcore

from domain.errors import AddressRefused, Unavailable, shown
from domain.ingestion.addresses import Address, is_public, number_of, refused

Resolve = Callable[[str, int], Awaitable[Sequence[str]]]


async def by_system(host: str, port: int) -> list[str]:
    """The addresses of a name, as the system knows them. Raises OSError."""
    found = await asyncio.get_running_loop().getaddrinfo(host, port, type=socket.SOCK_STREAM)
    return [str(entry[4][0]) for entry in found]


class CheckedNetwork(httpcore.AsyncNetworkBackend):
    """Implements httpcore's way to the network. A name with one address that may not be asked is refused as a whole.

    TLS is still checked against the name: only where the packets go is decided here.
    """

    def __init__(self, resolve: Resolve = by_system, may_ask: Callable[[Address], bool] = is_public) -> None:
        self._resolve = resolve
        self._may_ask = may_ask
        self._plain = httpcore.AnyIOBackend()

    async def connect_tcp(
        self,
        host: str,
        port: int,
        timeout: float | None = None,
        local_address: str | None = None,
        socket_options: Iterable[Any] | None = None,
    ) -> httpcore.AsyncNetworkStream:
        """A connection to the first address that takes it. Raises AddressRefused, Unavailable, httpcore's errors."""
        last: Exception | None = None
        for address in await self._addresses(host, port):
            try:
                return await self._plain.connect_tcp(str(address), port, timeout, local_address, socket_options)
            except (httpcore.ConnectError, httpcore.ConnectTimeout) as error:
                last = error
        raise last or Unavailable(f"{shown(host)} has no address")

    async def connect_unix_socket(self, path: str, *_: Any, **__: Any) -> httpcore.AsyncNetworkStream:
        """Never: it is inside. Raises AddressRefused."""
        raise AddressRefused(f"{shown(path)} is no address of a network")

    async def sleep(self, seconds: float) -> None:
        """As httpcore needs it between tries."""
        await asyncio.sleep(seconds)

    async def _addresses(self, host: str, port: int) -> list[Address]:
        number = number_of(host)
        if number is not None:
            found = [number]
        else:
            try:
                found = [ipaddress.ip_address(each.partition("%")[0]) for each in await self._resolve(host, port)]
            except OSError as error:
                raise Unavailable(f"the name {shown(host)} is not known; check it, or try again later") from error
        if any(not self._may_ask(address) for address in found):
            raise refused(host)
        return list(dict.fromkeys(found))
