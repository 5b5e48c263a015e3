"""Whose history the journal tells: the entries in a range, of one thing or one actor, with what each did."""

from __future__ import annotations

import difflib
from collections.abc import Sequence
from dataclasses import replace
from uuid import UUID

from application.retrieval.queries import FactReads, Term
from domain.errors import InvalidInput, NotFound, shown
from domain.identity.access import Access
from domain.identity.ids import FactId, Revision
from domain.identity.permissions import Action, permit
from domain.journal.entries import KINDS, SHOWN_STEPS, EntriesRead, JournalEntry, Step, Target, TargetKind
from domain.knowledge.predicate import predicate_name
from domain.ports.unit_of_work import UnitOfWork
from domain.retrieval.reading import ReadPoint, Side


async def entity_target(reads: FactReads, access: Access, entity: Term, known_at: Revision | None = None) -> Target:
    """An entity with everything that is the same as it. Raises NotFound for an unknown one."""
    permit(access, Action.READ)
    if entity.literal is not None:
        raise InvalidInput("a literal has no history; give the id or the name of an entity", field="entity")
    side = Side(ids=(entity.id,)) if entity.id is not None else Side(names=(entity.name or "",))
    summary = await reads.reader.summary(access, side, ReadPoint(known_at=known_at), 0)
    if not summary.entities:
        raise NotFound(f"nothing is known about {entity.name or entity.id} in the scopes of the caller", field="entity")
    return Target(TargetKind.ENTITY, tuple(found.entity_id for found in summary.entities))


def row_target(kind: TargetKind, value: UUID | str) -> Target:
    """One row: a fact, an assertion, a document or a source by id, a predicate by its name in any spelling."""
    return Target(kind, (value,)) if isinstance(value, UUID) else Target(kind, name=predicate_name(value))


async def journal_entries(
    unit_of_work: UnitOfWork, access: Access, read: EntriesRead, steps: int = SHOWN_STEPS
) -> list[JournalEntry]:
    """Entries in order; of a fact, with what they did to it alone. ``steps`` 0 leaves out what they did.

    Raises InvalidInput for a kind of mutation that there is not.
    """
    permit(access, Action.READ)
    only = _only(read.target)
    async with unit_of_work(access) as tx:
        found = await tx.chronicle.entries(read)
        if not found and read.kind is not None and read.kind not in KINDS:
            near = difflib.get_close_matches(read.kind, KINDS, n=1)
            meant = f" (did you mean {near[0]}?);" if near else ";"
            known = ", ".join(sorted(KINDS))
            raise InvalidInput(f"no mutation is of the kind {shown(read.kind)}{meant} there are: {known}", field="kind")
        if not found or not steps:
            return found
        did = await tx.chronicle.steps([entry.mutation.revision for entry in found], only, steps)
    nothing: tuple[int, list[Step]] = (0, [])
    return [_with(entry, *did.get(entry.mutation.revision, nothing)) for entry in found]


def _only(target: Target | None) -> Sequence[FactId] | None:
    return [FactId(id) for id in target.ids] if target is not None and target.kind is TargetKind.FACT else None


def _with(entry: JournalEntry, steps: int, did: Sequence[Step]) -> JournalEntry:
    return replace(entry, steps=steps, did=tuple(did))
