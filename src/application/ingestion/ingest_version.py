"""The job behind a submission: from a kept version to chunks, assertions and facts."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from dataclasses import dataclass, replace

from application.ingestion.artifact_vault import ArtifactVault
from application.ingestion.assertions import Origin, assertion_of
from application.ingestion.extract import Extracted, extract_records, extract_text
from application.ingestion.recipes import RECORDS, RECORDS_VERSION, Recipes
from application.ingestion.sources import CollectionSettings
from application.knowledge.change import BATCH, Change, ChangeWriter, Prepared
from application.knowledge.commit import committed, follow_up
from domain.errors import ArtifactAltered, ArtifactMissing, AssayError, DocumentUnreadable, InvalidInput
from domain.identity.access import Access
from domain.identity.ids import ChunkId, Revision, RunId, VersionId
from domain.identity.principal import PrincipalKind
from domain.ingestion.chunking import chunks
from domain.ingestion.claims import Rejection
from domain.ingestion.gate import AGENT_CONFIDENCE_CAP
from domain.ingestion.parsed import ParsedDocument
from domain.ingestion.routing import Route, Routing, route_by_length, routing_sample
from domain.knowledge.assertion import AssertionState
from domain.ports.document_parser import DocumentParser
from domain.ports.document_router import DocumentRouter
from domain.ports.documents import ChunkRow, CollectionRow, Receipt, Rejected, RunRow, SourceRow, VersionRow
from domain.ports.ids import Ids
from domain.ports.journal import Entry, Head
from domain.ports.key_store import KeyStore
from domain.ports.record import StoredAssertion
from domain.ports.unit_of_work import Transaction, UnitOfWork

_DONE = ("completed", "discarded", "retracted", "erased", "refused", "replaced", "proposed")


@dataclass(frozen=True, slots=True)
class Material:
    """A version and what it is read with."""

    version: VersionRow
    source: SourceRow
    collection: CollectionRow | None
    receipt: Receipt
    parsed: ParsedDocument
    recipe: str
    run: RunRow


class IngestVersion:
    """Extracts a version and writes what it says.

    - Idempotent: run again after a crash it goes on where it was; run again when done it does nothing.
    - What the document's earlier versions said, and what another recipe said of this one, is withdrawn with the last
      batch; a document of at most 1,000 assertions changes in one transaction.
    - A version that cannot be read is failed with the reason; a model or store that is down fails the job instead, and
      it is tried again.
    """

    def __init__(
        self,
        unit_of_work: UnitOfWork,
        vault: ArtifactVault,
        parser: DocumentParser,
        recipes: Recipes,
        router: DocumentRouter | None,
        writer: ChangeWriter,
        keys: KeyStore,
        ids: Ids,
    ) -> None:
        self._unit_of_work = unit_of_work
        self._vault = vault
        self._parser = parser
        self._recipes = recipes
        self._router = router
        self._writer = writer
        self._keys = keys
        self._ids = ids

    async def __call__(self, access: Access, version_id: VersionId) -> Receipt | None:
        """The finished receipt; None when there was nothing to do. Raises Unavailable for what may heal."""
        try:
            material = await self._material(access, version_id)
        except (DocumentUnreadable, InvalidInput, ArtifactMissing, ArtifactAltered) as error:
            return await self._fail(access, version_id, error)
        if material is None:
            return None
        access = _as_submitter(access, material.version)
        routing = await self._route(access, material)
        if routing.route is Route.DISCARD:
            return await self._discard(access, material, routing)
        pieces = self._chunks(material)
        extracted = await self._extract(access, material, pieces)
        return await self._write(access, material, routing, pieces, extracted)

    async def _material(self, access: Access, version_id: VersionId) -> Material | None:
        async with self._unit_of_work(access) as tx:
            version = await tx.documents.version(version_id)
            receipt = await tx.documents.receipt_of(version_id)
            if version is None or receipt is None:
                return None
            source = await tx.documents.source_by_id(version.source_id)
            collections = await tx.documents.collections()
            runs = await tx.documents.runs(version_id)
        redo = version.status == "completed" and receipt.status == "accepted"
        if source is None or (version.status in _DONE and not redo):
            return None
        data = await self._vault.load(version.object_key, version.key_id, version.content_hash)
        parsed = await asyncio.to_thread(self._parser.parse, data, version.content_type, version.record_key)
        collection = next((c for c in collections if c.id == version.collection_id), None)
        recipe = self._recipes.of(parsed, collection, version.mapping)
        # A crashed attempt left its run behind: going on with it, what it stored counts as stored.
        run = next((r for r in runs if r.recipe == recipe), None) or self._run(version, parsed, recipe)
        return Material(version, source, collection, receipt, parsed, recipe, run)

    def _run(self, version: VersionRow, parsed: ParsedDocument, recipe: str) -> RunRow:
        e = self._recipes.extractor
        if parsed.records:
            return RunRow(RunId(self._ids.new()), version.id, recipe, RECORDS, RECORDS_VERSION, None, None, {})
        return RunRow(RunId(self._ids.new()), version.id, recipe, e.name, e.version, e.model, e.prompt_version, {})

    async def _route(self, access: Access, material: Material) -> Routing:
        text = material.parsed.text
        if material.parsed.records:
            return Routing(Route.BOTH, None, "records")
        if self._router is not None:
            try:
                found = await self._router.suggest(
                    routing_sample(text),
                    material.version.title,
                    organization_id=access.organization_id,
                    group_id=access.write_scope,
                )
                return Routing(found.route, found.confidence, found.reason)
            except AssayError as error:
                by_length = route_by_length(text)
                return replace(by_length, reason=f"{by_length.reason}; the router failed: {error.message}")
        return route_by_length(text)

    def _chunks(self, material: Material) -> list[ChunkRow]:
        sizes = CollectionSettings.of(material.collection)
        text = material.parsed.text
        spans = chunks(text, sizes.chunk_size, sizes.chunk_overlap)
        return [
            ChunkRow(ChunkId(self._ids.new()), ordinal, span.start, span.end, span.of(text))
            for ordinal, span in enumerate(spans)
        ]

    async def _extract(self, access: Access, material: Material, pieces: Sequence[ChunkRow]) -> Extracted:
        if material.parsed.records:
            extracted = extract_records(material.parsed, material.version)
        else:
            extracted = await extract_text(
                self._recipes.extractor, access, material.version, material.parsed.text, material.collection, pieces
            )
        problems = tuple(Rejected(p.where, Rejection(p.code, p.message)) for p in material.parsed.problems)
        return replace(extracted, rejected=problems + extracted.rejected)

    async def _write(
        self,
        access: Access,
        material: Material,
        routing: Routing,
        pieces: Sequence[ChunkRow],
        extracted: Extracted,
    ) -> Receipt:
        key = await self._keys.organization_key(access.organization_id)
        origin = _origin(material)
        additions = [assertion_of(c, e, origin, access, key, self._ids) for c, e in extracted.claims]
        batches = [additions[i : i + BATCH] for i in range(0, len(additions), BATCH)] or [[]]
        stored = merged = 0
        for batch in batches[:-1]:
            prepared = await committed(
                self._unit_of_work,
                access,
                lambda tx, batch=batch: self._batch(tx, access, key, material, batch),  # type: ignore[misc]
            )
            stored, merged = stored + _own(prepared, material), merged + _others(prepared, material)
        return await committed(
            self._unit_of_work,
            access,
            lambda tx: self._finish(
                tx, access, key, material, routing, pieces, extracted, batches[-1], (stored, merged)
            ),
        )

    async def _batch(
        self, tx: Transaction, access: Access, key: bytes, material: Material, batch: Sequence[StoredAssertion]
    ) -> Prepared:
        head = await tx.journal.head()
        prepared = await self._writer.prepare(tx.record, head, access, key, Change(additions=batch))
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
        before: tuple[int, int],
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
        prepared = await self._writer.prepare(tx.record, head, access, key, change)
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
        before: tuple[int, int],
        revision: Revision,
    ) -> Receipt:
        stored = before[0] + _own(prepared, material)
        merged = before[1] + _others(prepared, material)
        pending = _origin(material).state is AssertionState.PENDING
        notes = {
            **receipt.notes,
            "route": routing.route.value,
            "route_confidence": routing.confidence,
            "route_reason": routing.reason,
            "model_requests": extracted.requests,
        }
        return replace(
            receipt,
            status="completed",
            recipe=material.recipe,
            items=len(extracted.claims) + len(extracted.rejected),
            stored=0 if pending else stored,
            queued=stored if pending else 0,
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

    async def _discard(self, access: Access, material: Material, routing: Routing) -> Receipt:
        async def work(tx: Transaction) -> Receipt:
            revision = await tx.journal.advance(
                Entry("discard_document", access.write_scope, {"version_id": str(material.version.id)})
            )
            await tx.documents.set_route(material.version.id, "discard", routing.confidence, routing.reason)
            await tx.documents.set_status(material.version.id, "discarded", routing.reason, revision)
            notes = {**material.receipt.notes, "route": "discard", "route_reason": routing.reason}
            finished = replace(material.receipt, status="discarded", notes=notes, revision=revision)
            await tx.documents.update_receipt(finished)
            return finished

        return await committed(self._unit_of_work, access, work)

    async def _fail(self, access: Access, version_id: VersionId, error: AssayError) -> Receipt | None:
        async def work(tx: Transaction) -> Receipt | None:
            receipt = await tx.documents.receipt_of(version_id)
            if receipt is None:
                return None
            revision = await tx.journal.advance(
                Entry("fail_document", access.write_scope, {"version_id": str(version_id), "code": error.code})
            )
            await tx.documents.set_status(version_id, "failed", error.message, revision)
            rejected = (Rejected("document", Rejection(error.code, error.message)),)
            finished = replace(receipt, status="failed", items=1, rejected=1, revision=revision, rejections=rejected)
            await tx.documents.update_receipt(finished)
            return finished

        return await committed(self._unit_of_work, access, work)


def _as_submitter(access: Access, version: VersionRow) -> Access:
    """What a document says is brought by who submitted it, whoever does the job."""
    submitter = replace(access.principal, id=version.principal_id, kind=PrincipalKind(version.principal_kind))
    return replace(access, principal=submitter)


def _origin(material: Material) -> Origin:
    version = material.version
    return Origin(
        source=material.source,
        document_id=version.document_id,
        version_id=version.id,
        run_id=material.run.id,
        state=AssertionState.LIVE if version.gate == "live" else AssertionState.PENDING,
        observed_at=version.published_at or version.retrieved_at,
        published_at=version.published_at,
        # What an agent wrote is the agent's word, however often; what it found is its source's.
        independence=f"principal:{version.principal_id}"
        if material.source.kind == "agent"
        else f"{version.source_id}:{version.content_hash}",
        cap=AGENT_CONFIDENCE_CAP if material.source.kind == "agent" else 1.0,
    )


def _own(prepared: Prepared, material: Material) -> int:
    return len(prepared.rows.assertions) + sum(run == material.run.id for _, run in prepared.repeated)


def _others(prepared: Prepared, material: Material) -> int:
    return prepared.merged - sum(run == material.run.id for _, run in prepared.repeated)
