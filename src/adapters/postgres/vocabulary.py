"""Predicates on PostgreSQL, and the reads and writes of placing facts anew."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any
from uuid import UUID

import asyncpg

from adapters.postgres.pool import Connection
from adapters.postgres.rows import from_json, to_json, typed_object
from adapters.postgres.statements import statements
from domain.identity.ids import OPEN, FactId, GroupId, ProposalId, Revision, SlotId
from domain.knowledge.assertion import AssertionState
from domain.knowledge.near_synonyms import Merge, NearSynonym, SharedEnds
from domain.knowledge.policy_wire import policy_json, policy_of
from domain.knowledge.predicate import PredicatePolicy
from domain.ports.vocabulary import PredicatesCompared, Rehoused, Said, SuggestedBefore

_SQL = statements("vocabulary")


class PostgresPredicates:
    """Implements ``PredicateRecord`` on one connection inside one transaction."""

    def __init__(self, connection: Connection) -> None:
        self._connection = connection

    async def policies(self, at: Revision | None = None) -> list[PredicatePolicy]:
        rows = await self._fetch("policies", OPEN - 1 if at is None else at)
        return [policy_of(from_json(row["policy"])) for row in rows]

    async def facts_of(self, predicates: Sequence[str], after: FactId | None, limit: int) -> list[FactId]:
        return [FactId(row["fact_id"]) for row in await self._fetch("facts_of", list(predicates), after, limit)]

    async def has_objects(self, predicate: str, *, literal: bool) -> bool:
        return bool(await self._connection.fetchval(_SQL["has_objects"], predicate, literal))

    async def said(self, fact_ids: Sequence[FactId]) -> list[Said]:
        return [_said(row) for row in await self._fetch("said", list(fact_ids))]

    async def slots_of(self, group_id: GroupId, fact_keys: Sequence[bytes]) -> list[SlotId]:
        return [SlotId(row["slot_id"]) for row in await self._fetch("slots_of", group_id, list(fact_keys))]

    async def predicates_changed_since(self, predicates: Sequence[str], revision: Revision) -> bool:
        return bool(await self._connection.fetchval(_SQL["changed_since"], list(predicates), revision))

    async def set_policies(self, policies: Sequence[PredicatePolicy], revision: Revision) -> None:
        await self.unset_policies([policy.name for policy in policies], revision)
        rows = [(policy.name, to_json(policy_json(policy)), revision) for policy in policies]
        await self._connection.executemany(_SQL["add_policy"], rows)

    async def unset_policies(self, names: Sequence[str], revision: Revision) -> None:
        await self._connection.execute(_SQL["close_policies"], list(names), revision)

    async def rehouse(self, rows: Rehoused, revision: Revision) -> None:
        run = self._connection.execute
        if rows.slots:
            await run(_SQL["rehouse"], [fact for fact, _ in rows.slots], [slot for _, slot in rows.slots])
        if rows.filled:
            await run(_SQL["close_redirects"], rows.filled, revision)
        if rows.became:
            await run(_SQL["redirect"], *([row[part] for row in rows.became] for part in range(3)), revision)

    async def used(self, limit: int) -> dict[str, int]:
        return {row["predicate"]: row["facts"] for row in await self._fetch("predicates_used", limit)}

    async def shared_ends(self, crowd: int, limit: int) -> dict[tuple[str, str], SharedEnds]:
        rows = await self._fetch("shared_ends", crowd, limit)
        return {(row["one"], row["other"]): SharedEnds(row["straight"], row["turned"]) for row in rows}

    async def compare(self, merges: Sequence[NearSynonym], sample: int) -> list[PredicatesCompared]:
        pairs = [each.rarer_first for each in merges]
        turned = [each.merge is Merge.INVERSE for each in merges]
        columns = [one for one, _ in pairs], [other for _, other in pairs], turned
        rows = await self._fetch("compared_predicates", *columns, sample)
        found = {(row["one"], row["other"]): _compared(row) for row in rows}
        return [found[pair] for pair in pairs]

    async def suggested(self, merge_ids: Sequence[UUID]) -> list[SuggestedBefore]:
        rows = await self._fetch("suggested", list(merge_ids))
        return [SuggestedBefore(ProposalId(row[0]), row[1], row[2], from_json(row[3])) for row in rows]

    async def sentences(self, fact_ids: Sequence[FactId]) -> dict[FactId, str]:
        return {FactId(row[0]): row[1] for row in await self._fetch("sentences", list(fact_ids))}

    async def _fetch(self, name: str, *arguments: Any) -> list[asyncpg.Record]:
        return await self._connection.fetch(_SQL[name], *arguments)


def _said(row: asyncpg.Record) -> Said:
    return Said(
        assertion_id=row["assertion_id"],
        fact_id=row["fact_id"],
        group_id=row["group_id"],
        slot_id=row["slot_id"],
        state=AssertionState(row["state"]),
        approved=row["approved"],
        predicate=row["predicate"],
        subject_id=row["subject_id"],
        subject_name=row["subject_name"],
        object=typed_object(row["object_id"], row["object_literal"]),
        object_name=row["object_name"],
        qualifiers=from_json(row["qualifiers"]) or {},
    )


def _compared(row: asyncpg.Record) -> PredicatesCompared:
    fits = [
        None if not (own := _kinds(row[name])) or not (other := _kinds(row[f"other_{name}"])) else bool(own & other)
        for name in ("subject_kinds", "object_kinds")
    ]
    kinds_fit = False if False in fits else True if True in fits else None
    alike, apart = (tuple(FactId(each) for each in row[name] or ()) for name in ("alike", "apart"))
    return PredicatesCompared(row["sampled"], row["shared"], row["different"], alike, apart, kinds_fit)


def _kinds(kinds: Sequence[str | None] | None) -> set[str]:
    return {kind.casefold() for kind in kinds or () if kind is not None}
