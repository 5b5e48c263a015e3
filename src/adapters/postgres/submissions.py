"""Receipts and proposals on PostgreSQL."""

from __future__ import annotations

from collections.abc import Mapping
from uuid import UUID

import asyncpg

from adapters.postgres.journal import RequireKept
from adapters.postgres.pool import Connection
from adapters.postgres.rows import from_json, to_json
from adapters.postgres.statements import statements
from domain.errors import InvalidInput
from domain.identity.access import Access
from domain.identity.ids import ProposalId, ReceiptId, Revision, VersionId
from domain.ingestion.claims import Rejection, place_order
from domain.ports.documents import ProposalRow, Receipt, Rejected

_SQL = statements("documents")
_OPEN = ("accepted", "processing", "proposed")


class PostgresSubmissions:
    """The half of ``Documents`` that says what became of a submission."""

    def __init__(self, connection: Connection, access: Access, require_kept: RequireKept | None = None) -> None:
        self._connection = connection
        self._access = access
        self._require_kept = require_kept

    async def add_receipt(self, receipt: Receipt) -> None:
        await self._connection.execute(
            _SQL["add_receipt"], self._access.write_scope, receipt.id, self._access.principal.id, receipt.kind,
            receipt.document_id, receipt.version_id, receipt.status, receipt.recipe, receipt.items, receipt.stored,
            receipt.merged, receipt.queued, receipt.rejected, to_json(receipt.notes), receipt.revision,
            receipt.status not in _OPEN,
        )  # fmt: skip
        await self._add_rejections(receipt)

    async def update_receipt(self, receipt: Receipt) -> None:
        await self._connection.execute(
            _SQL["update_receipt"], receipt.id, receipt.status, receipt.document_id, receipt.version_id, receipt.recipe,
            receipt.items, receipt.stored, receipt.merged, receipt.queued, receipt.rejected, to_json(receipt.notes),
            receipt.revision, receipt.status not in _OPEN,
        )  # fmt: skip
        await self._add_rejections(receipt)

    async def interrupt_receipts(self, version_id: VersionId, kind: str, again: ReceiptId) -> None:
        await self._connection.execute(_SQL["interrupt_receipts"], version_id, kind, again, self._access.write_scope)

    async def _add_rejections(self, receipt: Receipt) -> None:
        if receipt.rejections:
            rows = [(r.place, r.rejection.code, r.rejection.detail) for r in receipt.rejections]
            await self._connection.execute(
                _SQL["add_rejections"], self._access.write_scope, receipt.id, *zip(*rows, strict=True)
            )

    async def receipt(self, receipt_id: ReceiptId, *, lock: bool = False) -> Receipt | None:
        if lock:
            await self._connection.fetchval(_SQL["lock_receipt"], receipt_id)
        row = await self._connection.fetchrow(_SQL["receipt"], receipt_id)
        if row is None:
            return None
        rejections = await self._connection.fetch(_SQL["rejections"], receipt_id)
        listed = [Rejected(place, Rejection(code, detail)) for place, code, detail in rejections]
        return _receipt(row, tuple(sorted(listed, key=lambda each: place_order(each.place))))

    async def receipt_of(self, version_id: VersionId) -> Receipt | None:
        row = await self._connection.fetchrow(_SQL["receipt_of"], version_id)
        return _receipt(row) if row else None

    async def receipts(self, after: ReceiptId | None, limit: int) -> list[Receipt]:
        return [_receipt(row) for row in await self._connection.fetch(_SQL["receipts"], after, limit)]

    async def add_proposal(
        self, proposal_id: ProposalId, kind: str, target_id: UUID, payload: Mapping[str, object], revision: Revision
    ) -> None:
        await self._connection.execute(
            _SQL["add_proposal"], self._access.write_scope, proposal_id, kind, target_id, to_json(payload),
            self._access.principal.id, revision,
        )  # fmt: skip

    async def proposal(self, proposal_id: ProposalId, *, lock: bool = False) -> ProposalRow | None:
        if lock:
            await self._connection.fetchval(_SQL["lock_proposal"], proposal_id)
        rows = await self._connection.fetch(_SQL["proposals"], proposal_id, None, None, None, 1)
        return _proposal(rows[0]) if rows else None

    async def proposals(
        self, state: str | None, kind: str | None, after: ProposalId | None, limit: int
    ) -> list[ProposalRow]:
        rows = await self._connection.fetch(_SQL["proposals"], None, state, kind, after, limit)
        return [_proposal(row) for row in rows]

    async def waiting_proposals(self, kind: str, target_id: UUID) -> list[ProposalRow]:
        return [_proposal(row) for row in await self._connection.fetch(_SQL["waiting_proposals"], kind, target_id)]

    async def decide_proposal(self, proposal_id: ProposalId, state: str, reason: str | None) -> None:
        if reason is not None and self._require_kept is not None:
            self._require_kept(reason)
        decided = await self._connection.execute(
            _SQL["decide_proposal"], proposal_id, state, self._access.principal.id, reason
        )
        if decided != "UPDATE 1":
            raise InvalidInput(
                "the proposal belongs to another scope than the one you write in; name that scope", field="scope"
            )


def _receipt(row: asyncpg.Record, rejections: tuple[Rejected, ...] = ()) -> Receipt:
    values = dict(row)
    return Receipt(
        id=values.pop("receipt_id"), notes=from_json(values.pop("notes")) or {}, rejections=rejections, **values
    )


def _proposal(row: asyncpg.Record) -> ProposalRow:
    values = dict(row)
    return ProposalRow(
        id=values.pop("proposal_id"),
        payload=from_json(values.pop("payload")) or {},
        principal_name=values.pop("name"),
        **values,
    )
