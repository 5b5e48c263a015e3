"""Fetching from real servers on loopback: 127.0.0.2 plays the world outside, 127.0.0.1 what is inside."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Sequence
from ipaddress import ip_address

import pytest

from adapters.fetching.checked_network import CheckedNetwork
from adapters.fetching.fetcher import FetchLimits, HttpFetcher
from domain.errors import AddressRefused, InvalidInput, LimitExceeded, Unavailable
from domain.ingestion.addresses import Address, is_public

OUTSIDE, INSIDE = "127.0.0.2", "127.0.0.1"


def may_ask(address: Address) -> bool:
    return address == ip_address(OUTSIDE) or is_public(address)


class Names:
    """A resolver whose answers change from question to question, the last one staying."""

    def __init__(self, *answers: Sequence[str]) -> None:
        self.answers = list(answers)
        self.asked = 0

    async def __call__(self, host: str, port: int) -> Sequence[str]:
        self.asked += 1
        return self.answers[min(self.asked, len(self.answers)) - 1]


class Site:
    """A server that answers every path with what is set for it, and counts the requests."""

    def __init__(self) -> None:
        self.answers: dict[str, bytes] = {}
        self.requests: list[bytes] = []
        self.port = 0
        self.held: list[asyncio.StreamWriter] = []

    async def serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        request = await reader.readuntil(b"\r\n\r\n")
        self.requests.append(request)
        path = request.split(b" ")[1].decode()
        writer.write(self.answers[path])
        await writer.drain()
        if path == "/slow":
            self.held.append(writer)
        else:
            writer.close()

    def page(self, path: str, body: bytes, kind: str = "text/html", extra: str = "") -> None:
        head = f"HTTP/1.1 200 OK\r\nContent-Type: {kind}\r\nContent-Length: {len(body)}\r\n{extra}\r\n"
        self.answers[path] = head.encode() + body

    def leads(self, path: str, to: str) -> None:
        self.answers[path] = f"HTTP/1.1 302 Found\r\nLocation: {to}\r\nContent-Length: 0\r\n\r\n".encode()


async def served(host: str, port: int = 0) -> tuple[Site, asyncio.Server]:
    site = Site()
    server = await asyncio.start_server(site.serve, host, port)
    site.port = server.sockets[0].getsockname()[1]
    return site, server


@pytest.fixture
async def outside() -> AsyncIterator[Site]:
    site, server = await served(OUTSIDE)
    async with server:
        yield site
        for writer in site.held:
            writer.close()


def fetcher(names: Names, hosts: Sequence[str] = ("*",), **limits: float) -> HttpFetcher:
    return HttpFetcher(hosts, FetchLimits(**limits), CheckedNetwork(names, may_ask))  # type: ignore[arg-type]


async def test_a_public_page_is_fetched_once_looked_up_once(outside: Site) -> None:
    names = Names([OUTSIDE])
    outside.page("/a?b=1", b"<p>The port is open.</p>")
    found = await fetcher(names).fetch(f"http://pages.harbour.io:{outside.port}/a?b=1#top")
    assert (found.data, found.content_type) == (b"<p>The port is open.</p>", "text/html")
    assert names.asked == 1
    assert b"Host: pages.harbour.io" in outside.requests[0]
    assert b"cookie" not in outside.requests[0].lower()


async def test_nothing_is_fetched_unless_hosts_are_allowed(outside: Site) -> None:
    names = Names([OUTSIDE])
    with pytest.raises(AddressRefused, match="fetching is off"):
        await fetcher(names, ()).fetch(f"http://pages.harbour.io:{outside.port}/")
    with pytest.raises(AddressRefused, match="not among those that are allowed"):
        await fetcher(names, ("*.cangbien.vn",)).fetch(f"http://cangbien.vn.harbour.io:{outside.port}/")
    assert (names.asked, outside.requests) == (0, [])


@pytest.mark.parametrize(
    "answer", [[INSIDE], [OUTSIDE, INSIDE], ["::1"], ["::ffff:10.0.0.1"], ["169.254.169.254"], ["fd00::1"]]
)
async def test_a_name_that_stands_for_something_inside_is_refused(outside: Site, answer: list[str]) -> None:
    with pytest.raises(AddressRefused, match="not a public address"):
        await fetcher(Names(answer)).fetch(f"http://pages.harbour.io:{outside.port}/")
    assert outside.requests == []


async def test_a_name_that_is_rebound_is_connected_to_where_it_was_checked(outside: Site) -> None:
    names = Names([OUTSIDE], [INSIDE])
    inside, server = await served(INSIDE, outside.port)
    outside.page("/", b"outside")
    outside.leads("/on", "/")
    async with server:
        found = await fetcher(names).fetch(f"http://pages.harbour.io:{outside.port}/")
        assert found.data == b"outside"
        names.asked = 0
        # The second request of a redirect connects anew, and what the name stands for by then is refused.
        with pytest.raises(AddressRefused, match="not a public address"):
            await fetcher(names).fetch(f"http://pages.harbour.io:{outside.port}/on")
    assert inside.requests == []


@pytest.mark.parametrize(
    "place",
    ["http://127.0.0.1:{port}/", "http://2130706433:{port}/", "http://0x7f000001/", "http://[::ffff:127.0.0.1]:{port}/",
     "http://localhost:{port}/", "file:///etc/passwd", "http://a@pages.harbour.io:{port}/", "//169.254.169.254/latest"],
)  # fmt: skip
async def test_a_redirect_to_the_inside_is_refused(outside: Site, place: str) -> None:
    inside, server = await served(INSIDE, outside.port)
    outside.leads("/", place.format(port=outside.port))
    async with server:
        with pytest.raises(AddressRefused):
            await fetcher(Names([OUTSIDE])).fetch(f"http://pages.harbour.io:{outside.port}/")
    assert inside.requests == []
    assert len(outside.requests) == 1


async def test_redirects_end(outside: Site) -> None:
    outside.leads("/", "/")
    with pytest.raises(AddressRefused, match="leads on more than 2 times"):
        await fetcher(Names([OUTSIDE]), redirects=2).fetch(f"http://pages.harbour.io:{outside.port}/")
    assert len(outside.requests) == 3


async def test_a_huge_body_is_cut_off_whether_its_length_is_told_or_not(outside: Site) -> None:
    outside.page("/told", b"x" * 100_000, "text/plain")
    outside.answers["/untold"] = b"HTTP/1.1 200 OK\r\nContent-Type: text/plain\r\n\r\n" + b"x" * 100_000
    for path in ("/told", "/untold"):
        with pytest.raises(LimitExceeded, match="more than 50000 bytes"):
            await fetcher(Names([OUTSIDE]), max_bytes=50_000).fetch(f"http://pages.harbour.io:{outside.port}{path}")


async def test_a_body_that_never_ends_is_given_up(outside: Site) -> None:
    outside.answers["/slow"] = b"HTTP/1.1 200 OK\r\nContent-Type: text/plain\r\nContent-Length: 10\r\n\r\nx"
    with pytest.raises(Unavailable, match=r"within 0\.3 seconds"):
        await fetcher(Names([OUTSIDE]), seconds=0.3).fetch(f"http://pages.harbour.io:{outside.port}/slow")


async def test_what_is_no_document_or_packed_is_refused_and_errors_are_told(outside: Site) -> None:
    outside.page("/zip", b"PK", "application/zip")
    outside.page("/packed", b"x", "text/plain", "Content-Encoding: gzip\r\n")
    outside.answers["/gone"] = b"HTTP/1.1 404 Not Found\r\nContent-Length: 0\r\n\r\n"
    outside.answers["/down"] = b"HTTP/1.1 503 Sorry\r\nContent-Length: 0\r\n\r\n"
    outside.answers["/noise"] = b"SSH-2.0-OpenSSH\r\n\r\n"
    told = {"/zip": "not a type", "/packed": "packed", "/gone": "answers with 404"}
    get = fetcher(Names([OUTSIDE])).fetch
    for path, words in told.items():
        with pytest.raises(InvalidInput, match=words):
            await get(f"http://pages.harbour.io:{outside.port}{path}")
    for path in ("/down", "/noise"):
        with pytest.raises(Unavailable):
            await get(f"http://pages.harbour.io:{outside.port}{path}")
