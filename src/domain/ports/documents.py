"""Sources, documents, versions, chunks, receipts and proposals."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from typing import Protocol
from uuid import UUID

from domain.identity.ids import (
    ChunkId,
    CollectionId,
    DocumentId,
    GroupId,
    PrincipalId,
    ProposalId,
    ReceiptId,
    Revision,
    RunId,
    SourceId,
    VersionId,
)
from domain.ingestion.artifacts import StoredArtifact
from domain.ingestion.claims import Rejection


@dataclass(frozen=True, slots=True)
class SourceRow:
    """A source with its present grade."""

    id: SourceId
    group_id: GroupId
    kind: str
    name: str
    tier: int
    trust: float | None
    zone: str | None
    withdrawn: bool
    documents: int = 0


@dataclass(frozen=True, slots=True)
class CollectionRow:
    """A named set of documents: its retrieval settings and declared entities (name to kind)."""

    id: CollectionId
    name: str
    settings: Mapping[str, object]
    entities: Mapping[str, str]
    documents: int = 0


@dataclass(frozen=True, slots=True)
class VersionRow:
    """One content of a document. ``text`` is loaded only where a method says so.

    ``origin_uri`` is the address of the original that it declares to be a copy of. ``screening`` is the policy that it
    was screened by and what was found, as JSON; None for what came before there was one.
    """

    id: VersionId
    document_id: DocumentId
    group_id: GroupId
    source_id: SourceId
    collection_id: CollectionId | None
    record_key: str
    content_hash: str
    title: str | None
    content_type: str
    source_type: str | None
    source_uri: str | None
    published_at: datetime | None
    retrieved_at: datetime
    mapping: Mapping[str, object] | None
    gate: str
    principal_id: PrincipalId
    principal_kind: str
    status: str
    status_detail: str | None
    route: str | None
    revision: Revision
    object_key: str
    key_id: str
    text: str | None = None
    origin_uri: str | None = None
    screening: Mapping[str, object] | None = None


@dataclass(frozen=True, slots=True)
class ChunkRow:
    """A stretch of a version's text, [start, end) in code points."""

    id: ChunkId
    ordinal: int
    start: int
    end: int
    text: str


@dataclass(frozen=True, slots=True)
class RunRow:
    """What an extraction was made with."""

    id: RunId
    version_id: VersionId
    recipe: str
    extractor: str
    extractor_version: str
    model: str | None
    prompt_version: str | None
    settings: Mapping[str, object]


@dataclass(frozen=True, slots=True)
class Rejected:
    """An item that was not kept, and where it was."""

    place: str
    rejection: Rejection


@dataclass(frozen=True, slots=True)
class Receipt:
    """What became of a submission. When it is finished, items = stored + merged + queued + rejected."""

    id: ReceiptId
    kind: str
    status: str
    document_id: DocumentId | None = None
    version_id: VersionId | None = None
    recipe: str | None = None
    items: int = 0
    stored: int = 0
    merged: int = 0
    queued: int = 0
    rejected: int = 0
    notes: Mapping[str, object] = field(default_factory=dict)
    revision: Revision | None = None
    created_at: datetime | None = None
    finished_at: datetime | None = None
    rejections: tuple[Rejected, ...] = ()


@dataclass(frozen=True, slots=True)
class ProposalRow:
    """What waits for a person."""

    id: ProposalId
    kind: str
    target_id: UUID | None
    payload: Mapping[str, object]
    principal_id: PrincipalId
    principal_name: str
    state: str
    reason: str | None
    created_at: datetime
    decided_at: datetime | None


class Documents(Protocol):
    """Writes go into the transaction's write scope; ids of other tenants read as missing."""

    async def source(self, name: str) -> SourceRow | None:
        """The nearest readable source of that name."""
        ...

    async def source_by_id(self, source_id: SourceId) -> SourceRow | None:
        """A readable source."""
        ...

    async def sources(self) -> list[SourceRow]:
        """Readable sources by name, with how many documents each has."""
        ...

    async def add_source(self, source: SourceRow, revision: Revision) -> None:
        """Add a source and its first grade."""
        ...

    async def regrade_source(
        self, source: SourceRow, tier: int, trust: float | None, withdrawn: bool, revision: Revision
    ) -> None:
        """Close the source's grade and open another."""
        ...

    async def collection(self, name: str) -> CollectionRow | None:
        """The nearest readable collection of that name."""
        ...

    async def collections(self) -> list[CollectionRow]:
        """Readable collections by name."""
        ...

    async def add_collection(self, collection: CollectionRow, revision: Revision) -> None:
        """Add a collection."""
        ...

    async def configure_collection(
        self, collection_id: CollectionId, settings: Mapping[str, object], entities: Mapping[str, str]
    ) -> None:
        """Replace a collection's settings and declared entities."""
        ...

    async def sensitive_policies(self) -> list[Mapping[str, object]]:
        """What the readable scopes do with secrets and personal data, kind to treatment, the widest scope first."""
        ...

    async def own_sensitive_policy(self, group_id: GroupId) -> Mapping[str, object]:
        """What a scope itself says of them; empty for nothing."""
        ...

    async def set_sensitive_policy(self, group_id: GroupId, stated: Mapping[str, object]) -> None:
        """Replace what a scope does with them."""
        ...

    async def latest_version(self, source_id: SourceId, record_key: str, *, lock: bool = False) -> VersionRow | None:
        """The newest version of a record in the write scope; ``lock`` makes concurrent submissions of it wait."""
        ...

    async def add_document(
        self,
        document_id: DocumentId,
        source_id: SourceId,
        collection_id: CollectionId | None,
        record_key: str,
        revision: Revision,
    ) -> None:
        """Add a document."""
        ...

    async def add_version(self, version: VersionRow, artifact: StoredArtifact, revision: Revision) -> None:
        """Add a version, its artifact's row and its first state."""
        ...

    async def version(self, version_id: VersionId, *, with_text: bool = False) -> VersionRow | None:
        """A readable version in its present state."""
        ...

    async def document_versions(self, document_id: DocumentId) -> list[VersionRow]:
        """A readable document's versions, newest first."""
        ...

    async def documents(
        self,
        *,
        collection: str | None = None,
        source: str | None = None,
        status: str | None = None,
        after: DocumentId | None = None,
        limit: int = 50,
    ) -> list[VersionRow]:
        """The newest version of each readable document, by document id."""
        ...

    async def set_status(self, version_id: VersionId, status: str, detail: str | None, revision: Revision) -> None:
        """Close the version's state and open another."""
        ...

    async def set_gate(self, version_id: VersionId, gate: str) -> None:
        """What a version's assertions are when they are extracted; approval makes it live."""
        ...

    async def set_text(self, version_id: VersionId, text: str, title: str | None) -> None:
        """Keep the parsed text, once."""
        ...

    async def set_route(self, version_id: VersionId, route: str, confidence: float | None, reason: str) -> None:
        """Keep the routing result."""
        ...

    async def add_chunks(
        self,
        version_id: VersionId,
        document_id: DocumentId,
        chunks: Sequence[ChunkRow],
        embed: bool,
        revision: Revision,
    ) -> None:
        """Add a version's chunks."""
        ...

    async def close_chunks(self, version_ids: Sequence[VersionId], revision: Revision) -> None:
        """Close the open chunks of versions."""
        ...

    async def add_run(self, run: RunRow, revision: Revision) -> None:
        """Keep what an extraction was made with."""
        ...

    async def runs(self, version_id: VersionId) -> list[RunRow]:
        """A version's runs, newest first."""
        ...

    async def add_receipt(self, receipt: Receipt) -> None:
        """Open a receipt."""
        ...

    async def update_receipt(self, receipt: Receipt) -> None:
        """Write a receipt's status and counts; rejections are added to those that it has."""
        ...

    async def interrupt_receipts(self, version_id: VersionId, kind: str, again: ReceiptId) -> None:
        """Close the version's other open receipts of the kind: what they were for is sent again under ``again``.

        Their counts stay as they are. One whose work goes on after all is opened again by its next update.
        """
        ...

    async def receipt(self, receipt_id: ReceiptId, *, lock: bool = False) -> Receipt | None:
        """A readable receipt with its rejections."""
        ...

    async def receipts(self, after: ReceiptId | None, limit: int) -> list[Receipt]:
        """Readable receipts, newest first, without their rejections."""
        ...

    async def receipt_of(self, version_id: VersionId) -> Receipt | None:
        """The version's oldest open receipt, else its newest; one that only says "unchanged" is none of its own."""
        ...

    async def add_proposal(
        self, proposal_id: ProposalId, kind: str, target_id: UUID, payload: Mapping[str, object], revision: Revision
    ) -> None:
        """Add what waits for a person."""
        ...

    async def proposal(self, proposal_id: ProposalId, *, lock: bool = False) -> ProposalRow | None:
        """A readable proposal."""
        ...

    async def proposals(
        self, state: str | None, kind: str | None, after: ProposalId | None, limit: int
    ) -> list[ProposalRow]:
        """Readable proposals, newest first."""
        ...

    async def waiting_proposals(self, kind: str, target_id: UUID) -> list[ProposalRow]:
        """Pending proposals of a kind on one thing, oldest first, at most 100."""
        ...

    async def decide_proposal(self, proposal_id: ProposalId, state: str, reason: str | None) -> None:
        """Keep a person's decision. Raises InvalidInput for a proposal of another scope than the one written in."""
        ...
