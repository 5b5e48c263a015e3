"""The record on PostgreSQL: what the write path reads under its locks, and its set-based writes."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import replace
from types import MappingProxyType
from typing import Any
from uuid import UUID

import asyncpg
import msgspec

from adapters.postgres.job_queue import job_parameter
from adapters.postgres.journal import RequireKept, entry_parameters
from adapters.postgres.pool import Connection
from adapters.postgres.row_sets import row_set_parameters
from adapters.postgres.rows import bound, from_json, typed_object
from adapters.postgres.statements import statements
from application.audit.visit import note_mutation
from domain.identity.access import Access
from domain.identity.ids import (
    OPEN,
    AssertionId,
    DocumentId,
    EntityId,
    FactId,
    GroupId,
    MentionId,
    Revision,
    RunId,
    SlotId,
    SourceId,
    VersionId,
)
from domain.knowledge.assertion import AssertionState, ClaimKind, Polarity
from domain.ports.job_queue import Job
from domain.ports.journal import Entry, Head, MovedOn
from domain.ports.record import (
    AliasRow,
    FactRow,
    MentionRow,
    NameCandidate,
    NamedFact,
    OpenStanding,
    PlacedAssertion,
    Recalled,
    Regrade,
    RowSet,
    SlotContents,
)
from domain.ports.waiting import WaitingAssertion, WaitingFilter
from domain.resolution.names import normal_name
from domain.standing.testimony import Lifecycle, Testimony

_SQL = statements("record")
_LATEST = Revision(OPEN - 1)

_MentionColumns = tuple[
    MentionId, VersionId, DocumentId, str, str, str | None, int | None, int | None, EntityId, str
]  # fmt: skip


class _Recalled(msgspec.Struct):
    """What the function recall returns."""

    head: tuple[Revision, Revision, Revision] | None
    items: list[tuple[UUID, bytes, UUID, UUID]] | None
    mentions: list[_MentionColumns] | None
    candidates: list[tuple[str, EntityId, str | None, GroupId, bool]] | None


_recalled = msgspec.json.Decoder(_Recalled).decode


class PostgresRecord:
    """Implements ``Record`` on one connection inside one transaction."""

    def __init__(self, connection: Connection, access: Access, require_kept: RequireKept | None = None) -> None:
        self._connection = connection
        self._access = access
        self._require_kept = require_kept

    async def recall(
        self, items: Sequence[tuple[DocumentId, bytes]], names: Sequence[tuple[VersionId, str, str | None]]
    ) -> Recalled:
        documents, keys = [d for d, _ in items], [k for _, k in items]
        columns = ([n[part] for n in names] for part in range(3))
        found = _recalled(await self._connection.fetchval(_SQL["recall"], documents, keys, *columns))
        return Recalled(
            Head(*found.head) if found.head else Head(Revision(0), Revision(0), Revision(0)),
            {(DocumentId(d), key): (AssertionId(a), RunId(r)) for d, key, a, r in found.items or ()},
            [MentionRow(*row) for row in found.mentions or ()],
            [NameCandidate(*row) for row in found.candidates or ()],
        )

    async def known_items(
        self, document_id: DocumentId, keys: Sequence[bytes]
    ) -> dict[bytes, tuple[AssertionId, RunId]]:
        rows = await self._fetch("known_items", document_id, list(keys))
        return {row["key"]: (AssertionId(row["assertion_id"]), RunId(row["run_id"])) for row in rows}

    async def claim_entities(self, keys: Sequence[bytes]) -> dict[bytes, tuple[EntityId, bool]]:
        rows = await self._fetch("claim_entities", self._access.write_scope, sorted(set(keys)))
        # A key that this call made is seen by its second half too: the first row, which says so, counts.
        return {row["key"]: (EntityId(row["entity_id"]), row["made"]) for row in reversed(rows)}

    async def lock_slots(
        self, keys: Sequence[bytes], group_id: GroupId | None = None
    ) -> dict[bytes, tuple[SlotId, bool]]:
        wanted = sorted(set(keys))
        rows = await self._fetch("lock_slots", group_id or self._access.write_scope, wanted)
        if len(rows) < len(wanted):
            # An erasure that held a lock took its slot away: begin again.
            raise MovedOn
        return {row["key"]: (SlotId(row["slot_id"]), row["fresh"]) for row in rows}

    async def lock_slot_ids(self, slot_ids: Sequence[SlotId]) -> None:
        await self._fetch("lock_slot_ids", list(slot_ids))

    async def slot_contents(
        self,
        slot_ids: Sequence[SlotId],
        at: Revision | None = None,
        displaced: Mapping[FactId, SlotId] = MappingProxyType({}),
        regrade: Regrade | None = None,
    ) -> SlotContents:
        contents = SlotContents()
        if not slot_ids:
            return contents
        moment = _LATEST if at is None else at
        for row in await self._fetch("slot_facts", list(slot_ids), moment):
            if row["fact_id"] not in displaced:
                contents.facts[FactId(row["fact_id"])] = _fact(row)
        asked = set(slot_ids)
        if here := [fact_id for fact_id, slot_id in displaced.items() if slot_id in asked]:
            for row in await self._fetch("facts_by_id", here, moment):
                fact = _fact(row)
                contents.facts[fact.id] = replace(fact, slot_id=displaced[fact.id])
        fact_ids = list(contents.facts)
        graded = (regrade.source_id, regrade.tier, regrade.trust) if regrade else (None, None, None)
        for row in await self._fetch("slot_testimonies", fact_ids, moment, *graded):
            fact = contents.facts[FactId(row["fact_id"])]
            contents.testimonies.setdefault(fact.id, []).append(_testimony(row, fact))
        contents.standings.update(await self._standings(fact_ids, moment))
        return contents

    async def displaced(self, at: Revision) -> dict[FactId, SlotId]:
        return {FactId(row["fact_id"]): SlotId(row["slot_id"]) for row in await self._fetch("displaced", at)}

    async def _standings(self, fact_ids: list[FactId], at: Revision) -> dict[FactId, list[OpenStanding]]:
        found: dict[FactId, list[OpenStanding]] = {}
        for row in await self._fetch("slot_standings", fact_ids, at):
            found.setdefault(FactId(row["fact_id"]), []).append(_open(row))
        return found

    async def named_fact(self, fact_id: FactId) -> NamedFact | None:
        for row in await self._fetch("named_fact", fact_id):
            holds = tuple((held[0], held[1]) for held in await self._fetch("holds", fact_id))
            return NamedFact(
                _fact(row), row["subject_name"], row["subject_kind"], row["object_name"], row["object_kind"], holds
            )
        return None

    async def slot_changed_at(self, slot_id: SlotId) -> Revision:
        return Revision(await self._connection.fetchval(_SQL["slot_changed_at"], slot_id))

    async def aliases_of(self, assertion_ids: Sequence[AssertionId]) -> list[AliasRow]:
        rows = await self._fetch("aliases_of", list(assertion_ids))
        return [AliasRow(entity, name, normal_name(name), assertion) for entity, name, assertion in rows]

    async def placed(self, assertion_ids: Sequence[AssertionId]) -> list[PlacedAssertion]:
        return [placed_of(row) for row in await self._fetch("placed", list(assertion_ids))]

    async def waiting(self, chosen: WaitingFilter, after: AssertionId | None, limit: int) -> list[WaitingAssertion]:
        rows = await self._fetch(
            "waiting", chosen.document_id, chosen.source, chosen.predicate, chosen.below_confidence, after, limit
        )
        return [WaitingAssertion(*row) for row in rows]

    async def placed_by_version(
        self, version_id: VersionId, states: Sequence[AssertionState], except_run: RunId | None = None
    ) -> list[PlacedAssertion]:
        rows = await self._fetch("placed_by_version", version_id, [s.value for s in states], except_run)
        return [placed_of(row) for row in rows]

    async def placed_by_document(
        self, document_id: DocumentId, except_version: VersionId | None
    ) -> list[PlacedAssertion]:
        return [placed_of(row) for row in await self._fetch("placed_by_document", document_id, except_version)]

    async def placed_by_source(self, source_id: SourceId) -> list[PlacedAssertion]:
        return [placed_of(row) for row in await self._fetch("placed_by_source", source_id)]

    async def slots_of_source(self, source_id: SourceId) -> list[SlotId]:
        return [SlotId(row["slot_id"]) for row in await self._fetch("slots_of_source", source_id)]

    async def spoke_since(self, source_id: SourceId, revision: Revision) -> bool:
        return bool(await self._connection.fetchval(_SQL["spoke_since"], source_id, revision))

    async def slot_ids(self, after: SlotId | None, limit: int) -> list[SlotId]:
        return [SlotId(row["slot_id"]) for row in await self._fetch("slot_ids", after, limit)]

    async def write(self, rows: RowSet, revision: Revision, group_id: GroupId | None = None) -> None:
        access = self._access
        with _overtaken():
            await self._connection.execute(
                _SQL["write_rows"],
                revision,
                group_id or access.write_scope,
                access.principal.id,
                access.principal.kind.value,
                *row_set_parameters(rows),
            )

    async def append(self, rows: RowSet, entry: Entry, jobs: Sequence[Job] = ()) -> Revision:
        with _overtaken():
            revision = await self._connection.fetchval(
                _SQL["append_rows"],
                *entry_parameters(entry, self._access, self._require_kept),
                *row_set_parameters(rows),
                job_parameter(jobs),
            )
        if revision is None:
            raise MovedOn
        note_mutation(self._access, entry.kind, entry.payload, Revision(revision))
        return Revision(revision)

    async def _fetch(self, name: str, *arguments: Any) -> list[asyncpg.Record]:
        return await self._connection.fetch(_SQL[name], *arguments)


@contextmanager
def _overtaken() -> Iterator[None]:
    """Another transaction wrote the same item, mention or name since it was looked for: begin again."""
    try:
        yield
    except asyncpg.UniqueViolationError as error:
        raise MovedOn from error


def _fact(row: asyncpg.Record) -> FactRow:
    return FactRow(
        id=FactId(row["fact_id"]),
        group_id=GroupId(row["group_id"]),
        key=row["key"],
        slot_id=SlotId(row["slot_id"]),
        subject_id=EntityId(row["subject_id"]),
        predicate=row["predicate"],
        object=typed_object(row["object_id"], row["object_literal"]),
        object_key=row["object_key"],
        qualifiers=from_json(row["qualifiers"]) or {},
        sentence=row["sentence"],
    )


def _testimony(row: asyncpg.Record, fact: FactRow) -> Testimony:
    return Testimony(
        assertion_id=AssertionId(row["assertion_id"]),
        fact_id=fact.id,
        object=fact.object,
        state=AssertionState(row["state"]),
        polarity=Polarity(row["polarity"]),
        kind=ClaimKind(row["kind"]),
        confidence=row["confidence"],
        valid_from=bound(row, "valid_from"),
        valid_to=bound(row, "valid_to"),
        observed_at=row["observed_at"],
        published_at=row["published_at"],
        tier=row["tier"],
        trust=row["trust"],
        independence_key=row["independence_key"],
        corrects=row["corrects_revision"],
        approved=row["approved"],
    )


def _open(row: asyncpg.Record) -> OpenStanding:
    standing, fact, digest, lifecycle = row
    return OpenStanding(standing, fact, digest, Lifecycle(lifecycle))


def placed_of(row: Iterable[Any]) -> PlacedAssertion:
    """A placement from the columns of the query ``placed``."""
    assertion, fact, slot, group, state, predicate, principal_kind, document = row
    return PlacedAssertion(assertion, fact, slot, group, AssertionState(state), predicate, principal_kind, document)
