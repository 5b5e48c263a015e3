"""A small record and the reading adapters over it."""

from __future__ import annotations

from collections.abc import AsyncIterator

import asyncpg
import pytest

from adapters.postgres.knowledge_reader import PostgresKnowledgeReader
from adapters.postgres.search_index import PostgresSearchIndex
from adapters.postgres.vector_store import PostgresVectorStore
from tests.services.database import Database
from tests.services.filled_record import filled_record as filled_record
from tests.services.small_record import SmallRecord


@pytest.fixture
async def record(database: Database) -> AsyncIterator[SmallRecord]:
    connection = await asyncpg.connect(database.administrator)
    yield await SmallRecord(connection).start()
    await connection.close()


@pytest.fixture
def reader(pool: asyncpg.Pool) -> PostgresKnowledgeReader:
    return PostgresKnowledgeReader(pool)


@pytest.fixture
def index(pool: asyncpg.Pool) -> PostgresSearchIndex:
    return PostgresSearchIndex(pool)


@pytest.fixture
def vectors(pool: asyncpg.Pool) -> PostgresVectorStore:
    return PostgresVectorStore(pool)
