"""Single mutations on PostgreSQL, and putting back what they did."""

from __future__ import annotations

from collections.abc import Sequence

from adapters.postgres.journal import mutation_of
from adapters.postgres.pool import Connection
from adapters.postgres.record import placed_of
from adapters.postgres.statements import statements
from domain.identity.ids import GroupId, Revision
from domain.knowledge.assertion import AssertionState
from domain.ports.history import Flip, FormerGrade
from domain.ports.journal import Mutation

_SQL = statements("history")
_STEPS = ("close_states", "reopen_states", "close_chunks", "reopen_chunks", "close_grades", "reopen_grades")


class PostgresHistory:
    """Implements ``History`` on one connection inside one transaction."""

    def __init__(self, connection: Connection) -> None:
        self._connection = connection

    async def mutation(self, revision: Revision) -> tuple[Mutation, GroupId] | None:
        row = await self._connection.fetchrow(_SQL["mutation"], revision)
        return None if row is None else (mutation_of(tuple(row)[:-1]), GroupId(row["group_id"]))

    async def flips(self, revision: Revision) -> list[Flip]:
        rows = await self._connection.fetch(_SQL["flips"], revision)
        return [
            Flip(
                AssertionState(row["before"]) if row["before"] else None,
                row["approved"],
                placed_of(tuple(row)[3:]),
                Revision(row["last"]),
            )
            for row in rows
        ]

    async def later_states(self, revision: Revision) -> Sequence[Revision]:
        return [Revision(row[0]) for row in await self._connection.fetch(_SQL["later_states"], revision)]

    async def grade_before(self, revision: Revision) -> FormerGrade | None:
        row = await self._connection.fetchrow(_SQL["grade_before"], revision)
        return None if row is None else FormerGrade(*row)

    async def put_back(self, revision: Revision, now: Revision) -> None:
        for step in _STEPS:
            await self._connection.execute(_SQL[step], revision, now)
