"""The journal as it is read, on PostgreSQL."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from adapters.postgres.journal import mutation_of
from adapters.postgres.pool import Connection
from adapters.postgres.statements import statements
from domain.identity.ids import OPEN, FactId, GroupId, OrganizationId, Revision, StandingId
from domain.journal.entries import EntriesRead, JournalEntry, Step, Target
from domain.journal.verification import Anchor, Commitment, Fault, FaultKind
from domain.standing.testimony import Lifecycle

_SQL = statements("chronicle")


class PostgresChronicle:
    """Implements ``Chronicle`` on one connection inside one transaction."""

    def __init__(self, connection: Connection) -> None:
        self._connection = connection

    async def seal(self) -> Anchor:
        row = await self._connection.fetchrow(_SQL["seal"])
        assert row is not None
        return Anchor(OrganizationId(row[0]), Revision(row[1]), row[2], row[3])

    async def hash_at(self, revision: Revision) -> bytes | None:
        found: bytes | None = await self._connection.fetchval(_SQL["hash_at"], revision)
        return found

    async def chain_faults(self, limit: int) -> list[Fault]:
        rows = await self._connection.fetch(_SQL["chain_faults"], limit)
        return [Fault(Revision(row[0]), Revision(row[1]), FaultKind(row[2])) for row in rows]

    async def commitments(self, after: Revision, limit: int) -> list[Commitment]:
        return [Commitment(*row) for row in await self._connection.fetch(_SQL["commitments"], after, limit)]

    async def links(self, after: Revision, up_to: Revision, limit: int) -> list[Mapping[str, object]]:
        return [dict(row) for row in await self._connection.fetch(_SQL["links"], after, up_to, limit)]

    async def entries(self, read: EntriesRead) -> list[JournalEntry]:
        touched = None if read.target is None else await self._touched(read.target)
        bounds = read.after, read.up_to, read.actor, read.kind, touched, read.limit
        rows = await self._connection.fetch(_SQL["entries"], *bounds)
        return [JournalEntry(mutation_of(tuple(row)[:-2]), GroupId(row["group_id"]), row["name"]) for row in rows]

    async def steps(
        self, revisions: Sequence[Revision], facts: Sequence[FactId] | None, limit: int
    ) -> dict[Revision, tuple[int, list[Step]]]:
        chosen = None if facts is None else list(facts)
        rows = await self._connection.fetch(_SQL["steps"], list(revisions), chosen, limit)
        found: dict[Revision, tuple[int, list[Step]]] = {}
        for row in rows:
            found.setdefault(Revision(row["revision"]), (row["steps"], []))[1].append(_step(row))
        return found

    async def _touched(self, target: Target) -> list[int]:
        asked = target.name if target.name is not None else list(target.ids)
        rows = await self._connection.fetch(_SQL[f"touched_{target.kind.value}"], asked)
        return [row[0] for row in rows if row[0] != OPEN]


def _step(row: Any) -> Step:
    return Step(
        FactId(row["fact_id"]),
        row["sentence"],
        row["opened"],
        StandingId(row["standing_id"]),
        row["valid_from"],
        row["valid_to"],
        Lifecycle(row["lifecycle"]),
        row["confidence"],
        row["reason"],
        tuple(row["sources"]),
    )
