"""Writing what a version says: its assertions, its chunks, and what became of every item."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from application.ingestion.assertions import Origin, assertion_of, waiting_in
from application.ingestion.extract import Extracted
from application.ingestion.find_copies import CopyFinder, Independence, document_key
from application.ingestion.read_version import Material
from application.knowledge.change import BATCH, Change, ChangeWriter, Prepared
from application.knowledge.commit import committed, follow_up
from domain.identity.access import Access
from domain.identity.ids import Revision
from domain.ingestion.gate import AGENT_CONFIDENCE_CAP
from domain.ingestion.parsed import ParsedDocument
from domain.ingestion.routing import Route, Routing
from domain.knowledge.assertion import AssertionState, Claim, Evidence
from domain.ports.documents import ChunkRow, Receipt
from domain.ports.ids import Ids
from domain.ports.journal import Entry, Head
from domain.ports.key_store import KeyStore
from domain.ports.record import StoredAssertion
from domain.ports.unit_of_work import Transaction, UnitOfWork


class WriteVersion:
    """Batches of 1,000 assertions; the last one withdraws what is no longer said, and finishes the receipt."""

    def __init__(
        self,
        unit_of_work: UnitOfWork,
        writer: ChangeWriter,
        keys: KeyStore,
        ids: Ids,
        copies: CopyFinder | None = None,
    ) -> None:
        self._unit_of_work = unit_of_work
        self._writer = writer
        self._keys = keys
        self._ids = ids
        self._copies = copies

    async def __call__(
        self,
        access: Access,
        material: Material,
        routing: Routing,
        pieces: Sequence[ChunkRow],
        extracted: Extracted,
    ) -> Receipt:
        """The finished receipt. Raises Unavailable."""
        key = await self._keys.organization_key(access.organization_id)
        additions = await self._additions(access, material, extracted.claims, key)
        batches = [additions[i : i + BATCH] for i in range(0, len(additions), BATCH)] or [[]]
        stored = merged = queued = 0
        for batch in batches[:-1]:
            prepared = await committed(
                self._unit_of_work,
                access,
                lambda tx, batch=batch: self._batch(tx, access, key, material, batch),  # type: ignore[misc]
            )
            stored, merged = stored + _own(prepared, material), merged + _others(prepared, material)
            queued += waiting_in(prepared.rows)
        return await committed(
            self._unit_of_work,
            access,
            lambda tx: self._finish(
                tx, access, key, material, routing, pieces, extracted, batches[-1], (stored, merged, queued)
            ),
        )

    async def _additions(
        self, access: Access, material: Material, claims: Sequence[tuple[Claim, Evidence]], key: bytes
    ) -> list[StoredAssertion]:
        own = Independence(document_key(material, key))
        if self._copies is not None:
            own = await self._copies(access, material, [evidence for _, evidence in claims], key)
        origins = {each: _origin(material, each) for each in {own.document, *own.places.values()}}
        return [assertion_of(c, e, origins[own.of(e)], access, key, self._ids) for c, e in claims]

    async def _batch(
        self, tx: Transaction, access: Access, key: bytes, material: Material, batch: Sequence[StoredAssertion]
    ) -> Prepared:
        head = await tx.journal.head()
        prepared = await self._writer.prepare(tx, head, access, key, Change(additions=batch))
        if prepared.rows.empty:
            return prepared
        revision = await tx.journal.advance(self._entry("ingest_part", access, material, head, prepared))
        await self._add_run(tx, material, revision)
        await tx.record.write(prepared.rows, revision)
        await tx.jobs.enqueue(follow_up(access.write_scope))
        return prepared

    async def _finish(
        self,
        tx: Transaction,
        access: Access,
        key: bytes,
        material: Material,
        routing: Routing,
        pieces: Sequence[ChunkRow],
        extracted: Extracted,
        batch: Sequence[StoredAssertion],
        before: tuple[int, int, int],
    ) -> Receipt:
        version, receipt = material.version, await tx.documents.receipt(material.receipt.id, lock=True)
        if receipt is None or receipt.status not in ("accepted", "processing"):
            return receipt or material.receipt
        head = await tx.journal.head()
        known = await tx.record.known_items(version.document_id, [a.key for a in batch])
        kept = {assertion_id for assertion_id, _ in known.values()}
        stale = await tx.record.placed_by_document(version.document_id, version.id)
        stale += await tx.record.placed_by_version(
            version.id, (AssertionState.LIVE, AssertionState.PENDING), material.run.id
        )
        transitions = [(p, AssertionState.WITHDRAWN) for p in stale if p.assertion_id not in kept]
        change = Change(additions=batch, transitions=transitions)
        prepared = await self._writer.prepare(tx, head, access, key, change)
        revision = await tx.journal.advance(self._entry("ingest", access, material, head, prepared))
        await self._add_run(tx, material, revision)
        await tx.record.write(prepared.rows, revision)
        await self._keep_text(tx, material, routing, pieces, revision)
        finished = self._finished(receipt, material, routing, extracted, prepared, before, revision)
        await tx.documents.update_receipt(finished)
        await tx.jobs.enqueue(follow_up(access.write_scope))
        return finished

    async def _keep_text(
        self,
        tx: Transaction,
        material: Material,
        routing: Routing,
        pieces: Sequence[ChunkRow],
        revision: Revision,
    ) -> None:
        version = material.version
        others = [v for v in await tx.documents.document_versions(version.document_id) if v.id != version.id]
        await tx.documents.close_chunks([version.id, *(v.id for v in others)], revision)
        for other in others:
            if other.status == "completed":
                await tx.documents.set_status(other.id, "replaced", f"by version {version.id}", revision)
        await tx.documents.set_text(version.id, material.parsed.text, material.parsed.title)
        await tx.documents.set_route(version.id, routing.route.value, routing.confidence, routing.reason)
        await tx.documents.add_chunks(version.id, version.document_id, pieces, routing.route is Route.BOTH, revision)
        await tx.documents.set_status(version.id, "completed", None, revision)

    def _finished(
        self,
        receipt: Receipt,
        material: Material,
        routing: Routing,
        extracted: Extracted,
        prepared: Prepared,
        before: tuple[int, int, int],
        revision: Revision,
    ) -> Receipt:
        stored = before[0] + _own(prepared, material)
        merged = before[1] + _others(prepared, material)
        pending = _state(material) is AssertionState.PENDING
        queued = stored if pending else before[2] + waiting_in(prepared.rows)
        notes = {
            **receipt.notes,
            "route": routing.route.value,
            "route_confidence": routing.confidence,
            "route_reason": routing.reason,
            "model_requests": extracted.requests,
            **extracted.notes,
            **_rows_of(material.parsed),
        }
        return replace(
            receipt,
            status="completed",
            recipe=material.recipe,
            items=len(extracted.claims) + len(extracted.rejected),
            stored=stored - queued,
            queued=queued,
            merged=merged,
            rejected=len(extracted.rejected),
            notes=notes,
            revision=revision,
            rejections=extracted.rejected,
        )

    async def _add_run(self, tx: Transaction, material: Material, revision: Revision) -> None:
        if all(run.id != material.run.id for run in await tx.documents.runs(material.version.id)):
            await tx.documents.add_run(material.run, revision)

    def _entry(self, kind: str, access: Access, material: Material, head: Head, prepared: Prepared) -> Entry:
        return Entry(
            kind,
            access.write_scope,
            {
                "document_id": str(material.version.document_id),
                "version_id": str(material.version.id),
                "assertions": len(prepared.rows.assertions),
                "withdrawn": len(prepared.rows.close_placements),
            },
            placed_under=head,
            changes_identity=prepared.changes_identity,
        )


def _state(material: Material) -> AssertionState:
    return AssertionState.LIVE if material.version.gate == "live" else AssertionState.PENDING


def _origin(material: Material, independence: str) -> Origin:
    version = material.version
    return Origin(
        source=material.source,
        document_id=version.document_id,
        version_id=version.id,
        run_id=material.run.id,
        state=_state(material),
        observed_at=version.published_at or version.retrieved_at,
        published_at=version.published_at,
        independence=independence,
        cap=AGENT_CONFIDENCE_CAP if material.source.kind == "agent" else 1.0,
    )


def _own(prepared: Prepared, material: Material) -> int:
    return len(prepared.rows.assertions) + sum(run == material.run.id for _, run in prepared.repeated)


def _others(prepared: Prepared, material: Material) -> int:
    return prepared.merged - sum(run == material.run.id for _, run in prepared.repeated)


def _rows_of(parsed: ParsedDocument) -> dict[str, object]:
    """How the lines of a file of records add up: these, the header, and every rejected row."""
    counted = {"records": len(parsed.records), "blank_lines": parsed.blank_lines}
    return {name: number for name, number in counted.items() if number}
