"""Computing all standings anew from what they rest on, and comparing them with what is stored."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from application.identity.access import AccessResolver
from application.knowledge.change import standings_of
from application.knowledge.commit import committed, follow_up
from application.projection.tenant import organization_wide, root_of
from domain.errors import InvalidInput
from domain.identity.access import Access
from domain.identity.ids import FactId, Revision, SlotId
from domain.knowledge.core_vocabulary import CORE_VOCABULARY
from domain.knowledge.predicate import Vocabulary
from domain.ports.ids import Ids
from domain.ports.journal import Entry
from domain.ports.record import FactRow, OpenStanding, RowSet, SlotContents, StandingRow
from domain.ports.unit_of_work import Transaction, UnitOfWork

SLOTS = 500
"""Slots that are looked at, and repaired, in one transaction."""


@dataclass(frozen=True, slots=True)
class Discrepancy:
    """A fact whose stored segments are not what its assertions make: how many are missing, how many too many."""

    fact_id: FactId
    missing: int
    extra: int


@dataclass(frozen=True, slots=True)
class Rebuilt:
    """What was compared at a revision; ``repaired_at`` is the last revision of the repair, if there was one."""

    revision: Revision
    slots: int
    standings: int
    discrepancies: tuple[Discrepancy, ...]
    repaired_at: Revision | None = None


@dataclass(slots=True)
class _Compared:
    """One portion of slots: what should be written, and what of it differs."""

    rows: RowSet
    standings: int
    discrepancies: list[Discrepancy]


class RebuildStandings:
    """Recomputes the standings of every scope of an organization from assertions, placements and policies.

    - It asks no model and no clock, so it must find what is stored; a difference is named by its fact.
    - At an earlier revision it compares with what was stored then.
    - It repairs only when asked, and only the present: through the journal, slot by slot under their locks.
    """

    def __init__(self, resolver: AccessResolver, unit_of_work: UnitOfWork, ids: Ids) -> None:
        self._resolver = resolver
        self._unit_of_work = unit_of_work
        self._ids = ids

    async def __call__(self, access: Access, at: Revision | None = None, *, repair: bool = False) -> Rebuilt:
        """Compare at a revision, else the head. Raises Forbidden, Unavailable, InvalidInput to repair the past."""
        if repair and at is not None:
            raise InvalidInput(f"revision {at} is past, and the past cannot be repaired; leave it out", field="at")
        whole = await organization_wide(self._resolver, access)
        async with self._unit_of_work(whole) as tx:
            revision = (await tx.journal.head()).revision if at is None else at
            displaced = await tx.record.displaced(revision)
        slots, standings, after = 0, 0, None
        discrepancies: list[Discrepancy] = []
        repaired: Revision | None = None
        while True:
            async with self._unit_of_work(whole) as tx:
                portion = await tx.record.slot_ids(after, SLOTS)
                compared = await self._compare(tx, portion, revision, displaced)
            if not portion:
                return Rebuilt(revision, slots, standings, tuple(discrepancies), repaired)
            if repair and compared.discrepancies:
                repaired = await self._repair(whole, portion) or repaired
            slots, standings, after = slots + len(portion), standings + compared.standings, portion[-1]
            discrepancies += compared.discrepancies

    async def _compare(
        self, tx: Transaction, slots: Sequence[SlotId], at: Revision | None, displaced: Mapping[FactId, SlotId]
    ) -> _Compared:
        contents = await tx.record.slot_contents(slots, at, displaced)
        vocabulary = Vocabulary.of((*CORE_VOCABULARY, *await tx.predicates.policies(at)))
        by_slot: dict[SlotId, list[FactRow]] = defaultdict(list)
        for fact in contents.facts.values():
            by_slot[fact.slot_id].append(fact)
        compared = _Compared(RowSet(), 0, [])
        for facts in by_slot.values():
            rows = standings_of(facts, contents, vocabulary.policy(facts[0].predicate), self._ids)
            compared.standings += len(rows)
            _note_differences(facts, rows, contents, compared)
        return compared

    async def _repair(self, access: Access, slots: Sequence[SlotId]) -> Revision | None:
        async def work(tx: Transaction) -> Revision | None:
            await tx.record.lock_slot_ids(slots)
            head = await tx.journal.head()
            compared = await self._compare(tx, slots, None, {})
            if not compared.discrepancies:
                return None
            facts = [str(d.fact_id) for d in compared.discrepancies]
            entry = Entry("rebuild_standings", root_of(access), {"facts": facts}, placed_under=head)
            revision = await tx.journal.advance(entry)
            await tx.record.write(compared.rows, revision)
            await tx.jobs.enqueue(follow_up(root_of(access)))
            return revision

        return await committed(self._unit_of_work, access, work)


def _note_differences(
    facts: Sequence[FactRow], rows: Sequence[StandingRow], contents: SlotContents, compared: _Compared
) -> None:
    """Pair each computed segment with a stored one of the same hash; what is left over on either side differs."""
    computed: dict[FactId, list[StandingRow]] = defaultdict(list)
    for row in rows:
        computed[row.fact.id].append(row)
    for fact in facts:
        stored: dict[bytes, list[OpenStanding]] = defaultdict(list)
        for one in contents.standings.get(fact.id, ()):
            stored[one.standing_hash].append(one)
        missing = []
        for row in computed[fact.id]:
            if stored[row.standing_hash]:
                stored[row.standing_hash].pop()
            else:
                missing.append(row)
        extra = [one for left in stored.values() for one in left]
        if missing or extra:
            compared.rows.open_standings += missing
            compared.rows.close_standings += [one.id for one in extra]
            compared.discrepancies.append(Discrepancy(fact.id, len(missing), len(extra)))
