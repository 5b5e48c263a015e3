"""What an erasure asks of a cache in Valkey: to be looked through, and to write its files anew."""

from __future__ import annotations

import asyncio
from collections import Counter
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager, suppress

from valkey.asyncio import Valkey
from valkey.exceptions import ResponseError, ValkeyError

from domain.erasure.canaries import Sought
from domain.errors import Unavailable
from domain.identity.ids import GroupId, OrganizationId
from domain.ports.erasure import StoreScan

_AT_ONCE = 500
_POLL_SECONDS = 0.05
_REWRITE_SECONDS = 30.0
VECTORS = "embedding:"
"""Keys that begin so hold vectors: numbers, under a digest of their text."""


class ValkeyCacheUpkeep:
    """Implements ``StoreScanner`` over all keys with our prefix, whose organization they do not tell."""

    def __init__(self, url: str, *, prefix: str = "assay:", timeout_seconds: float = 5.0) -> None:
        self._url = url
        self._prefix = prefix
        self._timeout_seconds = timeout_seconds

    async def scan(self, organization_id: OrganizationId, scopes: Sequence[GroupId], sought: Sought) -> StoreScan:
        """Keys of every kind, and the values of all that are no vectors."""
        looked_at, found = Counter[str](keys=0), Counter[str]()
        async with self._client() as client:
            keys: list[bytes] = []
            async for key in client.scan_iter(match=f"{self._prefix}*", count=1_000):
                keys.append(key)
            looked_at["keys"] = len(keys)
            found["keys"] = sum(sought.expression.search(_text(key)) is not None for key in keys)
            texts = [key for key in keys if not _text(key).removeprefix(self._prefix).startswith(VECTORS)]
            for start in range(0, len(texts), _AT_ONCE):
                values = await client.mget(texts[start : start + _AT_ONCE])
                found["values"] += sum(v is not None and sought.expression.search(_text(v)) is not None for v in values)
            looked_at["values"] = len(texts)
        return StoreScan("cache", looked_at, {place: count for place, count in found.items() if count})

    async def persist(self) -> list[str]:
        """Write the append-only file, and the snapshot where one is kept, without what was deleted."""
        async with self._client() as client:
            settings = {**await client.config_get("appendonly"), **await client.config_get("save")}
            if settings.get("save"):
                await client.save()
            if settings.get("appendonly") != "yes":
                return []
            # One may be at work already, or scheduled; the next look tells.
            with suppress(ResponseError):
                await client.execute_command("BGREWRITEAOF")  # type: ignore[no-untyped-call]
            for _ in range(round(_REWRITE_SECONDS / _POLL_SECONDS)):
                state = await client.info("persistence")
                if not (state["aof_rewrite_in_progress"] or state["aof_rewrite_scheduled"]):
                    return []
                await asyncio.sleep(_POLL_SECONDS)
        return ["Valkey's append-only file holds deleted vectors until its rewriting, which has begun, is done"]

    @asynccontextmanager
    async def _client(self) -> AsyncIterator[Valkey]:
        client: Valkey = Valkey.from_url(
            self._url, socket_timeout=self._timeout_seconds, socket_connect_timeout=self._timeout_seconds
        )
        try:
            yield client
        except (ValkeyError, OSError) as error:
            raise Unavailable(
                "the cache does not answer, and may hold something of what was erased; try again"
            ) from error
        finally:
            await client.aclose()


def _text(data: bytes | str) -> str:
    return data.decode("utf-8", "replace") if isinstance(data, bytes) else data
