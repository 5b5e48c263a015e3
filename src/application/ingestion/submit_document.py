"""Submitting a document: it is read, gated and kept; the rest is a job."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass, replace

from application.ingestion.artifact_vault import ArtifactVault
from application.ingestion.intake import Intake
from application.ingestion.recipes import Recipes
from application.ingestion.sources import ensure_collection, ensure_source
from application.ingestion.submission import (
    DocumentSubmission,
    content_type_of,
    origin_of,
    require_mapped_columns,
    require_possible,
)
from application.knowledge.commit import committed
from domain.errors import ContentSuppressed
from domain.identity.access import Access
from domain.identity.ids import DocumentId, ProposalId, ReceiptId, Revision, VersionId
from domain.identity.permissions import Action, permit
from domain.ingestion.artifacts import StoredArtifact
from domain.ingestion.claims import Rejection
from domain.ingestion.gate import DocumentGate, GatePolicy, gate_document
from domain.ingestion.parsed import ParsedDocument
from domain.ingestion.screening import Screened
from domain.ingestion.sensitive import SensitivePolicy
from domain.ports.clock import Clock
from domain.ports.documents import CollectionRow, Receipt, Rejected, SourceRow, VersionRow
from domain.ports.ids import Ids
from domain.ports.job_queue import Job, JobKind
from domain.ports.journal import Entry
from domain.ports.unit_of_work import Transaction, UnitOfWork

_GONE = ("retracted", "erased", "refused", "failed")


@dataclass(frozen=True, slots=True)
class _Prepared:
    """Where a submission belongs, and what is done with secrets there; a receipt when it is refused."""

    source: SourceRow
    collection: CollectionRow | None
    policy: SensitivePolicy
    refused: Receipt | None = None


@dataclass(frozen=True, slots=True)
class _Read:
    """A submission as it may be kept: its title and text are masked. ``screening`` goes with the version."""

    submission: DocumentSubmission
    parsed: ParsedDocument
    source: SourceRow
    collection: CollectionRow | None
    screened: Screened
    screening: Mapping[str, object]


class SubmitDocument:
    """Keeps a document and answers with a receipt.

    - The bytes must be readable; an unreadable, empty or oversized document changes nothing.
    - The same content of the same record, extracted with the present recipe, is a no-op that says so.
    - The gate decides by the scope's policy, the source's tier and who submits: live, pending, or a proposal of which
      only bytes and metadata exist until a person approves it.
    - Secrets and personal data are masked by the scope's and the collection's policy before anything else reads the
      text; a kind under quarantine, or text that reads like an instruction to a model, waits for a person.
    - A record or a content that was erased is refused before it is stored, with a receipt that says so.
    - Everything slower than keeping it is done by a job of the same transaction.
    """

    def __init__(
        self,
        unit_of_work: UnitOfWork,
        vault: ArtifactVault,
        intake: Intake,
        recipes: Recipes,
        clock: Clock,
        ids: Ids,
    ) -> None:
        self._unit_of_work = unit_of_work
        self._vault = vault
        self._intake = intake
        self._recipes = recipes
        self._clock = clock
        self._ids = ids

    async def __call__(self, access: Access, submission: DocumentSubmission) -> Receipt:
        """Raises InvalidInput, DocumentUnreadable, LimitExceeded, Forbidden, StorageFull or Unavailable."""
        permit(access, Action.REMEMBER if submission.memory else Action.SUBMIT)
        require_possible(submission, self._clock.now())
        name = submission.filename or submission.record_key
        parsed = await self._intake.parse(submission.data, content_type_of(submission), name)
        require_mapped_columns(parsed, submission.mapping)

        async def prepare(tx: Transaction) -> _Prepared:
            await self._require_clean(tx, submission)
            source = await ensure_source(tx, access, submission.source, self._ids)
            if (refused := await self._suppressed(tx, access, submission, source)) is not None:
                return _Prepared(source, None, await self._intake.policy(tx), refused)
            collection = (
                await ensure_collection(tx, access, submission.collection, self._ids) if submission.collection else None
            )
            return _Prepared(source, collection, await self._intake.policy(tx, collection))

        prepared = await committed(self._unit_of_work, access, prepare)
        if prepared.refused is not None:
            return prepared.refused
        read = await self._read(parsed, submission, prepared)
        source = prepared.source
        artifact = await self._vault.store(access.organization_id, access.write_scope, source.id, submission.data)
        return await committed(
            self._unit_of_work,
            access,
            lambda tx: self._keep(tx, access, read, artifact),
        )

    async def _read(self, parsed: ParsedDocument, submission: DocumentSubmission, prepared: _Prepared) -> _Read:
        document, title, screened = await self._intake.document(parsed, submission.title, prepared.policy)
        stated = {"policy": prepared.policy.stated(), **screened.stated()}
        return _Read(replace(submission, title=title), document, prepared.source, prepared.collection, screened, stated)

    async def _require_clean(self, tx: Transaction, submission: DocumentSubmission) -> None:
        """What names a document is kept as it is, and shown: it may not hold what its text may not."""
        for name in ("record_key", "source_uri", "origin", "filename", "collection"):
            await self._intake.require_clean(tx, name, getattr(submission, name))
        await self._intake.require_clean(tx, "source", submission.source.name)
        if submission.mapping is not None:
            await self._intake.require_clean(tx, "mapping", json.dumps(submission.mapping, ensure_ascii=False))

    async def _suppressed(
        self, tx: Transaction, access: Access, submission: DocumentSubmission, source: SourceRow
    ) -> Receipt | None:
        fingerprints = await self._vault.fingerprints(
            access.organization_id, access.write_scope, source.id, submission.record_key, submission.data
        )
        erasure_id = await tx.erasures.suppressed_by(fingerprints)
        if erasure_id is None:
            return None
        detail = f"this record or its content was erased by the erasure {erasure_id}, and is not taken again"
        receipt = Receipt(
            ReceiptId(self._ids.new()), "document", "refused", items=1, rejected=1,
            notes={"code": ContentSuppressed.code, "erasure_id": str(erasure_id)},
            rejections=(Rejected("document", Rejection(ContentSuppressed.code, detail)),),
        )  # fmt: skip
        await tx.documents.add_receipt(receipt)
        return receipt

    async def _keep(
        self,
        tx: Transaction,
        access: Access,
        read: _Read,
        artifact: StoredArtifact,
    ) -> Receipt:
        submission, parsed, source = read.submission, read.parsed, read.source
        latest = await tx.documents.latest_version(source.id, submission.record_key, lock=True)
        if latest is None:
            await tx.journal.hold()
            latest = await tx.documents.latest_version(source.id, submission.record_key, lock=True)
        if latest is None and (refused := await self._suppressed(tx, access, submission, source)) is not None:
            # Erased since it was looked at first.
            return refused
        recipe = self._recipes.of(parsed, read.collection, submission.mapping)
        same = latest is not None and latest.content_hash == artifact.content_hash and latest.status not in _GONE
        known = latest is not None and same and latest.origin_uri == origin_of(submission, parsed)
        if latest is not None and known and latest.mapping == submission.mapping:
            return await self._repeat(tx, access, latest, recipe)
        gate = DocumentGate.PROPOSE if read.screened.waits else await self._gate(tx, access, submission, source)
        version = self._version(access, read, artifact, gate, latest)
        return await self._add(tx, access, version, artifact, recipe, latest is None)

    async def _repeat(self, tx: Transaction, access: Access, latest: VersionRow, recipe: str) -> Receipt:
        receipt = Receipt(
            ReceiptId(self._ids.new()), "document", "unchanged", latest.document_id, latest.id, recipe,
            notes={"unchanged": "the same content was submitted before", "status": latest.status},
        )  # fmt: skip
        runs = await tx.documents.runs(latest.id)
        if latest.status == "completed" and runs and runs[0].recipe != recipe:
            receipt = Receipt(
                receipt.id, "reprocess", "accepted", latest.document_id, latest.id, recipe,
                notes={"recipe": f"was {runs[0].recipe}"},
            )  # fmt: skip
            await tx.jobs.enqueue([Job(JobKind.INGEST_VERSION, access.write_scope, latest.id)])
        await tx.documents.add_receipt(receipt)
        return receipt

    async def _gate(
        self, tx: Transaction, access: Access, submission: DocumentSubmission, source: SourceRow
    ) -> DocumentGate:
        if submission.memory:
            return DocumentGate.LIVE
        policy = GatePolicy(await tx.directory.gate_policy())
        return gate_document(policy, source.tier, access.principal.kind, access.principal.role)

    def _version(
        self,
        access: Access,
        read: _Read,
        artifact: StoredArtifact,
        gate: DocumentGate,
        latest: VersionRow | None,
    ) -> VersionRow:
        submission, parsed, source, collection = read.submission, read.parsed, read.source, read.collection
        proposed = gate is DocumentGate.PROPOSE
        return VersionRow(
            id=VersionId(self._ids.new()),
            document_id=latest.document_id if latest else DocumentId(self._ids.new()),
            group_id=access.write_scope,
            source_id=source.id,
            collection_id=latest.collection_id if latest else collection.id if collection else None,
            record_key=submission.record_key,
            content_hash=artifact.content_hash,
            title=submission.title or (None if proposed else parsed.title),
            content_type=content_type_of(submission),
            source_type=submission.source.kind,
            source_uri=submission.source_uri,
            published_at=submission.published_at,
            retrieved_at=self._clock.now(),
            mapping=submission.mapping,
            gate=gate.value,
            principal_id=access.principal.id,
            principal_kind=access.principal.kind.value,
            status="proposed" if proposed else "pending",
            status_detail=None,
            route=None,
            revision=Revision(0),
            object_key=artifact.object_key,
            key_id=artifact.key_id,
            text=None if proposed else parsed.text,
            origin_uri=origin_of(submission, parsed),
            screening=read.screening,
        )

    async def _add(
        self,
        tx: Transaction,
        access: Access,
        version: VersionRow,
        artifact: StoredArtifact,
        recipe: str,
        is_first: bool,
    ) -> Receipt:
        proposed = version.status == "proposed"
        revision = await tx.journal.advance(
            Entry(
                "propose_document" if proposed else "submit_document",
                access.write_scope,
                {"document_id": str(version.document_id), "version_id": str(version.id)},
            )
        )
        if is_first:
            await tx.documents.add_document(
                version.document_id, version.source_id, version.collection_id, version.record_key, revision
            )
        await tx.documents.add_version(version, artifact, revision)
        receipt = Receipt(
            ReceiptId(self._ids.new()), "document", "proposed" if proposed else "accepted", version.document_id,
            version.id, recipe, notes={"gate": version.gate, **_screened(version)}, revision=revision,
        )  # fmt: skip
        await tx.documents.add_receipt(receipt)
        if proposed:
            await tx.documents.add_proposal(
                ProposalId(self._ids.new()),
                "document",
                version.id,
                {"title": version.title, **_screened(version)},
                revision,
            )
        else:
            await tx.jobs.enqueue([Job(JobKind.INGEST_VERSION, access.write_scope, version.id)])
        return receipt


def _screened(version: VersionRow) -> dict[str, object]:
    """What a person needs to know of a screened version: kinds and counts, never a value."""
    said = {name: value for name, value in (version.screening or {}).items() if name != "policy"}
    return {"screening": said} if said else {}
