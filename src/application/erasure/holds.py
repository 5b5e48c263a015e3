"""Legal holds: what must not be erased, and why."""

from __future__ import annotations

from application.erasure.place import located
from application.knowledge.commit import committed
from domain.erasure.targets import Target, checked_reason
from domain.errors import Conflict, InvalidInput, NotFound
from domain.identity.access import Access
from domain.identity.permissions import Action, permit
from domain.ports.clock import Clock
from domain.ports.erasure import HoldId, HoldRow
from domain.ports.ids import Ids
from domain.ports.journal import Entry
from domain.ports.unit_of_work import Transaction, UnitOfWork


class LegalHolds:
    """Places and lifts holds on documents, sources and entities.

    - A hold refuses the erasure of its target, of what contains the target, and of documents that mention it.
    - Both acts are journalled with their reasons; a lifted hold stays listed.
    - Several holds may lie on one target; each has to be lifted.
    """

    def __init__(self, unit_of_work: UnitOfWork, clock: Clock, ids: Ids) -> None:
        self._unit_of_work = unit_of_work
        self._clock = clock
        self._ids = ids

    async def place(self, access: Access, target: Target, reason: str) -> HoldRow:
        """Raises Forbidden, InvalidInput, NotFound, Conflict for what was erased."""
        permit(access, Action.HOLD)
        reason = checked_reason(reason)

        async def work(tx: Transaction) -> HoldRow:
            group = await located(tx, access, target, more_may_come=True)
            hold_id = HoldId(self._ids.new())
            entry = Entry("place_hold", group, {"hold_id": str(hold_id), "target_id": str(target.id)}, reason=reason)
            revision = await tx.journal.advance(entry)
            # An erasure may have gone first while the head was waited for.
            await located(tx, access, target, more_may_come=True)
            await tx.erasures.place_hold(
                HoldRow(hold_id, group, target, reason, access.principal.id, revision, self._clock.now())
            )
            placed = await tx.erasures.hold(hold_id)
            assert placed is not None
            return placed

        return await committed(self._unit_of_work, access, work)

    async def lift(self, access: Access, hold_id: HoldId, reason: str) -> HoldRow:
        """Raises Forbidden, InvalidInput, NotFound, Conflict for one that was lifted."""
        permit(access, Action.HOLD)
        reason = checked_reason(reason)

        async def work(tx: Transaction) -> HoldRow:
            hold = await tx.erasures.hold(hold_id)
            if hold is None:
                raise NotFound(f"no legal hold {hold_id} in your scopes")
            if hold.group_id not in access.writable:
                raise InvalidInput("the hold lies in another scope than the one you write in; name that", field="scope")
            revision = await tx.journal.advance(
                Entry("lift_hold", hold.group_id, {"hold_id": str(hold_id)}, reason=reason)
            )
            if not await tx.erasures.lift_hold(hold_id, access.principal.id, reason, revision):
                raise Conflict(f"the legal hold {hold_id} was lifted before")
            lifted = await tx.erasures.hold(hold_id)
            assert lifted is not None
            return lifted

        return await committed(self._unit_of_work, access, work)
