"""The job behind a submission: from a kept version to chunks, assertions and facts."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from application.ingestion.extract import Extracted, extract_records, extract_text
from application.ingestion.read_version import Material, ReadVersion
from application.ingestion.sources import CollectionSettings
from application.ingestion.write_version import WriteVersion
from application.knowledge.commit import committed
from domain.errors import ArtifactAltered, ArtifactMissing, AssayError, DocumentUnreadable, InvalidInput
from domain.identity.access import Access
from domain.identity.ids import ChunkId, VersionId
from domain.identity.principal import PrincipalKind
from domain.ingestion.chunking import chunks
from domain.ingestion.claims import Rejection
from domain.ingestion.routing import Route, Routing, route_by_length, routing_sample
from domain.ports.claim_extractor import ClaimExtractor
from domain.ports.document_router import DocumentRouter
from domain.ports.documents import ChunkRow, Receipt, Rejected, VersionRow
from domain.ports.ids import Ids
from domain.ports.journal import Entry
from domain.ports.unit_of_work import Transaction, UnitOfWork


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
        read: ReadVersion,
        router: DocumentRouter | None,
        extractor: ClaimExtractor,
        write: WriteVersion,
        ids: Ids,
    ) -> None:
        self._unit_of_work = unit_of_work
        self._read = read
        self._router = router
        self._extractor = extractor
        self._write = write
        self._ids = ids

    async def __call__(self, access: Access, version_id: VersionId) -> Receipt | None:
        """The finished receipt; None when there was nothing to do. Raises Unavailable for what may heal."""
        try:
            material = await self._read(access, version_id)
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
                self._extractor, access, material.version, material.parsed, material.collection, pieces
            )
        problems = tuple(Rejected(p.where, Rejection(p.code, p.message)) for p in material.parsed.problems)
        return replace(extracted, rejected=problems + extracted.rejected)

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
