"""Documents that grow: typed triples and direct statements are appended to one document of their source."""

from __future__ import annotations

import json
from dataclasses import dataclass

from application.ingestion.artifact_vault import ArtifactVault
from application.ingestion.sources import SourceSpec, ensure_source
from application.knowledge.commit import committed
from domain.errors import Conflict, ContentSuppressed, InvalidInput, shown
from domain.identity.access import Access
from domain.identity.ids import DocumentId, Revision, RunId, VersionId
from domain.ingestion.naming import require_shown
from domain.ports.clock import Clock
from domain.ports.documents import RunRow, SourceRow, VersionRow
from domain.ports.ids import Ids
from domain.ports.journal import Entry
from domain.ports.unit_of_work import Transaction, UnitOfWork

CONTENT_TYPE = "application/vnd.assay.stream+json"
MAX_RECORD_KEY = 1_000


@dataclass(frozen=True, slots=True)
class Stream:
    """An open stream: the document, its one version, and the run that its assertions belong to."""

    source: SourceRow
    document_id: DocumentId
    version_id: VersionId
    run_id: RunId


class Streams:
    """Finds or makes streams. Its artifact is a small header; each item carries its own literal evidence."""

    def __init__(self, unit_of_work: UnitOfWork, vault: ArtifactVault, clock: Clock, ids: Ids) -> None:
        self._unit_of_work = unit_of_work
        self._vault = vault
        self._clock = clock
        self._ids = ids

    async def open(self, access: Access, spec: SourceSpec, record_key: str, extractor: str) -> Stream:
        """The stream of a source under a key; made on first use.

        Raises InvalidInput when the key names a document that is no stream, Conflict when the stream was retracted,
        ContentSuppressed when it was erased.
        """
        if not 1 <= len(record_key.strip()) <= MAX_RECORD_KEY:
            raise InvalidInput(
                f"a record key has 1 to {MAX_RECORD_KEY} characters: {shown(record_key)}", field="record_key"
            )
        require_shown(record_key, "record_key")
        source = await committed(self._unit_of_work, access, lambda tx: ensure_source(tx, access, spec, self._ids))
        async with self._unit_of_work(access) as tx:
            found = await self._existing(tx, source, record_key)
            if found is not None:
                return found
            fingerprints = await self._vault.fingerprints(
                access.organization_id, access.write_scope, source.id, record_key
            )
            if (erasure_id := await tx.erasures.suppressed_by(fingerprints)) is not None:
                raise ContentSuppressed(
                    f"the stream {shown(record_key)} was erased by the erasure {erasure_id}, and is not taken again"
                )
        try:
            return await self._make(access, source, record_key, extractor)
        except Conflict:
            async with self._unit_of_work(access) as tx:
                if (made := await self._existing(tx, source, record_key)) is not None:
                    return made
            raise

    async def _existing(self, tx: Transaction, source: SourceRow, record_key: str) -> Stream | None:
        version = await tx.documents.latest_version(source.id, record_key)
        if version is None:
            return None
        if version.content_type != CONTENT_TYPE:
            raise InvalidInput(
                f"the record {shown(record_key)} of {shown(source.name)} is a document; use another key for a stream",
                field="record_key",
            )
        if version.status == "retracted":
            raise Conflict(f"the stream {shown(record_key)} was retracted; append to another")
        runs = await tx.documents.runs(version.id)
        return Stream(source, version.document_id, version.id, runs[-1].id)

    async def _make(self, access: Access, source: SourceRow, record_key: str, extractor: str) -> Stream:
        now = self._clock.now()
        header = json.dumps({"stream": record_key, "opened_at": now.isoformat()}).encode()
        artifact = await self._vault.store(access.organization_id, access.write_scope, source.id, header)
        stream = Stream(source, DocumentId(self._ids.new()), VersionId(self._ids.new()), RunId(self._ids.new()))
        version = VersionRow(
            id=stream.version_id, document_id=stream.document_id, group_id=access.write_scope, source_id=source.id,
            collection_id=None, record_key=record_key, content_hash=artifact.content_hash, title=record_key,
            content_type=CONTENT_TYPE, source_type=source.kind, source_uri=None, published_at=None, retrieved_at=now,
            mapping=None, gate="live", principal_id=access.principal.id, principal_kind=access.principal.kind.value,
            status="completed", status_detail=None, route="facts", revision=Revision(0),
            object_key=artifact.object_key, key_id=artifact.key_id,
        )  # fmt: skip
        run = RunRow(stream.run_id, stream.version_id, f"{extractor}/1", extractor, "1", None, None, {})
        async with self._unit_of_work(access) as tx:
            revision = await tx.journal.advance(
                Entry("open_stream", access.write_scope, {"document_id": str(stream.document_id)})
            )
            await tx.documents.add_document(stream.document_id, source.id, None, record_key, revision)
            await tx.documents.add_version(version, artifact, revision)
            await tx.documents.add_run(run, revision)
        return stream
