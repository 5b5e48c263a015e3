"""Making and opening read points: signed tokens that pin both times of every read they are sent with."""

from __future__ import annotations

from datetime import datetime, timedelta

from application.retrieval.system_time import revision_of
from domain.errors import InvalidInput
from domain.identity.access import Access
from domain.identity.ids import Revision
from domain.identity.permissions import Action, permit
from domain.knowledge.time import require_aware
from domain.ports.clock import Clock
from domain.ports.key_store import KeyStore
from domain.ports.operations import Operations
from domain.ports.unit_of_work import UnitOfWork
from domain.retrieval.look_ahead import Pin, sealed, unsealed
from domain.retrieval.reading import ReadPoint

LONGEST = 30 * 24 * 3600
"""Seconds that a token may last."""


class ReadPoints:
    """Pins both times for whoever must not look ahead.

    - A read with a token asks about no later moment and no later record than it pins; what asks for more is refused.
    - Nothing that was not out at the moment is shown: no end still to come, no later document.
    - A token is the organization's, signed with its key, and ends.
    """

    def __init__(self, unit_of_work: UnitOfWork, operations: Operations, keys: KeyStore, clock: Clock) -> None:
        self._unit_of_work = unit_of_work
        self._operations = operations
        self._keys = keys
        self._clock = clock

    async def make(
        self, access: Access, as_of: datetime | None, known_at: Revision | datetime | None, seconds: int = 3600
    ) -> tuple[str, Pin]:
        """A token and what it pins; a time that is left out is now. Raises InvalidInput."""
        permit(access, Action.READ)
        if not 1 <= seconds <= LONGEST:
            raise InvalidInput(f"seconds is 1 to {LONGEST}, not {seconds}", field="seconds")
        now = self._clock.now()
        revision = await revision_of(self._unit_of_work, self._operations, access, known_at)
        if revision is None:
            revision = (await self._operations.watermarks(access)).head
        moment = now if as_of is None else require_aware(as_of, "as_of")
        pin = Pin(access.organization_id, moment, revision, now + timedelta(seconds=seconds))
        return sealed(pin, await self._keys.organization_key(access.organization_id)), pin

    async def held(self, access: Access, token: str | None, point: ReadPoint) -> ReadPoint:
        """The point within what a token pins; as it is without one. Raises InvalidInput."""
        if token is None:
            return point
        key = await self._keys.organization_key(access.organization_id)
        return unsealed(token, key, access.organization_id, self._clock.now()).hold(point)
