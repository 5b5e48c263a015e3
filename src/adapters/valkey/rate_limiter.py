"""Rate limits in Valkey, shared by all processes: one script, one round trip, the server's clock."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from importlib.resources import files

from valkey.exceptions import NoScriptError, ValkeyError

from adapters.valkey.line import ValkeyLine
from domain.errors import Unavailable
from domain.ports.rate_limiter import Charge, Verdict, require_apart
from domain.quotas.window import MICROS, SLICES, slice_width

_SCRIPT = files("adapters.valkey").joinpath("take.lua").read_text(encoding="utf-8")
_DIGEST = hashlib.sha1(_SCRIPT.encode(), usedforsecurity=False).hexdigest()


class ValkeyRateLimiter:
    """Implements ``RateLimiter`` but for an outage, which it raises as Unavailable within ``timeout_seconds``.

    The family is the hash tag of its keys, so that on a cluster they lie on one node. A count goes away by itself
    when its window is over.
    """

    def __init__(self, url: str, *, prefix: str = "assay:rate:", timeout_seconds: float = 0.1) -> None:
        self._line = ValkeyLine(url, timeout_seconds)
        self._prefix = prefix

    async def take(self, family: str, charges: Sequence[Charge]) -> Verdict:
        """One round trip; a second one when the server has started since and does not know the script."""
        require_apart(charges)
        if not charges:
            return Verdict((), 0)
        keys = [f"{self._prefix}{{{family}}}:{charge.key}" for charge in charges]
        numbers = [SLICES, *(n for c in charges for n in (c.cost, c.most, slice_width(c.seconds)))]
        try:
            try:
                answer = await self._line.call("EVALSHA", _DIGEST, len(keys), *keys, *numbers)
            except NoScriptError:
                answer = await self._line.call("EVAL", _SCRIPT, len(keys), *keys, *numbers)
        except (ValkeyError, OSError) as error:
            raise Unavailable(f"the rate limiter does not answer ({type(error).__name__})") from error
        at, refused, waits, *left = (int(part) for part in answer)
        return Verdict(tuple(left), at, charges[refused - 1] if refused else None, waits / MICROS)

    async def ping(self) -> None:
        """Raises Unavailable when the server does not answer."""
        try:
            await self._line.call("PING")
        except (ValkeyError, OSError) as error:
            raise Unavailable(f"the rate limiter does not answer ({type(error).__name__})") from error

    async def close(self) -> None:
        """Close the connection."""
        await self._line.close()
