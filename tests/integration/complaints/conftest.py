"""One world for all complaints, followed by every engine that runs."""

from __future__ import annotations

import secrets
from collections.abc import AsyncIterator

import asyncpg
import pytest

from adapters.embedded.postgres import PostgresAddress
from adapters.embedded.resp_server import RespAddress
from adapters.graphiti.falkordb_engine import FalkorDBMemoryEngine
from adapters.graphiti.neo4j_engine import Neo4jMemoryEngine
from adapters.inmemory.memory_engine import InMemoryMemoryEngine
from adapters.postgres.memory_engine import PostgresMemoryEngine
from adapters.postgres.pool import open_pool
from domain.ports.memory_engine import MemoryEngine
from tests.integration.complaints.seeing import Seen
from tests.services.database import Database
from tests.services.neo4j_server import Neo4jAddress
from tests.services.world import World, new_world


@pytest.fixture(scope="session")
async def complaints(postgres_server: PostgresAddress, template_database: str) -> AsyncIterator[World]:
    """The world, on a database that these files share."""
    name = f"complaints_{secrets.token_hex(6)}"
    administrator = await asyncpg.connect(postgres_server.dsn)
    await administrator.execute(f"CREATE DATABASE {name} TEMPLATE {template_database} STRATEGY file_copy")
    pool = await open_pool(Database(postgres_server, name).application)
    yield await new_world(pool)
    await pool.close()
    await administrator.execute(f"DROP DATABASE {name} WITH (FORCE)")
    await administrator.close()


@pytest.fixture
async def administrator(postgres_server: PostgresAddress, complaints: World) -> AsyncIterator[asyncpg.Connection]:
    """The superuser in the world's database, who sees every row."""
    name = (await complaints.rows("SELECT current_database() AS name"))[0]["name"]
    connection = await asyncpg.connect(Database(postgres_server, name).administrator)
    yield connection
    await connection.close()


@pytest.fixture(scope="session")
def of_postgres(complaints: World) -> MemoryEngine:
    return PostgresMemoryEngine(complaints.pool)


@pytest.fixture(scope="session")
def of_memory() -> MemoryEngine:
    return InMemoryMemoryEngine()


@pytest.fixture(scope="session")
async def of_falkordb(falkordb_server: RespAddress, complaints: World) -> AsyncIterator[MemoryEngine]:
    engine = FalkorDBMemoryEngine.at(falkordb_server.url)
    yield engine
    await engine.drop(complaints.access.organization_id)
    await engine.aclose()


@pytest.fixture(scope="session")
async def of_neo4j(neo4j_server: Neo4jAddress, complaints: World) -> AsyncIterator[MemoryEngine]:
    engine = Neo4jMemoryEngine.at(neo4j_server.uri, neo4j_server.user, neo4j_server.password)
    yield engine
    await engine.drop(complaints.access.organization_id)
    await engine.aclose()


@pytest.fixture(params=["of_postgres", "of_memory", "of_falkordb", "of_neo4j"])
def seen(request: pytest.FixtureRequest, complaints: World) -> Seen:
    """The world through one engine after the other."""
    return Seen(complaints, request.getfixturevalue(request.param))
