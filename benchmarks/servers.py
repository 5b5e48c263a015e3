"""Servers of a benchmark's own in a temporary folder, and databases on them."""

from __future__ import annotations

import secrets
import tempfile
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager, contextmanager
from dataclasses import dataclass
from pathlib import Path

import asyncpg

from adapters.embedded.falkordb import EmbeddedFalkorDB
from adapters.embedded.postgres import EmbeddedPostgres, PostgresAddress
from adapters.embedded.resp_server import RespAddress
from adapters.postgres.migrate import migrate
from adapters.postgres.provision import APPLICATION, WORKER, provision
from tests.services.database import PASSWORD, Database

SETTINGS = {"shared_buffers": "1GB", "autovacuum": "off"}
"""On top of the embedded server's own; fsync stays on."""


@dataclass(frozen=True, slots=True)
class Server:
    """A running PostgreSQL; ``process`` is its main one."""

    address: PostgresAddress
    process: int


@contextmanager
def postgres() -> Iterator[Server]:
    """A PostgreSQL with the embedded server's settings, stopped at the end."""
    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as folder:
        embedded = EmbeddedPostgres(Path(folder) / "postgres", settings=SETTINGS)
        address = embedded.start()
        try:
            running = embedded.running()
            assert running is not None
            yield Server(address, running.pid)
        finally:
            embedded.stop()


@dataclass(frozen=True, slots=True)
class GraphServer:
    """A running FalkorDB; ``process`` is its main one."""

    address: RespAddress
    process: int


@contextmanager
def graph_server() -> Iterator[GraphServer]:
    """A FalkorDB in a temporary folder, stopped at the end."""
    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as folder:
        embedded = EmbeddedFalkorDB(Path(folder), query_limit_ms=60_000)
        try:
            address = embedded.start()
            running = embedded.running()
            assert running is not None
            yield GraphServer(address, running.pid)
        finally:
            embedded.stop()


@contextmanager
def falkordb() -> Iterator[RespAddress]:
    """The address of such a server."""
    with graph_server() as server:
        yield server.address


async def migrated_database(server: Server) -> Database:
    """A new database with the schema and nothing in it."""
    database = await _created(server, "")
    administrator = await asyncpg.connect(database.administrator)
    try:
        await provision(administrator, {APPLICATION: PASSWORD, WORKER: PASSWORD})
        await migrate(administrator)
    finally:
        await administrator.close()
    return database


async def copied_database(server: Server, original: Database) -> Database:
    """The same again. Nobody may be connected to the original."""
    return await _created(server, f"TEMPLATE {original.name} STRATEGY file_copy")


async def _created(server: Server, options: str) -> Database:
    name = f"bench_{secrets.token_hex(4)}"
    connection = await asyncpg.connect(server.address.dsn)
    try:
        await connection.execute(f"CREATE DATABASE {name} {options}")
    finally:
        await connection.close()
    return Database(server.address, name)


@asynccontextmanager
async def administrator(database: Database) -> AsyncIterator[asyncpg.Connection]:
    """A session that no policy binds, in the schema."""
    connection = await asyncpg.connect(database.administrator)
    try:
        await connection.execute("SET search_path = assay, public")
        yield connection
    finally:
        await connection.close()
