"""Which addresses may be asked from here: public ones, by name or number, and nothing that only looks like one."""

from __future__ import annotations

import ipaddress
import re
from collections.abc import Iterable
from dataclasses import dataclass
from urllib.parse import urlsplit

from domain.errors import AddressRefused, shown

MAX_URL = 2_000
_PORTS = {"http": 80, "https": 443}
_NUMERIC = re.compile(r"(?:0x[0-9a-f]+|\d+)(?:\.(?:0x[0-9a-f]*|\d*))*\.?\Z", re.IGNORECASE)
_HOST = re.compile(
    r"(?=.{1,253}\Z)[a-z0-9_](?:[a-z0-9_-]{0,61}[a-z0-9_])?(?:\.[a-z0-9_](?:[a-z0-9_-]{0,61}[a-z0-9_])?)*\.?\Z"
)
_INSIDE = ("localhost", ".localhost", ".local", ".internal", ".lan", ".home.arpa", ".intranet", ".corp", ".home")
_PREFIXES = tuple(map(ipaddress.ip_network, ("64:ff9b::/96", "64:ff9b:1::/48", "2002::/16", "2001::/32")))
"""Addresses of IPv6 that carry one of IPv4: translation (RFC 6052, 8215), 6to4 and Teredo."""

Address = ipaddress.IPv4Address | ipaddress.IPv6Address


@dataclass(frozen=True, slots=True)
class Target:
    """Where a request goes: ``host`` is a name or a number in its usual form, ``path`` begins with a slash."""

    url: str
    scheme: str
    host: str
    port: int
    path: str


def target_of(url: str) -> Target:
    """The parts of an address. Raises AddressRefused for what is no plain http or https address of a public name.

    Numbers in other than the usual form (``0177.1``, ``2130706433``, ``0x7f000001``) are refused, since libraries read
    them in different ways; so are a login in the address, and characters that none has.
    """
    if len(url) > MAX_URL or not url.isascii() or any(char.isspace() or not char.isprintable() for char in url):
        raise AddressRefused("an address is plain ASCII without spaces, of at most 2000 characters", field="url")
    try:
        parts = urlsplit(url)
        port = parts.port
    except ValueError:
        raise AddressRefused(f"{shown(url)} is no address", field="url") from None
    if parts.scheme not in _PORTS:
        raise AddressRefused(f"an address begins with https:// or http://, not {shown(parts.scheme)}", field="url")
    if "@" in parts.netloc or "\\" in url:
        raise AddressRefused("an address has no login and no backslash in it", field="url")
    host = (parts.hostname or "").rstrip(".")
    if port == 0:
        raise AddressRefused("port 0 is no port", field="url")
    path = (parts.path or "/") + (f"?{parts.query}" if parts.query else "")
    return Target(url, parts.scheme, checked_host(host), port or _PORTS[parts.scheme], path)


def checked_host(host: str) -> str:
    """The host, when it may be one outside. Raises AddressRefused."""
    number = number_of(host)
    if number is not None:
        if not is_public(number):
            raise refused(host)
        return host
    if _NUMERIC.match(host) or not _HOST.match(host):
        raise AddressRefused(f"{shown(host)} is no name of a host and no address in its usual form", field="url")
    if host in _INSIDE or host.endswith(_INSIDE) or "." not in host:
        raise refused(host)
    return host


def number_of(host: str) -> Address | None:
    """The address that a host is written as, in its usual form; None for a name."""
    try:
        return ipaddress.ip_address(host)
    except ValueError:
        return None


def is_public(address: Address) -> bool:
    """Whether it is routed in the whole world; one of IPv4 within IPv6 counts as itself, a tunnel's does not count."""
    if isinstance(address, ipaddress.IPv6Address):
        if address.ipv4_mapped is not None:
            return is_public(address.ipv4_mapped)
        if address.scope_id or address.is_site_local or any(address in prefix for prefix in _PREFIXES):
            return False
    return address.is_global and not (address.is_multicast or address.is_reserved or address.is_unspecified)


def allowed(host: str, hosts: Iterable[str]) -> bool:
    """Whether a host is among those that are allowed: itself, ``*.example.com`` for names below, or ``*`` for all."""
    name = host.lower()
    return any(
        each == "*" or name == each.lower() or (each.startswith("*.") and name.endswith(each[1:].lower()))
        for each in hosts
    )


def refused(host: str) -> AddressRefused:
    """Of what is not asked from here; it does not tell whether anything is there."""
    return AddressRefused(f"{shown(host)} is not a public address; only those are fetched", field="url")
