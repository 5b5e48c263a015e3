"""Erasing a document, a source, or everything about an entity. The record lets go in one transaction."""

from __future__ import annotations

from dataclasses import replace

from application.erasure.naming import naming_plan
from application.erasure.place import located
from application.identity.access import AccessResolver
from application.knowledge.change import Change, ChangeWriter
from application.knowledge.commit import committed, follow_up
from application.projection.tenant import root_of
from domain.erasure.canaries import checked_spellings
from domain.erasure.naming import NamingWish
from domain.erasure.targets import Target, TargetKind, checked_reason, content_fingerprint, record_fingerprint
from domain.errors import InvalidInput, UnderHold
from domain.identity.access import Access
from domain.identity.ids import GroupId
from domain.identity.permissions import Action, permit
from domain.ports.clock import Clock
from domain.ports.erasure import ErasureId, ErasureRow
from domain.ports.ids import Ids
from domain.ports.job_queue import Job, JobKind
from domain.ports.journal import Entry, MovedOn
from domain.ports.key_store import KeyStore
from domain.ports.unit_of_work import Transaction, UnitOfWork
from domain.retrieval.snapshot import digest_key


class Erase:
    """Takes content out of the record for good.

    - What the target said is removed, and the slots that it bore on are assessed from what is left: facts that others
      support stay, facts that nobody supports go with their history, and so do names that nobody says any more.
    - One transaction removes rows, search rows, vectors, kept answers and the payloads of the journal, and leaves a job
      that removes the rest and ends in a certificate. No model is asked.
    - The journal keeps who erased what, when and why; its chain still verifies.
    - The same record, or the same content, is refused when it comes again.
    - A legal hold on the target, on what it contains or on whom it mentions refuses it.
    - Everything about an entity takes facts on either side, what says its names in a literal, and its names wherever
      they stand. Documents that name it are erased, or the names in them are blacked out and their bytes erased: which
      has to be said. A name that others have, too, goes only where the entity is known to be meant.
    """

    def __init__(
        self,
        resolver: AccessResolver,
        unit_of_work: UnitOfWork,
        writer: ChangeWriter,
        keys: KeyStore,
        clock: Clock,
        ids: Ids,
    ) -> None:
        self._resolver = resolver
        self._unit_of_work = unit_of_work
        self._writer = writer
        self._keys = keys
        self._clock = clock
        self._ids = ids

    async def __call__(self, access: Access, target: Target, reason: str, wish: NamingWish | None = None) -> ErasureRow:
        """The erasure as it was committed; its certificate follows. ``wish`` is of entities alone.

        Raises Forbidden, InvalidInput, NotFound, UnderHold, ChoiceNeeded for documents of which nothing was said,
        ErasedBefore for what was erased when nothing of it came since, Unavailable.
        """
        permit(access, Action.ERASE)
        reason = checked_reason(reason)
        wish = NamingWish() if wish is None else replace(wish, also=checked_spellings(wish.also))
        async with self._unit_of_work(access) as tx:
            group = await located(tx, access, target)
        root = root_of(access)
        whole = await self._resolver.for_organization(access.organization_id, root)
        wide = replace(whole, principal=access.principal, write_scope=group)
        key = await self._keys.organization_key(access.organization_id)
        asked = self._row(access, target, group, reason)
        return await committed(self._unit_of_work, wide, lambda tx: self._erase(tx, wide, key, asked, wish))

    async def _erase(
        self, tx: Transaction, access: Access, key: bytes, erasure: ErasureRow, wish: NamingWish
    ) -> ErasureRow:
        target, group = erasure.target, erasure.group_id
        head = await tx.journal.head()
        await _open(tx, erasure, wish)
        slots = await tx.erasures.collect(erasure.id)
        _require_no_hold(target, await tx.erasures.holds(erasure.id))
        await tx.record.lock_slot_ids(slots)
        await tx.snapshots.trace_said(erasure.id)
        await tx.erasures.remove_said(erasure.id)
        prepared = await self._writer.prepare(tx, head, access, key, Change(touched=slots))
        entry = Entry(
            f"erase_{target.kind.value}",
            group,
            {"erasure_id": str(erasure.id), "target_id": str(target.id)},
            reason=erasure.reason,
            placed_under=head,
            changes_identity=True,
        )
        revision = await tx.journal.advance(entry)
        if await tx.erasures.overtaken(erasure.id, head.revision) or await tx.erasures.held_since(head.revision):
            raise MovedOn
        await tx.record.write(prepared.rows, revision, group)
        await tx.snapshots.trace_rows(erasure.id, revision, digest_key(key))
        await tx.erasures.remove_rest(erasure.id, revision, await self._fingerprints(tx, erasure.id, key))
        await tx.snapshots.void_packs(erasure.id)
        await tx.jobs.enqueue([*follow_up(group), Job(JobKind.ERASE, group, erasure.id)])
        done = await tx.erasures.erasure(erasure.id)
        assert done is not None
        return done

    def _row(self, access: Access, target: Target, group: GroupId, reason: str) -> ErasureRow:
        principal = access.principal
        return ErasureRow(
            ErasureId(self._ids.new()), group, target, principal.id, principal.kind.value, reason, "open", {}, (), (),
            None, self._clock.now(), None, None,
        )  # fmt: skip

    async def _fingerprints(self, tx: Transaction, erasure_id: ErasureId, key: bytes) -> list[bytes]:
        found: set[bytes] = set()
        for content in await tx.erasures.contents(erasure_id):
            if not content.goes_on:
                found.add(record_fingerprint(key, content.group_id, content.source_id, content.record_key))
            if not content.held:
                found.add(content_fingerprint(key, content.content_hash))
        return sorted(found)


async def _open(tx: Transaction, erasure: ErasureRow, wish: NamingWish) -> None:
    """Enter the erasure; of an entity, with its names and what becomes of the documents that have them."""
    if erasure.target.kind is not TargetKind.ENTITY:
        await tx.erasures.open(erasure)
        return
    plan = await naming_plan(tx, erasure.target, wish)
    if plan.there is not None and plan.there.expression.search(erasure.reason):
        raise InvalidInput(
            "the reason stays in the journal, and names whom it is about; say it otherwise", field="reason"
        )
    gone, blacked_out = plan.split(wish.documents)
    await tx.erasures.open(replace(erasure, canaries=plan.everywhere))
    await tx.erasures.decide(erasure.id, gone, blacked_out, plan.sought, plan.there)


def _require_no_hold(target: Target, holds: list[tuple[Target, str]]) -> None:
    if holds:
        held, reason = holds[0]
        more = f", and {len(holds) - 1} more" if len(holds) > 1 else ""
        raise UnderHold(f"the {target} cannot be erased: a legal hold is on the {held} ({reason}){more}; lift it first")
