"""Fetching one document over HTTP: few redirects, each checked anew, and no more bytes or time than are allowed."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from urllib.parse import urljoin

import httpcore

from adapters.fetching.checked_network import CheckedNetwork
from domain.errors import AddressRefused, InvalidInput, LimitExceeded, Unavailable, WorkFailed, shown
from domain.ingestion.addresses import Target, allowed, target_of
from domain.ports.fetcher import Fetched

_REDIRECTS = frozenset({301, 302, 303, 307, 308})
_JSON = ("application/json", "application/x-ndjson", "application/jsonl")
_TYPES = ("text/", "application/pdf", "application/xhtml+xml", *_JSON)
_NAME = b"Assay"


@dataclass(frozen=True, slots=True)
class FetchLimits:
    """The most that one fetch takes: bytes of the body, seconds from start to end, redirects."""

    max_bytes: int = 20 * 1024 * 1024
    seconds: float = 20.0
    redirects: int = 5


class HttpFetcher:
    """Implements ``Fetcher`` for the hosts that are allowed: names, ``*.example.com``, or ``*``; none by default."""

    def __init__(
        self, hosts: Sequence[str] = (), limits: FetchLimits | None = None, network: CheckedNetwork | None = None
    ) -> None:
        self._hosts = tuple(hosts)
        self._limits = limits or FetchLimits()
        self._network = network or CheckedNetwork()

    async def fetch(self, url: str) -> Fetched:
        """See ``Fetcher``."""
        if not self._hosts:
            raise AddressRefused("fetching is off; whoever runs Assay allows hosts by ASSAY_FETCH__HOSTS", field="url")
        with _translated(self._limits.seconds):
            async with (
                asyncio.timeout(self._limits.seconds),
                httpcore.AsyncConnectionPool(network_backend=self._network, max_connections=1) as pool,
            ):
                return await self._follow(pool, self._target(url))

    def _target(self, url: str) -> Target:
        target = target_of(url)
        if not allowed(target.host, self._hosts):
            raise AddressRefused(f"the host {shown(target.host)} is not among those that are allowed", field="url")
        return target

    async def _follow(self, pool: httpcore.AsyncConnectionPool, target: Target) -> Fetched:
        for _ in range(self._limits.redirects + 1):
            headers = [(b"User-Agent", _NAME), (b"Accept-Encoding", b"identity"), (b"Accept", b"*/*")]
            async with pool.stream("GET", target.url.partition("#")[0], headers=headers) as response:
                if response.status not in _REDIRECTS:
                    return await self._body(target, response)
                place = _header(response, b"location")
            further = self._target(urljoin(target.url, place))
            if target.scheme == "https" and further.scheme != "https":
                raise AddressRefused("a secure address leads to one that is not", field="url")
            target = further
        raise AddressRefused(f"the address leads on more than {self._limits.redirects} times", field="url")

    async def _body(self, target: Target, response: httpcore.Response) -> Fetched:
        if response.status >= 500:
            raise WorkFailed(f"{shown(target.host)} answers with {response.status}; try again later")
        if response.status != 200:
            raise InvalidInput(f"{shown(target.host)} answers with {response.status}; check the address", field="url")
        content_type = _header(response, b"content-type")
        if not content_type.lower().startswith(_TYPES):
            raise InvalidInput(f"{shown(content_type)} is not a type of document that is fetched", field="url")
        if _header(response, b"content-encoding").lower() not in ("", "identity"):
            raise InvalidInput("the body is packed, although it was asked for as it is", field="url")
        parts, size = list[bytes](), 0
        async for part in response.aiter_stream():
            size += len(part)
            if size > self._limits.max_bytes:
                raise LimitExceeded(f"the document has more than {self._limits.max_bytes} bytes", field="url")
            parts.append(part)
        return Fetched(b"".join(parts), content_type, target.url)


def _header(response: httpcore.Response, name: bytes) -> str:
    return next((value.decode("latin-1") for key, value in response.headers if key.lower() == name), "")


@contextmanager
def _translated(seconds: float) -> Iterator[None]:
    try:
        yield
    except (TimeoutError, httpcore.TimeoutException) as error:
        raise Unavailable(
            f"the server did not give the document within {seconds:g} seconds; try again later"
        ) from error
    except (httpcore.NetworkError, httpcore.ProtocolError, httpcore.UnsupportedProtocol) as error:
        raise Unavailable("the server could not be reached, or broke off; try again later") from error
