"""The keys that an issuer signs with."""

from __future__ import annotations

import asyncio
import json
import time
import warnings
from collections.abc import Awaitable, Callable, Iterator
from contextlib import contextmanager
from typing import Any, Protocol

import httpx
from joserfc.errors import JoseError, SecurityWarning
from joserfc.jwk import JWKRegistry, Key, OctKey, RSAKey, import_key

from adapters.oidc.fetching import ProviderUnavailable, fetch_json
from domain.errors import InvalidInput
from domain.identity.issuer import SYMMETRIC

REFETCH_SECONDS = 10.0
"""At most one request for keys in this time, whatever key ids are asked for."""
FRESH_SECONDS = 300.0
"""After this the keys are asked for again, so that one which was withdrawn is no longer believed."""
MOST_KEYS = 100
_LEAST_RSA_BITS = 2048
_LEAST_SECRET_BYTES = 32
_TYPES = {"RS": "RSA", "PS": "RSA", "ES": "EC", "HS": "oct", "Ed": "OKP"}


class SigningKeys(Protocol):
    """Finds the key that a token says it was signed with."""

    async def key(self, kid: str | None, algorithm: str) -> Key | None:
        """None where the issuer has no such key. Raises Unavailable when that cannot be told."""
        ...


class StaticKey:
    """One key from the settings, whatever id a token names."""

    def __init__(self, key: Key) -> None:
        self._key = key

    async def key(self, kid: str | None, algorithm: str) -> Key | None:
        return self._key if _fits(self._key, algorithm) else None


class PublishedKeys:
    """An issuer's key set.

    - A known key id asks nobody. An unknown one makes one request, whoever waits for it, then none for ten seconds.
    - Keys are asked for anew after five minutes, beside the requests; when that brings none, the old ones hold.
    """

    def __init__(
        self,
        address: Callable[[], Awaitable[str]],
        http: httpx.AsyncClient,
        *,
        now: Callable[[], float] = time.monotonic,
    ) -> None:
        self._address = address
        self._http = http
        self._now = now
        self._lock = asyncio.Lock()
        self._keys: tuple[Key, ...] = ()
        self._asked = float("-inf")
        self._answered = float("-inf")
        self._refresh: asyncio.Task[None] | None = None

    async def key(self, kid: str | None, algorithm: str) -> Key | None:
        found = _chosen(self._keys, kid, algorithm)
        if found is not None:
            if self._now() - max(self._answered, self._asked) > FRESH_SECONDS and self._refresh is None:
                self._refresh = asyncio.create_task(self._renew())
            return found
        async with self._lock:
            found = _chosen(self._keys, kid, algorithm)
            if found is None and self._now() - self._asked >= REFETCH_SECONDS:
                await self._ask()
                found = _chosen(self._keys, kid, algorithm)
            elif found is None and self._answered < self._asked:
                raise ProviderUnavailable("the keys of the identity provider could not be had; try again later")
        return found

    async def renewed(self) -> None:
        """Wait until keys that are being asked for are there, or not."""
        if self._refresh is not None:
            await self._refresh

    async def _renew(self) -> None:
        try:
            async with self._lock:
                await self._ask()
        except ProviderUnavailable:
            pass  # the keys that are known hold, and the next request after a while tries again
        finally:
            self._refresh = None

    async def _ask(self) -> None:
        self._asked = self._now()
        keys = _imported(await fetch_json(self._http, await self._address()))
        if not keys:
            raise ProviderUnavailable("the identity provider publishes no key that can be used")
        self._keys = keys
        self._answered = self._asked = self._now()


def static_key(text: str, algorithms: tuple[str, ...]) -> Key:
    """A key of the settings: PEM or JWK; for HMAC a JWK, or the secret itself. Raises InvalidInput, never shows it."""
    try:
        with _weak_keys_unmentioned():
            key = _read(text, symmetric=bool(SYMMETRIC.intersection(algorithms)))
    except (JoseError, ValueError, TypeError) as error:
        raise InvalidInput("key: it is neither PEM nor a JWK; correct it") from error
    if not any(_fits(key, algorithm) for algorithm in algorithms) or not _strong(key):
        raise InvalidInput("key: it is too short, or of another kind than the algorithms; correct one of them")
    return key


def _read(text: str, *, symmetric: bool) -> Key:
    if text.lstrip().startswith("{"):
        return JWKRegistry.import_key(json.loads(text))
    return OctKey.import_key(text.encode()) if symmetric else _pem(text)


def _pem(text: str) -> Key:
    if "-----BEGIN" not in text:
        raise ValueError("no PEM")
    for kind in ("RSA", "EC", "OKP"):
        try:
            return import_key(text, kind)
        except (JoseError, ValueError, TypeError):
            continue
    raise ValueError("no key of a known kind")


def _imported(document: dict[str, Any]) -> tuple[Key, ...]:
    """The public keys for signatures in a key set; those that cannot be used are left out, shared secrets always."""
    listed = document.get("keys")
    keys = []
    for item in (listed if isinstance(listed, list) else [])[:MOST_KEYS]:
        if not isinstance(item, dict) or item.get("use", "sig") != "sig" or item.get("kty") == "oct":
            continue
        try:
            with _weak_keys_unmentioned():
                key = JWKRegistry.import_key(item)
        except (JoseError, ValueError, TypeError, KeyError):
            continue
        if _strong(key):
            keys.append(key)
    return tuple(keys)


@contextmanager
def _weak_keys_unmentioned() -> Iterator[None]:
    """The library warns of weak keys; here they are refused."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", SecurityWarning)
        yield


def _chosen(keys: tuple[Key, ...], kid: str | None, algorithm: str) -> Key | None:
    """The key of that id; without an id, the only one that fits."""
    fitting = [key for key in keys if (kid is None or key.kid == kid) and _fits(key, algorithm)]
    return fitting[0] if len(fitting) == 1 or (fitting and kid is not None) else None


def _fits(key: Key, algorithm: str) -> bool:
    return key.key_type == _TYPES[algorithm[:2]] and key.alg in (None, algorithm)


def _strong(key: Key) -> bool:
    if isinstance(key, RSAKey):
        return key.raw_value.key_size >= _LEAST_RSA_BITS
    return not isinstance(key, OctKey) or len(key.raw_value) >= _LEAST_SECRET_BYTES
