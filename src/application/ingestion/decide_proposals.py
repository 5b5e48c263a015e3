"""A person's decision on what waits: proposed documents, corrections and predicates, and pending assertions."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, cast

from application.knowledge.change import BATCH, Change, ChangeWriter
from application.knowledge.change_vocabulary import ChangeVocabulary
from application.knowledge.commit import committed, follow_up
from application.knowledge.correct import CorrectionWriter, require_corrector
from application.knowledge.decide_contradiction import VOCABULARY
from application.knowledge.edit_entity import EditEntity
from application.knowledge.promote import PromotionWriter
from application.knowledge.propose_correction import CORRECTION, correction_of
from application.knowledge.propose_entity_edit import ENTITY_EDIT
from application.knowledge.propose_promotion import PROMOTION
from domain.errors import Conflict, Forbidden, NotFound
from domain.identity.access import Access
from domain.identity.ids import AssertionId, ProposalId, Revision, VersionId
from domain.identity.permissions import Action, permit
from domain.identity.principal import PrincipalKind
from domain.ingestion.gate import DocumentGate
from domain.knowledge.assertion import AssertionState
from domain.knowledge.core_vocabulary import CORE_VOCABULARY
from domain.knowledge.policy_wire import policy_of
from domain.knowledge.predicate import PredicatePolicy, Vocabulary
from domain.ports.documents import ProposalRow
from domain.ports.job_queue import Job, JobKind
from domain.ports.journal import Entry
from domain.ports.key_store import KeyStore
from domain.ports.unit_of_work import Transaction, UnitOfWork
from domain.ports.waiting import WaitingAssertion, WaitingFilter
from domain.resolution.entity_edit import edit_of

SAMPLE = 10


@dataclass(frozen=True, slots=True)
class Decided:
    """How many were decided; with a dry run, how many would be. ``sample`` shows the first of them."""

    decided: int
    standings_changed: int = 0
    sample: tuple[WaitingAssertion, ...] = ()


@dataclass(frozen=True, slots=True)
class Approvals:
    """What writes an approved proposal, by its kind."""

    corrections: CorrectionWriter
    vocabulary: ChangeVocabulary
    edits: EditEntity
    promotions: PromotionWriter


class DecideProposals:
    """Approves or rejects. Only a person with the role curator can; an agent cannot, whatever its role.

    - An approved document is read and extracted as live; a rejected one keeps its bytes and is refused.
    - An approved assertion goes live and counts as verified by a person; a rejected one never counts.
    - An approved correction, or edit of an entity, is written as the approver's. It is a Conflict when the fact or
      the entity changed since it was proposed, unless the approver says which later revision they saw.
    - An approved change of predicates is made, which takes an administrator of the whole organization.
    - An approved promotion is asserted in the wider scope as the approver's; it is a Conflict when the original changed
      since, or is not verified any more.
    - A decision is final: deciding again is a conflict that says how it was decided.
    """

    def __init__(
        self,
        unit_of_work: UnitOfWork,
        writer: ChangeWriter,
        keys: KeyStore,
        approvals: Approvals,
    ) -> None:
        self._unit_of_work = unit_of_work
        self._writer = writer
        self._keys = keys
        self._approvals = approvals

    async def proposal(
        self,
        access: Access,
        proposal_id: ProposalId,
        approve: bool,
        reason: str | None,
        saw: Revision | None = None,
        confirmed: Sequence[str] = (),
    ) -> ProposalRow:
        """Decide one proposal. Raises NotFound, Conflict or Forbidden.

        ``saw`` is the revision at which the approver looked at a fact or an entity to be corrected, ``confirmed`` the
        predicates whose large change they looked at.
        """
        _require_person(access)
        if approve:
            async with self._unit_of_work(access) as tx:
                found = _undecided(await tx.documents.proposal(proposal_id), proposal_id)
            if found.kind == CORRECTION:
                return await self._correction(access, found, reason, saw)
            if found.kind == ENTITY_EDIT:
                return await self._entity(access, found, reason, saw)
            if found.kind == VOCABULARY:
                return await self._predicates(access, found, reason, confirmed)
            if found.kind == PROMOTION:
                return await self._promotion(access, found, reason)
        return await committed(
            self._unit_of_work, access, lambda tx: self._decided(tx, access, proposal_id, approve, reason)
        )

    async def _decided(
        self, tx: Transaction, access: Access, proposal_id: ProposalId, approve: bool, reason: str | None
    ) -> ProposalRow:
        found = _undecided(await tx.documents.proposal(proposal_id, lock=True), proposal_id)
        state = "approved" if approve else "rejected"
        await tx.documents.decide_proposal(proposal_id, state, reason)
        if found.kind == "document" and found.target_id is not None:
            await self._document(tx, access, VersionId(found.target_id), approve, reason)
        return replace(found, state=state, reason=reason)

    async def _correction(
        self, access: Access, found: ProposalRow, reason: str | None, saw: Revision | None
    ) -> ProposalRow:
        require_corrector(access)
        proposed = correction_of(found.payload)
        correction = replace(proposed, saw=proposed.saw if saw is None else saw, reason=reason or proposed.reason)
        decided: list[ProposalRow] = []

        async def decide(tx: Transaction) -> None:
            decided.append(await self._decided(tx, access, found.id, True, reason))

        await self._approvals.corrections.write(access, [correction], beside=decide)
        return decided[-1]

    async def _promotion(self, access: Access, found: ProposalRow, reason: str | None) -> ProposalRow:
        decided: list[ProposalRow] = []

        async def decide(tx: Transaction) -> None:
            decided.append(await self._decided(tx, access, found.id, True, reason))

        await self._approvals.promotions.write(access, found, reason, decide)
        return decided[-1]

    async def _entity(
        self, access: Access, found: ProposalRow, reason: str | None, saw: Revision | None
    ) -> ProposalRow:
        proposed = edit_of(found.payload)
        edit = replace(proposed, saw=proposed.saw if saw is None else saw, reason=reason or proposed.reason)
        decided: list[ProposalRow] = []

        async def decide(tx: Transaction) -> None:
            decided.append(await self._decided(tx, access, found.id, True, reason))

        await self._approvals.edits(access, edit, beside=decide)
        return decided[-1]

    async def _predicates(
        self, access: Access, found: ProposalRow, reason: str | None, confirmed: Sequence[str]
    ) -> ProposalRow:
        """The change and the decision are one transaction: one that fails leaves the proposal waiting."""
        remove = [str(name) for name in cast("Sequence[object]", found.payload.get("remove", ()))]
        policies = _policies(found, "policies")
        decided: list[ProposalRow] = []

        async def decide(tx: Transaction) -> None:
            vocabulary = Vocabulary.of((*CORE_VOCABULARY, *await tx.predicates.policies()))
            if changed := [p.name for p in _policies(found, "before") if vocabulary.policy(p.name) != p]:
                raise Conflict(
                    f"the policy of {', '.join(changed)} was changed after this was proposed; reject it, and propose "
                    "again"
                )
            decided.append(await self._decided(tx, access, found.id, True, reason))

        why = reason or f"proposal {found.id}"
        await self._approvals.vocabulary(
            access, policies, remove=remove, reason=why, confirmed=confirmed, beside=decide
        )
        return decided[-1]

    async def assertions(
        self, access: Access, assertion_ids: Sequence[AssertionId], approve: bool, reason: str | None, dry_run: bool
    ) -> Decided:
        """Decide pending assertions, at most 1,000; those that are not pending are left as they are."""
        _require_person(access)
        key = await self._keys.organization_key(access.organization_id)
        state = AssertionState.LIVE if approve else AssertionState.REJECTED

        async def work(tx: Transaction) -> Decided:
            placed = await tx.record.placed(assertion_ids[:BATCH])
            waiting = [p for p in placed if p.state is AssertionState.PENDING]
            if dry_run or not waiting:
                return Decided(len(waiting))
            head = await tx.journal.head()
            change = Change(transitions=[(p, state) for p in waiting], approved=approve)
            prepared = await self._writer.prepare(tx, head, access, key, change)
            revision = await tx.journal.advance(
                Entry(
                    "approve" if approve else "reject",
                    access.write_scope,
                    {"assertions": len(waiting)},
                    reason=reason,
                    placed_under=head,
                    changes_identity=prepared.changes_identity,
                )
            )
            await tx.record.write(prepared.rows, revision)
            await tx.jobs.enqueue(follow_up(access.write_scope))
            return Decided(len(waiting), len(prepared.rows.open_standings))

        return await committed(self._unit_of_work, access, work)

    async def matching(
        self, access: Access, chosen: WaitingFilter, approve: bool, reason: str | None, dry_run: bool
    ) -> Decided:
        """Decide the first 1,000 pending assertions that fit; say it again for more. Shows a sample of 10."""
        _require_person(access)
        async with self._unit_of_work(access) as tx:
            found = await tx.record.waiting(chosen, None, BATCH)
        decided = await self.assertions(access, [w.assertion_id for w in found], approve, reason, dry_run)
        return replace(decided, sample=tuple(found[:SAMPLE]))

    async def _document(
        self, tx: Transaction, access: Access, version_id: VersionId, approve: bool, reason: str | None
    ) -> None:
        revision = await tx.journal.advance(
            Entry(
                "approve_document" if approve else "reject_document",
                access.write_scope,
                {"version_id": str(version_id)},
                reason=reason,
            )
        )
        receipt = await tx.documents.receipt_of(version_id)
        if approve:
            await tx.documents.set_gate(version_id, DocumentGate.LIVE.value)
            await tx.documents.set_status(version_id, "pending", reason, revision)
            await tx.jobs.enqueue([Job(JobKind.INGEST_VERSION, access.write_scope, version_id)])
        else:
            await tx.documents.set_status(version_id, "refused", reason, revision)
        if receipt is not None:
            status = "accepted" if approve else "refused"
            await tx.documents.update_receipt(replace(receipt, status=status, revision=revision))


def _undecided(found: ProposalRow | None, proposal_id: ProposalId) -> ProposalRow:
    if found is None:
        raise NotFound(f"no proposal {proposal_id} in your scopes")
    if found.state != "pending":
        raise Conflict(f"proposal {proposal_id} was {found.state} already; a decision is final")
    return found


def _policies(found: ProposalRow, name: str) -> list[PredicatePolicy]:
    return [policy_of(each) for each in cast("Sequence[Mapping[str, Any]]", found.payload.get(name, ()))]


def _require_person(access: Access) -> None:
    permit(access, Action.DECIDE)
    if access.principal.kind is PrincipalKind.AGENT:
        raise Forbidden("an agent cannot decide proposals, whatever its role; ask a person with the role curator")
