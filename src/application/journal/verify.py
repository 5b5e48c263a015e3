"""Whether a journal is whole, and the anchor by which that can be told from outside."""

from __future__ import annotations

from application.identity.access import AccessResolver
from application.projection.tenant import organization_wide
from domain.errors import InvalidInput
from domain.identity.access import Access
from domain.identity.ids import Revision
from domain.journal.verification import SHOWN_FAULTS, Anchor, Fault, FaultKind, JournalVerified, payload_faults
from domain.ports.unit_of_work import UnitOfWork

PORTION = 5_000
"""Payloads that are looked at in one transaction."""


class VerifyJournal:
    """Recomputes an organization's chain and every commitment in it.

    - It finds an entry that was changed, is missing (in the middle, or at the end against the head), stands elsewhere
      or was replaced, and a payload that is not what was committed to.
    - A payload that was erased together with its salt is no fault; it is counted.
    - With an anchor from an earlier export it also finds a journal that was rewritten as a whole.
    """

    def __init__(self, resolver: AccessResolver, unit_of_work: UnitOfWork) -> None:
        self._resolver = resolver
        self._unit_of_work = unit_of_work

    async def __call__(self, access: Access, anchor: Anchor | None = None) -> JournalVerified:
        """Raises Forbidden unless the caller operates the organization, InvalidInput for an anchor of another one."""
        whole = await organization_wide(self._resolver, access)
        if anchor is not None and anchor.organization_id != access.organization_id:
            raise InvalidInput("the anchor is of another organization; use the key of that one", field="anchor")
        async with self._unit_of_work(whole) as tx:
            head = await tx.chronicle.seal()
            faults = await tx.chronicle.chain_faults(SHOWN_FAULTS)
            held = anchor if anchor is not None and anchor.revision > 0 else None
            if held is not None and await tx.chronicle.hash_at(held.revision) != held.hash:
                faults.append(Fault(held.revision, held.revision, FaultKind.ANCHOR))
        entries, erased, after = 0, 0, Revision(0)
        while True:
            async with self._unit_of_work(whole) as tx:
                portion = await tx.chronicle.commitments(after, PORTION)
            if not portion:
                break
            faults += payload_faults(portion)
            entries, after = entries + len(portion), portion[-1].revision
            erased += sum(each.salt is None and each.payload is None for each in portion)
        faults.sort(key=lambda fault: (fault.revision, fault.kind))
        return JournalVerified(head, entries, erased, tuple(faults[:SHOWN_FAULTS]))
