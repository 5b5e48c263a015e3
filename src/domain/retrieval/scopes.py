"""One slot as several scopes fill it: their facts side by side, as if they were one scope's."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from uuid import UUID

from domain.identity.ids import AssertionId, FactId, GroupId, SlotId, StandingId
from domain.knowledge.predicate import PredicatePolicy
from domain.retrieval.contradictions import Saying


@dataclass(frozen=True, slots=True)
class ScopedSlot:
    """What one scope has in a slot. ``objects`` is what each fact says, the same key in every scope."""

    key: bytes
    slot_id: SlotId
    group_id: GroupId
    predicate: str
    policy: PredicatePolicy | None
    standings: tuple[StandingId, ...]
    sayings: tuple[Saying, ...]
    objects: tuple[tuple[FactId, UUID], ...]


@dataclass(frozen=True, slots=True)
class JoinedSlot:
    """The slot of several scopes, under the narrowest one's id. Equal facts are one: the narrowest scope's.

    ``scopes`` says whose each assertion is.
    """

    slot_id: SlotId
    group_id: GroupId
    predicate: str
    policy: PredicatePolicy | None
    standings: tuple[StandingId, ...]
    sayings: tuple[Saying, ...]
    scopes: dict[AssertionId, GroupId]


def joined_slots(rows: Sequence[ScopedSlot]) -> list[JoinedSlot]:
    """The rows by key; those of one key stand together, the narrowest scope first."""
    by_key: dict[bytes, list[ScopedSlot]] = {}
    for row in rows:
        by_key.setdefault(row.key, []).append(row)
    return [_joined(own) for own in by_key.values()]


def _joined(rows: Sequence[ScopedSlot]) -> JoinedSlot:
    first = rows[0]
    chosen: dict[UUID, FactId] = {}
    for row in rows:
        for fact_id, said in row.objects:
            chosen.setdefault(said, fact_id)
    same = {fact_id: chosen[said] for row in rows for fact_id, said in row.objects}
    return JoinedSlot(
        first.slot_id,
        first.group_id,
        first.predicate,
        first.policy,
        tuple(standing for row in rows for standing in row.standings),
        tuple(
            replace(saying, fact_id=same[saying.fact_id])
            for row in rows
            for saying in row.sayings
            if saying.fact_id in same
        ),
        {saying.assertion_id: row.group_id for row in rows for saying in row.sayings},
    )
