"""A journal as lines, under an anchor."""

from __future__ import annotations

from collections.abc import AsyncIterator, Mapping

from application.identity.access import AccessResolver
from application.projection.tenant import organization_wide
from domain.identity.access import Access
from domain.identity.ids import GroupId, Revision
from domain.identity.scope_name import ScopeKind, kind_of
from domain.journal.verification import Anchor
from domain.ports.unit_of_work import UnitOfWork

PORTION = 1_000


class ExportJournal:
    """Gives every entry up to the head of the moment, in order, and the anchor of that head.

    - An entry has every field that its hash is made of, so that the chain can be checked without the database.
    - A payload that was erased is null.
    - Entries of personal scopes come without payload and reason, marked ``withheld``: a scope of that kind is its
      owner's alone. Such an entry still links the chain, but its own hash cannot be made again from what is there.
    """

    def __init__(self, resolver: AccessResolver, unit_of_work: UnitOfWork) -> None:
        self._resolver = resolver
        self._unit_of_work = unit_of_work

    async def anchor(self, access: Access) -> Anchor:
        """The head of the moment. Raises Forbidden unless the caller operates the organization."""
        whole = await organization_wide(self._resolver, access)
        async with self._unit_of_work(whole) as tx:
            return await tx.chronicle.seal()

    async def __call__(self, access: Access, up_to: Revision) -> AsyncIterator[Mapping[str, object]]:
        """The entries up to a revision. Raises Forbidden."""
        whole = await organization_wide(self._resolver, access)
        after = Revision(0)
        while True:
            async with self._unit_of_work(whole) as tx:
                portion = await tx.chronicle.links(after, up_to, PORTION)
            if not portion:
                return
            for entry in portion:
                yield _shared(entry)
            after = Revision(int(str(portion[-1]["revision"])))


def _shared(entry: Mapping[str, object]) -> Mapping[str, object]:
    if kind_of(GroupId(str(entry["group_id"]))) is not ScopeKind.PERSONAL:
        return entry
    return {**entry, "payload": None, "reason": None, "withheld": True}
