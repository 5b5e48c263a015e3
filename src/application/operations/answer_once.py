"""One answer for a request that is sent again under the same idempotency key."""

from __future__ import annotations

import hashlib
from collections.abc import Awaitable, Callable
from datetime import timedelta

from domain.errors import Conflict, IdempotencyKeyReused, InvalidInput, shown
from domain.identity.access import Access
from domain.ports.clock import Clock
from domain.ports.idempotency import IdempotencyKeys

LONGEST = 200
"""Characters in a key."""
ABANDONED_AFTER = timedelta(minutes=10)
"""A request that has no answer by then died with its process; the effects of its repetition are once all the same."""


class StillAtWork(Conflict):
    """The first request with this key has no answer yet."""

    code = "still_at_work"
    retryable = True


class AnswerOnce:
    """Answers a repeated request with the first answer.

    - The same key with another request is refused.
    - A request that failed leaves its key free: it may be corrected or sent again.
    """

    def __init__(self, keys: IdempotencyKeys, clock: Clock) -> None:
        self._keys = keys
        self._clock = clock

    async def __call__(
        self, access: Access, key: str, request: bytes, produce: Callable[[], Awaitable[bytes]]
    ) -> tuple[bytes, bool]:
        """The answer, and whether it is a kept one. ``request`` is everything that makes it the same request.

        Raises InvalidInput for a key that is none, IdempotencyKeyReused, StillAtWork, and what ``produce`` raises.
        """
        if not 1 <= len(key) <= LONGEST or not key.isprintable():
            raise InvalidInput(
                f"an idempotency key is 1 to {LONGEST} printable characters, not {shown(key)}", field="Idempotency-Key"
            )
        digest = hashlib.sha256(request).digest()
        kept = await self._keys.take(access, key, digest)
        if kept is not None:
            if kept.request_hash != digest:
                raise IdempotencyKeyReused(
                    f"the key {shown(key)} was used for another request; use a new one", field="Idempotency-Key"
                )
            if kept.response is not None:
                return kept.response, True
            if self._clock.now() - kept.created_at < ABANDONED_AFTER:
                raise StillAtWork(f"the first request with the key {shown(key)} is still at work; ask again")
        try:
            answer = await produce()
        except BaseException:
            await self._keys.release(access, key)
            raise
        await self._keys.keep(access, key, answer)
        return answer, False
