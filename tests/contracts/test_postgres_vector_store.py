"""The vector store on PostgreSQL."""

from __future__ import annotations

from collections.abc import AsyncIterator
from dataclasses import replace

import asyncpg
import pytest

from adapters.postgres.vector_store import PostgresVectorStore
from tests.contracts.vector_store_contract import StoreUnderTest, VectorStoreContract
from tests.services.database import Database
from tests.services.small_record import SmallRecord


class TestPostgresVectorStore(VectorStoreContract):
    @pytest.fixture
    async def under_test(self, database: Database, pool: asyncpg.Pool) -> AsyncIterator[StoreUnderTest]:
        connection = await asyncpg.connect(database.administrator)
        stranger = await SmallRecord(connection, "other").start()
        record = await SmallRecord(connection).start()
        facts = sorted([await record.fact("Acme", "OWNS", "Brik"), await record.fact("Acme", "OWNS", "Clay")])
        accesses = []
        for each in (record, stranger):
            access = each.access()
            accesses.append(replace(access, write_scopes=access.read_scopes))
        yield StoreUnderTest(PostgresVectorStore(pool), accesses[0], (facts[0], facts[1]), accesses[1])
        await connection.close()
