"""Verifying tokens at the doors, so that they cannot be tried fast."""

from __future__ import annotations

import asyncio
import hashlib
import ipaddress
import time
from collections import OrderedDict
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from typing import TypeVar

from domain.errors import NotAuthenticated, RateLimited
from domain.ports.rate_limiter import Charge, RateLimiter
from domain.ports.token_verifier import Credential, TokenVerifier

_K = TypeVar("_K")
_V = TypeVar("_V")
LIMIT = "failed sign-ins"
BROWSERS = "browser sign-ins"
FAMILY = "sign-ins"
_LANE = 8
"""How many tokens of a slowed address wait at a time."""
_PACE_SECONDS = 0.25
_KEPT = 10_000


@dataclass(slots=True)
class _Slowed:
    """An address that failed too often: until when it is slow, and the lane in which its tokens are tried."""

    until: float
    lane: asyncio.Lock = field(default_factory=asyncio.Lock)
    waiting: int = 0


class SignIns:
    """Verifies tokens by address.

    - The first ``most`` failures of an address in a minute are NotAuthenticated; 0 is no limit.
    - After that, tokens from there that were not good here lately are tried one after the other, with a pause after
      each that fails: at most four a second in one process. What fails then, and what finds eight waiting before it, is
      RateLimited.
    - A good token is not locked out: one that was good here lately does not even wait, another waits its turn.
    - A browser that begins or ends a sign-in has ``most`` tries, too: each makes us ask its identity provider.
    - An IPv6 address counts as its /64 network.
    """

    def __init__(
        self,
        verifier: TokenVerifier,
        limiter: RateLimiter,
        most: int,
        *,
        now: Callable[[], float] = time.monotonic,
        sleep: Callable[[float], Awaitable[None]] = asyncio.sleep,
    ) -> None:
        self._verifier = verifier
        self._limiter = limiter
        self._most = most
        self._now = now
        self._sleep = sleep
        self._good: OrderedDict[bytes, None] = OrderedDict()
        self._slowed: OrderedDict[str, _Slowed] = OrderedDict()

    async def verify(self, token: str, address: str) -> Credential:
        """Raises as the verifier, and RateLimited."""
        if not self._most:
            return await self._verifier.verify(token)
        digest = hashlib.sha256(token.encode()).digest()
        place = network_of(address)
        slowed = self._slowed.get(place)
        if slowed is None or digest in self._good:
            return await self._tried(token, digest, place)
        if slowed.until <= self._now() and not slowed.waiting:
            del self._slowed[place]
            return await self._tried(token, digest, place)
        async with self._turn(slowed):
            return await self._tried(token, digest, place)

    async def admit_browser(self, address: str) -> None:
        """Count one step of a browser's sign-in. Raises RateLimited."""
        if self._most:
            verdict = await self._limiter.take(FAMILY, [Charge(BROWSERS, network_of(address), 1, self._most)])
            verdict.require()

    async def _tried(self, token: str, digest: bytes, place: str) -> Credential:
        try:
            credential = await self._verifier.verify(token)
        except NotAuthenticated as refusal:
            self._good.pop(digest, None)
            await self._failed(place, refusal)
            raise
        if digest not in self._good:
            _keep(self._good, digest, None)
        return credential

    async def _failed(self, place: str, refusal: NotAuthenticated) -> None:
        verdict = await self._limiter.take(FAMILY, [Charge(LIMIT, place, 1, self._most)])
        if verdict.admitted:
            return
        until = self._now() + verdict.retry_after
        slowed = self._slowed.get(place)
        if slowed is None:
            _keep(self._slowed, place, _Slowed(until))
        else:
            slowed.until = until
        raise RateLimited.of(LIMIT, self._most, 60, verdict.retry_after) from refusal

    @asynccontextmanager
    async def _turn(self, slowed: _Slowed) -> AsyncIterator[None]:
        if slowed.waiting >= _LANE:
            raise RateLimited.of(LIMIT, self._most, 60, 1.0)
        slowed.waiting += 1
        try:
            async with slowed.lane:
                try:
                    yield
                except (NotAuthenticated, RateLimited):
                    await self._sleep(_PACE_SECONDS)
                    raise
        finally:
            slowed.waiting -= 1


def network_of(address: str) -> str:
    """What an address is counted as: itself, or the /64 network of an IPv6 address; text that is none is itself."""
    try:
        found = ipaddress.ip_address(address)
    except ValueError:
        return address[:64]
    if isinstance(found, ipaddress.IPv4Address):
        return str(found)
    if found.ipv4_mapped is not None:
        return str(found.ipv4_mapped)
    return str(ipaddress.ip_network((found, 64), strict=False).network_address)


def _keep(kept: OrderedDict[_K, _V], key: _K, value: _V) -> None:
    kept[key] = value
    if len(kept) > _KEPT:
        kept.popitem(last=False)
