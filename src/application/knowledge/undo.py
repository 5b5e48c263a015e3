"""Undoing a mutation: another one that puts its assertions, documents and policies back as they were before."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import cast

from application.ingestion.regrade_source import RegradeSource
from application.knowledge.change import Change, ChangeWriter
from application.knowledge.change_vocabulary import ChangeVocabulary
from application.knowledge.commit import committed, follow_up
from domain.errors import Conflict, InvalidInput, NotFound
from domain.identity.access import Access
from domain.identity.ids import GroupId, Revision
from domain.identity.permissions import Action, permit
from domain.knowledge.assertion import AssertionState
from domain.ports.journal import Entry, Mutation
from domain.ports.key_store import KeyStore
from domain.ports.unit_of_work import Transaction, UnitOfWork

UNDOABLE = frozenset(
    {"append", "correct", "decide", "edit_entity", "approve", "reject", "undo"}
    | {"retract_assertion", "retract_document", "retract_source"}
)
"""Kinds of mutations that change nothing but states of assertions, documents and sources."""
VOCABULARY, GRADE = "change_vocabulary", "regrade_source"
SHOWN = 3


@dataclass(frozen=True, slots=True)
class Undone:
    """Which mutation was put back, how many assertions and standings that changed, and at which revision."""

    undid: Revision
    kind: str
    assertions: int
    standings_changed: int
    revision: Revision


class Undo:
    """Undoes one mutation, as a new one.

    - What the mutation added is withdrawn; what it withdrew, approved or rejected gets its former state again; a
      document and its passages come back; a source has its former grade, and predicates their former policies.
    - It is refused when something later builds on what it would put back; the later revisions are named.
    - An undo can be undone.
    """

    def __init__(
        self,
        unit_of_work: UnitOfWork,
        writer: ChangeWriter,
        keys: KeyStore,
        vocabulary: ChangeVocabulary,
        regrade: RegradeSource,
    ) -> None:
        self._unit_of_work = unit_of_work
        self._writer = writer
        self._keys = keys
        self._vocabulary = vocabulary
        self._regrade = regrade

    async def __call__(self, access: Access, revision: Revision, reason: str | None = None) -> Undone:
        """Raises NotFound, Conflict with what depends on it or for what was erased, InvalidInput for another kind."""
        permit(access, Action.UNDO)
        async with self._unit_of_work(access) as tx:
            found = await tx.history.mutation(revision)
        if found is None:
            raise NotFound(f"no mutation {revision} in your scopes")
        mutation, group = found
        why = reason or f"undoes revision {revision}"
        if mutation.kind == VOCABULARY:
            return await self._undo_vocabulary(access, mutation, why)
        _require_scope(access, group)
        if mutation.kind == GRADE:
            return await self._undo_grade(access, mutation, why)
        if mutation.kind not in UNDOABLE:
            raise InvalidInput(
                f"revision {revision} is a mutation of the kind {mutation.kind}, which cannot be undone; these kinds "
                f"can: {', '.join(sorted({*UNDOABLE, VOCABULARY, GRADE}))}",
                field="revision",
            )
        if mutation.payload is None:
            raise Conflict(f"content of revision {revision} was erased since; it cannot be put back")
        return await committed(self._unit_of_work, access, lambda tx: self._put_back(tx, access, mutation, why))

    async def _put_back(self, tx: Transaction, access: Access, mutation: Mutation, reason: str) -> Undone:
        revision, key = mutation.revision, await self._keys.organization_key(access.organization_id)
        flips = await tx.history.flips(revision)
        # Under the locks nobody else changes these assertions; whoever was faster shows in what is read again.
        await tx.record.lock_slot_ids(sorted({flip.present.slot_id for flip in flips}))
        flips = await tx.history.flips(revision)
        _require_untouched(revision, {f.last for f in flips} | {*await tx.history.later_states(revision)})
        head = await tx.journal.head()
        change = Change(
            transitions=[(flip.present, flip.before or AssertionState.WITHDRAWN) for flip in flips],
            approved=frozenset(flip.present.assertion_id for flip in flips if flip.approved),
        )
        prepared = await self._writer.prepare(tx, head, access, key, change)
        now = await tx.journal.advance(
            Entry(
                "undo",
                access.write_scope,
                {"undid": revision, "assertions": len(flips)},
                reason=reason,
                placed_under=head,
                changes_identity=prepared.changes_identity,
            )
        )
        await tx.history.put_back(revision, now)
        await tx.record.write(prepared.rows, now)
        await tx.jobs.enqueue(follow_up(access.write_scope))
        return Undone(revision, mutation.kind, len(flips), len(prepared.rows.open_standings), now)

    async def _undo_grade(self, access: Access, mutation: Mutation, reason: str) -> Undone:
        async with self._unit_of_work(access) as tx:
            grade = await tx.history.grade_before(mutation.revision)
        if grade is None:
            raise NotFound(f"no source of revision {mutation.revision} in your scopes")
        _require_untouched(mutation.revision, {grade.last})
        done = await self._regrade(access, grade.source_id, grade.tier, grade.trust, reason)
        return Undone(mutation.revision, mutation.kind, 0, done.standings_changed, done.revision)

    async def _undo_vocabulary(self, access: Access, mutation: Mutation, reason: str) -> Undone:
        payload = mutation.payload or {}
        names = [str(name) for name in cast("Sequence[object]", payload.get("predicates", ()))]
        async with self._unit_of_work(access) as tx:
            now = {p.name: p for p in await tx.predicates.policies()}
            then = {p.name: p for p in await tx.predicates.policies(mutation.revision)}
            before = {p.name: p for p in await tx.predicates.policies(Revision(mutation.revision - 1))}
        changed = [name for name in names if now.get(name) != then.get(name)]
        if changed:
            raise Conflict(
                f"the policy of {', '.join(changed[:SHOWN])} was changed after revision {mutation.revision}; undo that "
                "first, or set the policy that you want"
            )
        policies = [before[name] for name in names if name in before]
        remove = [name for name in names if name not in before]
        done = await self._vocabulary(access, policies, remove=remove, reason=reason, confirmed=names)
        assert done.revision is not None
        effect = done.effect
        return Undone(mutation.revision, mutation.kind, effect.moved, effect.facts, done.revision)


def _require_scope(access: Access, group: GroupId) -> None:
    if group != access.write_scope:
        raise InvalidInput(
            "the mutation was made in another scope than the one you write in; name that scope", field="scope"
        )


def _require_untouched(revision: Revision, seen: set[Revision]) -> None:
    later = sorted(each for each in seen if each > revision)
    if later:
        named = ", ".join(map(str, later[:SHOWN])) + (" …" if len(later) > SHOWN else "")
        raise Conflict(
            f"what revision {revision} changed was changed again since, at revision {named}; undo the later ones first"
        )
