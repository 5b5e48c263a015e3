"""Graphiti's FalkorDB driver with limits, and a fast way to send our own statements over the same connections."""

from __future__ import annotations

import re
from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager
from typing import Any

import msgspec
from falkordb.asyncio import FalkorDB
from graphiti_core.driver.falkordb_driver import FalkorDriver
from graphiti_core.utils.datetime_utils import convert_datetimes_to_strings
from redis.asyncio import BlockingConnectionPool, Redis
from redis.asyncio.retry import Retry
from redis.backoff import NoBackoff
from redis.exceptions import AuthenticationError, OutOfMemoryError, RedisError, ResponseError
from redis.exceptions import ConnectionError as RedisConnectionError
from redis.exceptions import TimeoutError as RedisTimeoutError

from domain.errors import Unavailable, WorkFailed

_NO_GRAPH = "empty key"
_ESCAPE = re.compile(r"(\\\\)|\\u00([01][0-9a-f])")


class PooledFalkorDB(FalkorDB):  # type: ignore[misc]
    """FalkorDB's client on a pool of its own. It connects on first use; the parent would ask the server at once,
    blocking the event loop, whether it is a cluster, and fail when the server is not up yet."""

    def __init__(self, pool: BlockingConnectionPool) -> None:
        self.connection = Redis.from_pool(pool)
        self.flushdb = self.connection.flushdb
        self.execute_command = self.connection.execute_command


def falkordb_client(url: str, *, connections: int = 16, socket_timeout_s: float = 65.0) -> PooledFalkorDB:
    """A client for ``redis://``, ``rediss://`` or ``unix://``; callers wait for a free connection, up to 20 s.

    A connection that the server has closed is opened again once. Close with ``aclose``.
    """
    pool = BlockingConnectionPool.from_url(
        url,
        max_connections=connections,
        timeout=20,
        decode_responses=True,
        socket_timeout=socket_timeout_s,
        socket_connect_timeout=5,
        retry=Retry(NoBackoff(), 1, supported_errors=(RedisConnectionError,)),
    )
    return PooledFalkorDB(pool)


@asynccontextmanager
async def falkordb_errors() -> AsyncIterator[None]:
    """Turn what the client raises into Unavailable, without its text."""
    try:
        yield
    except AuthenticationError as error:
        raise Unavailable("FalkorDB refuses the user or the password; correct the graph's address") from error
    except OutOfMemoryError as error:
        raise Unavailable("FalkorDB has no memory left; raise its maxmemory or give the machine more") from error
    except RedisTimeoutError as error:
        raise Unavailable("FalkorDB did not answer in time; ask for less, or try again") from error
    except ResponseError as error:
        if "timed out" in str(error):
            raise WorkFailed("the question took FalkorDB too long; ask for fewer hops or name predicates") from error
        raise WorkFailed("FalkorDB refused a statement; its log says why") from error
    except (RedisError, OSError) as error:
        raise Unavailable("FalkorDB does not answer; check that it runs and its address is right") from error


class LimitedFalkorDriver(FalkorDriver):
    """For graphiti's tools, on one graph that exists. Reads cannot make a graph; values never reach the log."""

    def __init__(self, client: FalkorDB, graph: str = "", *, query_timeout_s: float = 10.0) -> None:
        super().__init__(falkor_db=client, database=graph)
        self._timeout_ms = round(query_timeout_s * 1000)

    async def build_indices_and_constraints(self, delete_existing: bool = False) -> None:
        """Nothing: the engine makes the few indexes it needs. Graphiti would start 13 here, in the background."""

    def clone(self, database: str) -> LimitedFalkorDriver:
        """The same connections on another graph."""
        return LimitedFalkorDriver(self.client, database, query_timeout_s=self._timeout_ms / 1000)

    async def execute_query(self, cypher_query_: str, **kwargs: Any) -> tuple[list[dict[str, Any]], list[str], None]:
        """What graphiti's classes call. A read of a graph that does not exist finds nothing."""
        reading = kwargs.pop("routing_", None) == "r"
        parameters = convert_datetimes_to_strings(kwargs)  # type: ignore[no-untyped-call]
        graph = self.client.select_graph(self._database)
        async with falkordb_errors():
            try:
                if reading:
                    result = await graph.ro_query(cypher_query_, parameters, timeout=self._timeout_ms)
                else:
                    result = await graph.query(cypher_query_, parameters)
            except ResponseError as error:
                if reading and _NO_GRAPH in str(error):
                    return [], [], None
                raise
        header = [column[1] for column in result.header]
        return [dict(zip(header, row, strict=True)) for row in result.result_set], header, None

    async def read(self, graph: str, statement: str, **parameters: Any) -> list[list[Any]] | None:
        """The rows of a reading statement: strings, integers and None only. None when there is no such graph."""
        text = _with_parameters(statement, parameters)
        async with falkordb_errors():
            try:
                reply = await self._command("GRAPH.RO_QUERY", graph, text, "timeout", self._timeout_ms)
            except ResponseError as error:
                if _NO_GRAPH in str(error):
                    return None
                raise
        return list(reply[1])

    async def write(self, graph: str, statement: str, **parameters: Any) -> list[list[Any]]:
        """The rows of a writing statement, if it returns any. Makes the graph when there is none: check first."""
        async with falkordb_errors():
            reply = await self._command("GRAPH.QUERY", graph, _with_parameters(statement, parameters))
        return list(reply[1]) if len(reply) > 1 else []

    async def _command(self, *arguments: Any) -> Any:
        # The plain reply is parsed by hiredis; the client's compact form is parsed cell by cell in Python.
        return await self.client.connection.execute_command(*arguments)


def _with_parameters(statement: str, parameters: Mapping[str, Any]) -> str:
    """The statement after its parameters, written as FalkorDB reads literals.

    JSON is that notation for null, booleans, integers, strings and lists, but for its escapes of control characters,
    which are written as they are; NUL cannot be sent and is left out, as graphiti does.
    """
    header = " ".join(f"{name}={_literal(value)}" for name, value in parameters.items())
    return f"CYPHER {header} {statement}" if header else statement


def _literal(value: Any) -> str:
    text = msgspec.json.encode(value).decode()
    return _ESCAPE.sub(_unescape, text) if "\\u00" in text else text


def _unescape(match: re.Match[str]) -> str:
    return match[1] or chr(int(match[2], 16)).replace("\x00", "")
