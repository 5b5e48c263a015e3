"""A migrated database for a test: copied from a template that the session makes once."""

from __future__ import annotations

import secrets
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass

import asyncpg
import pytest

from adapters.embedded.postgres import PostgresAddress
from adapters.postgres.migrate import migrate
from adapters.postgres.pool import open_pool
from adapters.postgres.provision import APPLICATION, WORKER, provision

PASSWORD = "only-for-this-test-session"


@dataclass(frozen=True, slots=True)
class Database:
    """Where one test's database is, as each role."""

    address: PostgresAddress
    name: str

    def dsn(self, role: str, password: str) -> str:
        return f"postgresql://{role}:{password}@{self.address.host}:{self.address.port}/{self.name}"

    @property
    def application(self) -> str:
        return self.dsn(APPLICATION, PASSWORD)

    @property
    def worker(self) -> str:
        return self.dsn(WORKER, PASSWORD)

    @property
    def administrator(self) -> str:
        return self.dsn(self.address.user, self.address.password)


async def _administer(address: PostgresAddress, statement: str) -> None:
    connection = await asyncpg.connect(address.dsn)
    try:
        await connection.execute(statement)
    finally:
        await connection.close()


@pytest.fixture(scope="session")
async def template_database(postgres_server: PostgresAddress) -> str:
    """The name of a migrated database that nothing connects to."""
    name = f"template_{secrets.token_hex(4)}"
    await _administer(postgres_server, f"CREATE DATABASE {name}")
    connection = await asyncpg.connect(Database(postgres_server, name).administrator)
    try:
        await provision(connection, {APPLICATION: PASSWORD, WORKER: PASSWORD})
        await migrate(connection)
    finally:
        await connection.close()
    return name


@asynccontextmanager
async def fresh_database(server: PostgresAddress, template: str) -> AsyncIterator[Database]:
    """An empty, migrated database, dropped at the end."""
    name = f"test_{secrets.token_hex(6)}"
    await _administer(server, f"CREATE DATABASE {name} TEMPLATE {template} STRATEGY file_copy")
    yield Database(server, name)
    await _administer(server, f"DROP DATABASE {name} WITH (FORCE)")


@pytest.fixture
async def database(postgres_server: PostgresAddress, template_database: str) -> AsyncIterator[Database]:
    """An empty, migrated database of the test's own."""
    async with fresh_database(postgres_server, template_database) as made:
        yield made


@pytest.fixture
async def pool(database: Database) -> AsyncIterator[asyncpg.Pool]:
    """Connections as the application role."""
    pool = await open_pool(database.application)
    yield pool
    await pool.close()
