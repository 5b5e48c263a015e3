"""Taking over a promoted fact: a person's assertion in the wider scope, with its lineage."""

from __future__ import annotations

from collections.abc import Awaitable, Callable

from application.identity.access import AccessResolver
from application.ingestion.assertions import Origin, assertion_of
from application.ingestion.sources import own_source
from application.ingestion.streams import Stream, Streams
from application.knowledge.change import Change, ChangeWriter
from application.knowledge.commit import committed, follow_up
from application.knowledge.propose_promotion import PromotedClaim, promoted_claim, require_verified
from domain.errors import Conflict
from domain.identity.access import Access
from domain.identity.ids import Revision
from domain.knowledge.assertion import MAX_EXCERPT, AssertionState, StatementEvidence
from domain.ports.clock import Clock
from domain.ports.documents import ProposalRow
from domain.ports.ids import Ids
from domain.ports.journal import Entry
from domain.ports.key_store import KeyStore
from domain.ports.knowledge_reader import KnowledgeReader
from domain.ports.record import StoredAssertion
from domain.ports.unit_of_work import Transaction, UnitOfWork
from domain.retrieval.promotion import Promotion


class PromotionWriter:
    """Writes approved promotions, for whoever has found that the access may decide them.

    - The original has to stand as it was seen when it was proposed, and still be verified.
    - What is written is one live assertion of the approver: the statement, as certain and as old as the original, with
      a statement as its evidence that names the original and the titles of its sources.
    - Names are resolved in the wider scope, as of everything that is said there.
    """

    def __init__(
        self,
        unit_of_work: UnitOfWork,
        streams: Streams,
        writer: ChangeWriter,
        keys: KeyStore,
        original: Originals,
        clock: Clock,
        ids: Ids,
    ) -> None:
        self._unit_of_work = unit_of_work
        self._streams = streams
        self._writer = writer
        self._keys = keys
        self._original = original
        self._clock = clock
        self._ids = ids

    async def write(
        self,
        access: Access,
        proposal: ProposalRow,
        reason: str | None,
        beside: Callable[[Transaction], Awaitable[None]],
    ) -> Revision:
        """``beside`` is done in the same transaction. Raises Conflict, NotVerified; nothing is changed then."""
        told = promoted_claim(proposal.payload)
        await self._original.require_unchanged(access, told)
        stream = await self._streams.open(access, own_source(access), f"promotion {proposal.id}", "promotion")
        key = await self._keys.organization_key(access.organization_id)

        async def work(tx: Transaction) -> Revision:
            await beside(tx)
            addition = self._addition(access, told, stream, key, proposal)
            change = Change([addition], approved=frozenset({addition.id}))
            prepared = await self._writer.prepare(tx, None, access, key, change)
            ids = {"proposal_id": proposal.id, "fact_id": told.fact_id, "assertion_id": addition.id}
            entry = Entry(
                "promote",
                access.write_scope,
                {name: str(value) for name, value in ids.items()},
                reason=reason or str(proposal.payload.get("reason")),
                placed_under=prepared.head,
                changes_identity=prepared.changes_identity,
            )
            revision = await tx.record.append(prepared.rows, entry, follow_up(access.write_scope))
            await tx.promotions.add(_lineage(access, told, addition, proposal, revision))
            return revision

        return await committed(self._unit_of_work, access, work)

    def _addition(
        self, access: Access, told: PromotedClaim, stream: Stream, key: bytes, proposal: ProposalRow
    ) -> StoredAssertion:
        origin = Origin(
            source=stream.source,
            document_id=stream.document_id,
            version_id=stream.version_id,
            run_id=stream.run_id,
            state=AssertionState.LIVE,
            observed_at=self._clock.now(),
            published_at=None,
            independence=f"principal:{access.principal.id}",
        )
        cited = ", ".join(told.sources)
        place = f"the fact {told.fact_id} of a {told.origin.value} scope"
        words = f"Promoted from {place}: {told.sentence}. Cited there: {cited}"
        evidence = StatementEvidence(stream.version_id, words[:MAX_EXCERPT])
        return assertion_of(told.claim, evidence, origin, access, key, self._ids, str(proposal.id))


class Originals:
    """Looks at the original of a promotion with all scopes of the organization: who decides may not read its scope."""

    def __init__(self, unit_of_work: UnitOfWork, reader: KnowledgeReader, resolver: AccessResolver) -> None:
        self._unit_of_work = unit_of_work
        self._reader = reader
        self._resolver = resolver

    async def require_unchanged(self, access: Access, told: PromotedClaim) -> None:
        """Raise Conflict when the original is gone or changed since it was proposed, NotVerified when it lost that."""
        whole = await self._resolver.for_organization(access.organization_id, access.root)
        explained = await self._reader.explain(whole, told.fact_id, None)
        if explained is None:
            raise Conflict("the original of this promotion is gone; reject the proposal")
        require_verified(explained)
        async with self._unit_of_work(whole) as tx:
            named = await tx.record.named_fact(explained.fact_id)
            changed = await tx.record.slot_changed_at(named.fact.slot_id) if named is not None else None
        if changed is None or changed > told.saw:
            raise Conflict(
                "the original changed after this promotion was proposed; reject it, and have it proposed again"
            )


def _lineage(
    access: Access, told: PromotedClaim, addition: StoredAssertion, proposal: ProposalRow, revision: Revision
) -> Promotion:
    own = access.principal
    return Promotion(
        addition.id, told.fact_id, told.origin, proposal.id, told.saw, proposal.principal_id, proposal.principal_name,
        own.id, own.name, revision,
    )  # fmt: skip
