"""Changing how far a source is trusted, for everything it ever said."""

from __future__ import annotations

from dataclasses import dataclass

from application.knowledge.change import Change, ChangeWriter
from application.knowledge.commit import committed, follow_up
from domain.errors import InvalidInput, NotFound
from domain.identity.access import Access
from domain.identity.ids import Revision, SourceId
from domain.identity.permissions import Action, permit
from domain.ingestion.gate import checked_tier
from domain.ports.journal import Entry, MovedOn
from domain.ports.key_store import KeyStore
from domain.ports.record import Regrade
from domain.ports.unit_of_work import Transaction, UnitOfWork


@dataclass(frozen=True, slots=True)
class Regraded:
    """How many slots were assessed anew and how many standings changed."""

    slots: int
    standings_changed: int
    revision: Revision


class RegradeSource:
    """Sets a source's tier and trust; only reassesses, so that it can be undone by setting them back."""

    def __init__(self, unit_of_work: UnitOfWork, writer: ChangeWriter, keys: KeyStore) -> None:
        self._unit_of_work = unit_of_work
        self._writer = writer
        self._keys = keys

    async def __call__(
        self, access: Access, source_id: SourceId, tier: int, trust: float | None, reason: str | None
    ) -> Regraded:
        """Raises NotFound, InvalidInput for a tier or trust out of range, Forbidden below the role curator."""
        permit(access, Action.REGRADE)
        checked_tier(tier)
        if trust is not None and not 0.0 <= trust <= 1.0:
            raise InvalidInput(f"trust lies between 0 and 1, not {trust}", field="trust")
        key = await self._keys.organization_key(access.organization_id)

        async def work(tx: Transaction) -> Regraded:
            source = await tx.documents.source_by_id(source_id)
            if source is None:
                raise NotFound(f"no source {source_id} in your scopes")
            head = await tx.journal.head()
            slots = await tx.record.slots_of_source(source_id)
            change = Change(touched=slots, regrade=Regrade(source_id, tier, trust))
            prepared = await self._writer.prepare(tx, head, access, key, change)
            revision = await tx.journal.advance(
                Entry(
                    "regrade_source",
                    access.write_scope,
                    {"source_id": str(source_id), "tier": tier, "was": source.tier},
                    reason=reason,
                    placed_under=head,
                    changes_identity=prepared.changes_identity,
                )
            )
            if await tx.record.spoke_since(source_id, head.revision):
                raise MovedOn
            await tx.documents.regrade_source(source, tier, trust, source.withdrawn, revision)
            await tx.record.write(prepared.rows, revision)
            await tx.jobs.enqueue(follow_up(access.write_scope))
            return Regraded(len(slots), len(prepared.rows.open_standings), revision)

        return await committed(self._unit_of_work, access, work)
