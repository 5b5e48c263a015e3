"""Taking back: an assertion, a document or a source. Facts that others support stay; no model is asked."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass

from application.knowledge.change import Change, ChangeWriter, Prepared
from application.knowledge.commit import committed, follow_up
from domain.errors import NotFound
from domain.identity.access import Access
from domain.identity.ids import AssertionId, DocumentId, Revision, SourceId
from domain.identity.permissions import Action, permit
from domain.knowledge.assertion import AssertionState
from domain.ports.documents import VersionRow
from domain.ports.journal import Entry
from domain.ports.key_store import KeyStore
from domain.ports.record import PlacedAssertion
from domain.ports.unit_of_work import Transaction, UnitOfWork


@dataclass(frozen=True, slots=True)
class Retracted:
    """What a retraction did; ``revision`` is None when there was nothing left to take back."""

    assertions: int
    standings_changed: int
    revision: Revision | None


class Retract:
    """Withdraws assertions and assesses the slots they touched, in one transaction.

    - Retracting one of two sources keeps the fact; retracting both retracts it.
    - A retracted document or source stays listed, as retracted, with its receipts.
    - Unknown ids and those of other tenants are not found.
    """

    def __init__(self, unit_of_work: UnitOfWork, writer: ChangeWriter, keys: KeyStore) -> None:
        self._unit_of_work = unit_of_work
        self._writer = writer
        self._keys = keys

    async def assertion(self, access: Access, assertion_id: AssertionId, reason: str | None) -> Retracted:
        """Take back one assertion, for good: reading its document again does not bring it back."""
        permit(access, Action.RETRACT)

        async def work(tx: Transaction) -> Retracted:
            placed = await tx.record.placed([assertion_id])
            if not placed:
                raise NotFound(f"no assertion {assertion_id} in your scopes")
            return await self._withdraw(
                tx, access, placed, AssertionState.REJECTED, "retract_assertion", reason, lambda _: _nothing()
            )

        return await committed(self._unit_of_work, access, work)

    async def document(self, access: Access, document_id: DocumentId, reason: str | None) -> Retracted:
        """Take back a document: all its versions' assertions and chunks."""
        permit(access, Action.RETRACT)

        async def work(tx: Transaction) -> Retracted:
            versions = await tx.documents.document_versions(document_id)
            if not versions:
                raise NotFound(f"no document {document_id} in your scopes")
            placed = await tx.record.placed_by_document(document_id, None)
            return await self._withdraw(
                tx,
                access,
                placed,
                AssertionState.WITHDRAWN,
                "retract_document",
                reason,
                lambda revision: _close(tx, versions, reason, revision),
            )

        return await committed(self._unit_of_work, access, work)

    async def source(self, access: Access, source_id: SourceId, reason: str | None) -> Retracted:
        """Take back a source with every document it gave."""
        permit(access, Action.RETRACT)

        async def work(tx: Transaction) -> Retracted:
            source = await tx.documents.source_by_id(source_id)
            if source is None:
                raise NotFound(f"no source {source_id} in your scopes")
            placed = await tx.record.placed_by_source(source_id)
            versions: list[VersionRow] = []
            after: DocumentId | None = None
            while page := await tx.documents.documents(source=source.name, after=after, limit=500):
                for latest in page:
                    versions += await tx.documents.document_versions(latest.document_id)
                after = page[-1].document_id

            async def close(revision: Revision) -> None:
                await _close(tx, versions, reason, revision)
                await tx.documents.regrade_source(source, source.tier, source.trust, True, revision)

            return await self._withdraw(tx, access, placed, AssertionState.WITHDRAWN, "retract_source", reason, close)

        return await committed(self._unit_of_work, access, work)

    async def _withdraw(
        self,
        tx: Transaction,
        access: Access,
        placed: Sequence[PlacedAssertion],
        state: AssertionState,
        kind: str,
        reason: str | None,
        also: Callable[[Revision], Awaitable[None]],
    ) -> Retracted:
        key = await self._keys.organization_key(access.organization_id)
        head = await tx.journal.head()
        change = Change(transitions=[(p, state) for p in placed])
        prepared: Prepared = await self._writer.prepare(tx, head, access, key, change)
        revision = await tx.journal.advance(
            Entry(
                kind,
                access.write_scope,
                {"assertions": len(prepared.rows.close_placements)},
                reason=reason,
                placed_under=head,
                changes_identity=prepared.changes_identity,
            )
        )
        await tx.record.write(prepared.rows, revision)
        await also(revision)
        await tx.jobs.enqueue(follow_up(access.write_scope))
        return Retracted(len(prepared.rows.close_placements), len(prepared.rows.close_standings), revision)


async def _nothing() -> None:
    """An assertion has nothing else to close."""


async def _close(tx: Transaction, versions: Sequence[VersionRow], reason: str | None, revision: Revision) -> None:
    await tx.documents.close_chunks([v.id for v in versions], revision)
    for version in versions:
        if version.status not in ("retracted", "erased"):
            await tx.documents.set_status(version.id, "retracted", reason, revision)
