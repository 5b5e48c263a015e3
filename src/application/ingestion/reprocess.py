"""Reading documents again from their artifacts: with another extractor, model or setting."""

from __future__ import annotations

from dataclasses import dataclass

from application.knowledge.commit import committed
from domain.errors import NotFound
from domain.identity.access import Access
from domain.identity.ids import DocumentId, ReceiptId
from domain.identity.permissions import Action, permit
from domain.ports.documents import Receipt, VersionRow
from domain.ports.ids import Ids
from domain.ports.job_queue import Job, JobKind
from domain.ports.unit_of_work import Transaction, UnitOfWork

PAGE = 200


@dataclass(frozen=True, slots=True)
class Reprocessed:
    """How many documents will be read again, and how many were left, since they are not completed."""

    queued: int
    left: int


class Reprocess:
    """Queues the present version of documents for extraction. What an equal recipe gave is merged and changes nothing;
    what another recipe no longer gives is withdrawn.
    """

    def __init__(self, unit_of_work: UnitOfWork, ids: Ids) -> None:
        self._unit_of_work = unit_of_work
        self._ids = ids

    async def document(self, access: Access, document_id: DocumentId) -> Reprocessed:
        """One document. Raises NotFound."""
        permit(access, Action.REPROCESS)

        async def work(tx: Transaction) -> Reprocessed:
            versions = await tx.documents.document_versions(document_id)
            if not versions:
                raise NotFound(f"no document {document_id} in your scopes")
            return await self._queue(tx, access, versions[:1])

        return await committed(self._unit_of_work, access, work)

    async def all(self, access: Access, collection: str | None) -> Reprocessed:
        """Every document of a collection, or of the scope; a page a transaction."""
        permit(access, Action.REPROCESS)
        queued = left = 0
        after: DocumentId | None = None
        while True:
            async with self._unit_of_work(access) as tx:
                page = await tx.documents.documents(collection=collection, after=after, limit=PAGE)
                if not page:
                    return Reprocessed(queued, left)
                done = await self._queue(tx, access, page)
            queued, left, after = queued + done.queued, left + done.left, page[-1].document_id

    async def _queue(self, tx: Transaction, access: Access, versions: list[VersionRow]) -> Reprocessed:
        ready = [
            v
            for v in versions
            if v.status == "completed" and v.group_id == access.write_scope and "stream" not in v.content_type
        ]
        for version in ready:
            await tx.documents.add_receipt(
                Receipt(ReceiptId(self._ids.new()), "reprocess", "accepted", version.document_id, version.id)
            )
        await tx.jobs.enqueue([Job(JobKind.INGEST_VERSION, access.write_scope, v.id) for v in ready])
        return Reprocessed(len(ready), len(versions) - len(ready))
