"""Graphiti's Neo4j driver with limits, and without work of its own."""

from __future__ import annotations

from collections.abc import AsyncIterator, Mapping, Sequence
from contextlib import asynccontextmanager
from typing import Any

from graphiti_core.driver.neo4j_driver import Neo4jDriver
from neo4j import READ_ACCESS, WRITE_ACCESS, AsyncSession, EagerResult, Query
from neo4j.exceptions import AuthError, ClientError, DriverError, Neo4jError, TransientError

from domain.errors import Unavailable, WorkFailed

_ATTEMPTS = 3


@asynccontextmanager
async def neo4j_errors() -> AsyncIterator[None]:
    """Turn what the driver raises into Unavailable, without its text."""
    try:
        yield
    except AuthError as error:
        raise Unavailable("Neo4j refuses the user or the password; correct the graph's address") from error
    except (Neo4jError, DriverError) as error:
        code = getattr(error, "code", None) or ""
        if "TimedOut" in code or "Terminated" in code:
            raise WorkFailed("the question took Neo4j too long; ask for fewer hops or name predicates") from error
        if "MemoryPool" in code or "OutOfMemory" in code:
            raise Unavailable("Neo4j has no memory left; ask for less, or give it more") from error
        if isinstance(error, TransientError):
            raise Unavailable("Neo4j is busy with another write; try again") from error
        if isinstance(error, DriverError):
            raise Unavailable("Neo4j does not answer; check that it runs and its address is right") from error
        raise WorkFailed("Neo4j refused a statement; its log says why") from error
    except OSError as error:
        raise Unavailable("Neo4j does not answer; check that it runs and its address is right") from error


class LimitedNeo4jDriver(Neo4jDriver):
    """One database for all organizations. Every statement has a time limit; nothing is logged."""

    def __init__(
        self, uri: str, user: str, password: str, *, database: str = "neo4j", query_timeout_s: float = 10.0
    ) -> None:
        super().__init__(uri, user, password, database)
        self._timeout_s = query_timeout_s

    async def build_indices_and_constraints(self, delete_existing: bool = False) -> None:
        """Nothing: the engine makes the indexes it needs. Graphiti would start 31 here, in the background."""

    async def execute_query(self, cypher_query_: str, **kwargs: Any) -> EagerResult:
        """What graphiti's classes call."""
        parameters = {**(kwargs.pop("params", None) or {}), **kwargs}
        access = READ_ACCESS if parameters.pop("routing_", None) == "r" else WRITE_ACCESS
        async with neo4j_errors(), self._session(access) as session:
            result = await session.run(Query(cypher_query_, timeout=self._timeout_s), parameters)
            return await result.to_eager_result()

    async def read(self, statement: str, parameters: Mapping[str, Any]) -> Sequence[Sequence[Any]]:
        """The rows of a reading statement. One that meets an element just as it is deleted is run again."""
        async with neo4j_errors(), self._session(READ_ACCESS) as session:
            for _ in range(_ATTEMPTS - 1):
                try:
                    return await self._rows(session, statement, parameters)
                except ClientError as error:
                    if error.code != "Neo.ClientError.Statement.EntityNotFound":
                        raise
            return await self._rows(session, statement, parameters)

    async def read_all(self, statement: str, parameters: Mapping[str, Any]) -> Sequence[Sequence[Any]]:
        """The rows of a statement that reads a whole graph, for upkeep: with sixty times the time of a read."""
        async with neo4j_errors(), self._session(READ_ACCESS) as session:
            result = await session.run(Query(statement, timeout=60 * self._timeout_s), dict(parameters))
            return await result.values()

    async def write(self, statement: str, **parameters: Any) -> Sequence[Sequence[Any]]:
        """The rows of one writing statement, in a transaction of its own with ten times the time of a read."""
        async with neo4j_errors(), self._session(WRITE_ACCESS) as session:
            result = await session.run(Query(statement, timeout=10 * self._timeout_s), parameters)
            return await result.values()

    def _session(self, access: str) -> AsyncSession:
        return self.client.session(
            database=self._database, default_access_mode=access, notifications_min_severity="OFF"
        )

    async def _rows(
        self, session: AsyncSession, statement: str, parameters: Mapping[str, Any]
    ) -> Sequence[Sequence[Any]]:
        result = await session.run(Query(statement, timeout=self._timeout_s), dict(parameters))
        return await result.values()
