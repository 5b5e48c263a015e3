"""One database for the tests of a file, to import where every test keeps to an organization of its own.

A fresh database costs a test up to half a second: it is copied, its connections are opened, and every function of the
schema is compiled anew. Policies keep organizations apart, so what one test wrote is nothing to the next. A file
whose tests look at the whole database (as its administrator or its queue) imports ``database`` and ``pool`` of
``tests.services.database`` instead, which are made for each test.
"""

from __future__ import annotations

from collections.abc import AsyncIterator

import asyncpg
import pytest

from adapters.embedded.postgres import PostgresAddress
from adapters.postgres.pool import open_pool
from tests.services.database import Database, fresh_database


@pytest.fixture(scope="module")
async def database(postgres_server: PostgresAddress, template_database: str) -> AsyncIterator[Database]:
    """A migrated database that the tests of a file share."""
    async with fresh_database(postgres_server, template_database) as made:
        yield made


@pytest.fixture(scope="module")
async def pool(database: Database) -> AsyncIterator[asyncpg.Pool]:
    """Connections as the application role, kept from test to test."""
    pool = await open_pool(database.application)
    yield pool
    await pool.close()
