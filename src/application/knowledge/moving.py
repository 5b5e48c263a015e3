"""Placing anew: the facts of some predicates under another vocabulary, and what that changes."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from uuid import UUID

from application.knowledge.change import sentence_of, standings_of
from domain.identity.ids import FactId, GroupId, SlotId
from domain.knowledge.predicate import Vocabulary
from domain.ports.ids import Ids
from domain.ports.record import FactRow, OpenStanding, PlacementRow, Record, RowSet, SlotContents
from domain.ports.vocabulary import PredicateRecord, Rehoused, Said
from domain.standing.place import Placement, place
from domain.standing.testimony import Lifecycle

PAGE = 5_000
"""Facts whose assertions are read at once."""
HOLDS = frozenset({Lifecycle.ACTIVE, Lifecycle.DISPUTED})


@dataclass(frozen=True, slots=True)
class ChangedFact:
    """A fact that stands otherwise, as a person reads it."""

    fact_id: FactId
    predicate: str
    sentence: str | None


@dataclass(frozen=True, slots=True)
class Effect:
    """What placing anew does: facts that come to hold, that cease to, that become disputed and that are no longer.

    ``facts`` and ``assertions`` were looked at, ``moved`` assertions go to another fact; a fact that goes on under
    another predicate is neither gained nor lost.
    """

    facts: int
    assertions: int
    moved: int
    gained: tuple[ChangedFact, ...]
    lost: tuple[ChangedFact, ...]
    disputed: tuple[ChangedFact, ...]
    settled: tuple[ChangedFact, ...]


@dataclass(slots=True)
class Moves:
    """Rows by scope, ready to be written, what becomes of the facts, and what it all amounts to."""

    rows: dict[GroupId, RowSet] = field(default_factory=lambda: defaultdict(RowSet))
    rehoused: Rehoused = field(default_factory=Rehoused)
    effect: Effect = field(default_factory=lambda: Effect(0, 0, 0, (), (), (), ()))


@dataclass(slots=True)
class _Work:
    """One pass: what is said, where it belongs now, and the slots it touches."""

    said: list[Said]
    placements: list[Placement]
    slots: dict[tuple[GroupId, bytes], SlotId]
    contents: SlotContents
    targets: list[FactRow] = field(default_factory=list)
    rehoused: dict[FactId, SlotId] = field(default_factory=dict)


async def prepare_moves(
    record: Record, held: PredicateRecord, key: bytes, predicates: Sequence[str], vocabulary: Vocabulary, ids: Ids
) -> Moves:
    """Place every assertion on a fact of the predicates under the vocabulary, lock the slots, and assess them.

    ``predicates`` are the names that the facts are kept under. Writes only slots that were missing.
    """
    work = await _gather(record, held, key, predicates, vocabulary)
    moves = Moves()
    _choose(work, ids, moves)
    _move(work, moves)
    _stand(work, vocabulary, ids, moves)
    return moves


async def _gather(
    record: Record, held: PredicateRecord, key: bytes, predicates: Sequence[str], vocabulary: Vocabulary
) -> _Work:
    said: list[Said] = []
    after: FactId | None = None
    while page := await held.facts_of(predicates, after, PAGE):
        said += await held.said(page)
        after = page[-1]
    said.sort(key=lambda each: each.assertion_id)
    placements = [place(s.subject_id, s.predicate, s.object, s.qualifiers, vocabulary, key) for s in said]
    wanted: dict[GroupId, set[bytes]] = defaultdict(set)
    keys: dict[GroupId, set[bytes]] = defaultdict(set)
    for each, placement in zip(said, placements, strict=True):
        wanted[each.group_id].add(placement.slot_key)
        keys[each.group_id].add(placement.fact_key)
    slots: dict[tuple[GroupId, bytes], SlotId] = {}
    emptied: set[SlotId] = set()
    for group in sorted(wanted):
        locked = await record.lock_slots(list(wanted[group]), group)
        slots |= {(group, slot_key): slot_id for slot_key, (slot_id, _) in locked.items()}
        # A fact that was merged away stayed in the slot that it had then.
        emptied.update(await held.slots_of(group, list(keys[group])))
    touched = sorted({*slots.values(), *emptied, *(each.slot_id for each in said)})
    await record.lock_slot_ids(touched)
    return _Work(said, placements, slots, await record.slot_contents(touched))


def _choose(work: _Work, ids: Ids, moves: Moves) -> None:
    """The fact of each assertion: the one with its key, in the slot that the vocabulary gives it, or a new one."""
    facts = work.contents.facts
    by_key = {(fact.group_id, fact.key): fact for fact in facts.values()}
    for said, placement in zip(work.said, work.placements, strict=True):
        slot = work.slots[said.group_id, placement.slot_key]
        fact = by_key.get((said.group_id, placement.fact_key))
        if fact is None:
            fact = FactRow(
                id=FactId(ids.new()),
                group_id=said.group_id,
                key=placement.fact_key,
                slot_id=slot,
                subject_id=placement.subject,
                predicate=placement.predicate,
                object=placement.object,
                object_key=placement.object_key,
                qualifiers=dict(placement.qualifiers),
                sentence=sentence_of(placement, _names(said)),
            )
            moves.rows[said.group_id].facts.append(fact)
        elif fact.slot_id != slot:
            fact = replace(fact, slot_id=slot)
            work.rehoused[fact.id] = slot
        facts[fact.id] = by_key[said.group_id, fact.key] = fact
        work.targets.append(fact)
    moves.rehoused.slots = list(work.rehoused.items())


def _names(said: Said) -> Mapping[UUID, str]:
    names: dict[UUID, str] = {said.subject_id: said.subject_name}
    object_id = getattr(said.object, "entity_id", None)
    if object_id is not None and said.object_name is not None:
        names[object_id] = said.object_name
    return names


def _move(work: _Work, moves: Moves) -> None:
    testimonies = work.contents.testimonies
    went: dict[FactId, Counter[FactId]] = defaultdict(Counter)
    before = {fact_id for fact_id, held in testimonies.items() if held}
    for said, target in zip(work.said, work.targets, strict=True):
        if target.id == said.fact_id:
            continue
        held = testimonies[said.fact_id]
        index = next(n for n, testimony in enumerate(held) if testimony.assertion_id == said.assertion_id)
        moved = replace(held.pop(index), fact_id=target.id, object=target.object)
        testimonies.setdefault(target.id, []).append(moved)
        rows = moves.rows[said.group_id]
        rows.close_placements.append(said.assertion_id)
        rows.open_placements.append(
            PlacementRow(said.assertion_id, target.id, said.group_id, said.state, said.approved)
        )
        went[said.fact_id][target.id] += 1
    for fact_id, into in went.items():
        if not testimonies[fact_id]:
            most = max(into.items(), key=lambda item: (item[1], item[0].int))[0]
            moves.rehoused.became.append((fact_id, work.contents.facts[fact_id].group_id, most))
    fresh = {fact.id for rows in moves.rows.values() for fact in rows.facts}
    targets = {target.id for target in work.targets}
    moves.rehoused.filled = sorted(targets - before - fresh)


def _stand(work: _Work, vocabulary: Vocabulary, ids: Ids, moves: Moves) -> None:
    by_slot: dict[SlotId, list[FactRow]] = defaultdict(list)
    for fact in work.contents.facts.values():
        by_slot[fact.slot_id].append(fact)
    after: dict[FactId, set[Lifecycle]] = defaultdict(set)
    for facts in by_slot.values():
        rows = standings_of(facts, work.contents, vocabulary.policy(facts[0].predicate), ids)
        stored = {(o.fact_id, o.standing_hash): o for f in facts for o in work.contents.standings.get(f.id, ())}
        for row in rows:
            after[row.fact.id].add(row.segment.lifecycle)
            # A standing says which slot it is in, so a fact that moves is written anew though it stands as before.
            if row.fact.id in work.rehoused or stored.pop((row.fact.id, row.standing_hash), None) is None:
                moves.rows[row.fact.group_id].open_standings.append(row)
        for left in stored.values():
            moves.rows[work.contents.facts[left.fact_id].group_id].close_standings.append(left.id)
    moves.effect = _effect(work, after, moves)


def _effect(work: _Work, after: Mapping[FactId, set[Lifecycle]], moves: Moves) -> Effect:
    facts, standings = work.contents.facts, work.contents.standings
    became = {fact_id: into for fact_id, _, into in moves.rehoused.became}
    inherited: dict[FactId, set[Lifecycle]] = defaultdict(set)
    for fact_id, into in became.items():
        inherited[into] |= _lifecycles(standings.get(fact_id, ()))
    changed: dict[str, list[ChangedFact]] = defaultdict(list)
    for fact_id in sorted(facts):
        if fact_id in became and after.get(became[fact_id], set()) & HOLDS:
            continue
        earlier = _lifecycles(standings.get(fact_id, ())) | inherited[fact_id]
        later = after.get(fact_id, set())
        shown = ChangedFact(fact_id, facts[fact_id].predicate, facts[fact_id].sentence)
        if bool(earlier & HOLDS) is not bool(later & HOLDS):
            changed["gained" if later & HOLDS else "lost"].append(shown)
        if (Lifecycle.DISPUTED in earlier) is not (Lifecycle.DISPUTED in later) and later & HOLDS:
            changed["disputed" if Lifecycle.DISPUTED in later else "settled"].append(shown)
    return Effect(
        len({each.fact_id for each in work.said}),
        len(work.said),
        sum(len(rows.open_placements) for rows in moves.rows.values()),
        *(tuple(changed[name]) for name in ("gained", "lost", "disputed", "settled")),
    )


def _lifecycles(standings: Sequence[OpenStanding]) -> set[Lifecycle]:
    return {standing.lifecycle for standing in standings}
