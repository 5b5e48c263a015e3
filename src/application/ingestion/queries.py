"""Sources, collections, documents, receipts and proposals, as every entry point lists them."""

from __future__ import annotations

from application.ingestion.artifact_vault import ArtifactVault
from domain.errors import ContentErased, Forbidden, NotFound
from domain.identity.access import Access
from domain.identity.ids import AssertionId, DocumentId, ProposalId, ReceiptId, VersionId
from domain.identity.permissions import Action, permit
from domain.ports.documents import CollectionRow, ProposalRow, Receipt, SourceRow, VersionRow
from domain.ports.unit_of_work import UnitOfWork
from domain.ports.waiting import WaitingAssertion, WaitingFilter


async def sources(unit_of_work: UnitOfWork, access: Access) -> list[SourceRow]:
    """Readable sources by name."""
    permit(access, Action.READ)
    async with unit_of_work(access) as tx:
        return await tx.documents.sources()


async def collections(unit_of_work: UnitOfWork, access: Access) -> list[CollectionRow]:
    """Readable collections by name."""
    permit(access, Action.READ)
    async with unit_of_work(access) as tx:
        return await tx.documents.collections()


async def documents(
    unit_of_work: UnitOfWork,
    access: Access,
    *,
    collection: str | None = None,
    source: str | None = None,
    status: str | None = None,
    after: DocumentId | None = None,
    limit: int = 50,
) -> list[VersionRow]:
    """The newest version of each readable document, by document id."""
    permit(access, Action.READ)
    async with unit_of_work(access) as tx:
        return await tx.documents.documents(
            collection=collection, source=source, status=status, after=after, limit=limit
        )


async def document_versions(unit_of_work: UnitOfWork, access: Access, document_id: DocumentId) -> list[VersionRow]:
    """A document's versions, newest first. Raises NotFound."""
    permit(access, Action.READ)
    async with unit_of_work(access) as tx:
        found = await tx.documents.document_versions(document_id)
    if not found:
        raise NotFound(f"no document {document_id} in your scopes")
    return found


async def document_text(unit_of_work: UnitOfWork, access: Access, version_id: VersionId) -> VersionRow:
    """A version with its parsed text: what offsets of evidence count in. Raises NotFound, ContentErased."""
    permit(access, Action.READ)
    async with unit_of_work(access) as tx:
        found = await tx.documents.version(version_id, with_text=True)
    if found is None:
        raise NotFound(f"no document version {version_id} in your scopes")
    _require_kept(found)
    return found


async def original(
    unit_of_work: UnitOfWork,
    vault: ArtifactVault,
    access: Access,
    document_id: DocumentId,
    version_id: VersionId | None,
) -> tuple[VersionRow, bytes]:
    """The bytes as they were submitted, of the newest version or the named one.

    Those of a version in which secrets or personal data were found are for curators. Raises NotFound, Forbidden,
    ContentErased, ArtifactMissing or ArtifactAltered.
    """
    versions = await document_versions(unit_of_work, access, document_id)
    found = next((v for v in versions if version_id in (None, v.id)), None)
    if found is None:
        raise NotFound(f"no version {version_id} of document {document_id} in your scopes")
    _require_kept(found)
    # What was masked in the text is not in the bytes.
    if found.screening is not None and found.screening.get("found"):
        permit(access, Action.OPEN_ORIGINAL)
        if found.group_id not in access.writable:
            raise Forbidden("the document lies in another scope than the one your role is of; name that scope")
    return found, await vault.load(found.object_key, found.key_id, found.content_hash)


def _require_kept(version: VersionRow) -> None:
    if version.status == "erased":
        raise ContentErased(f"the document {version.document_id} was erased")


async def receipts(unit_of_work: UnitOfWork, access: Access, after: ReceiptId | None, limit: int) -> list[Receipt]:
    """Receipts, newest first, without their rejections."""
    permit(access, Action.READ)
    async with unit_of_work(access) as tx:
        return await tx.documents.receipts(after, limit)


async def receipt(unit_of_work: UnitOfWork, access: Access, receipt_id: ReceiptId) -> Receipt:
    """One receipt with its rejections. Raises NotFound."""
    permit(access, Action.READ)
    async with unit_of_work(access) as tx:
        found = await tx.documents.receipt(receipt_id)
    if found is None:
        raise NotFound(f"no receipt {receipt_id} in your scopes")
    return found


async def proposals(
    unit_of_work: UnitOfWork,
    access: Access,
    *,
    state: str | None = "pending",
    kind: str | None = None,
    after: ProposalId | None = None,
    limit: int = 50,
) -> list[ProposalRow]:
    """What waits for a person, newest first."""
    permit(access, Action.READ)
    async with unit_of_work(access) as tx:
        return await tx.documents.proposals(state, kind, after, limit)


async def waiting_assertions(
    unit_of_work: UnitOfWork,
    access: Access,
    chosen: WaitingFilter,
    after: AssertionId | None = None,
    limit: int = 50,
) -> list[WaitingAssertion]:
    """Assertions that wait for a person, by id, with what a person needs to judge them."""
    permit(access, Action.READ)
    async with unit_of_work(access) as tx:
        return await tx.record.waiting(chosen, after, limit)
