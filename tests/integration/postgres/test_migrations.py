"""The schema is laid down once, forward only, and its policies hold for every tenant table."""

import asyncio
import secrets
import subprocess
import sys
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

import asyncpg
import pytest

from adapters.embedded.postgres import PostgresAddress
from adapters.postgres.installation import SchemaOccupied, create_database, install
from adapters.postgres.migrate import migrate
from adapters.postgres.provision import APPLICATION, WORKER
from tests.services.database import PASSWORD, Database

PASSWORDS = {APPLICATION: PASSWORD, WORKER: PASSWORD}
SOURCE = Path(__file__).parents[3] / "src"


@asynccontextmanager
async def empty_databases(server: PostgresAddress, count: int) -> AsyncIterator[list[str]]:
    """Addresses of databases that nobody has set up."""
    names = [f"empty_{secrets.token_hex(6)}" for _ in range(count)]
    for name in names:
        await create_database(server.dsn, name)
    try:
        yield [Database(server, name).administrator for name in names]
    finally:
        administrator = await asyncpg.connect(server.dsn)
        for name in names:
            await administrator.execute(f"DROP DATABASE {name} WITH (FORCE)")
        await administrator.close()


async def test_processes_that_set_up_databases_at_once_take_turns(postgres_server: PostgresAddress) -> None:
    async with empty_databases(postgres_server, 3) as addresses:
        applied = await asyncio.gather(*(install(address, PASSWORDS) for address in addresses for _ in range(2)))
    for one, other in zip(applied[::2], applied[1::2], strict=True):
        assert min(one, other, key=len) == []
        assert max(one, other, key=len)[0] == "0001_create_tenancy.sql"


async def test_a_schema_with_something_of_others_in_it_is_refused_and_left_alone(
    postgres_server: PostgresAddress,
) -> None:
    async with empty_databases(postgres_server, 1) as (address,):
        administrator = await asyncpg.connect(address)
        await administrator.execute("CREATE SCHEMA assay; CREATE TABLE assay.organizations (mine text)")
        await administrator.execute("GRANT ALL ON SCHEMA assay TO PUBLIC")
        with pytest.raises(SchemaOccupied, match="holds something of the same name"):
            await install(address, PASSWORDS)
        columns = await administrator.fetch(
            "SELECT attname FROM pg_attribute WHERE attrelid = 'assay.organizations'::regclass AND attnum > 0"
        )
        tables = await administrator.fetchval("SELECT count(*) FROM pg_tables WHERE schemaname = 'assay'")
        await administrator.close()
    assert ([row[0] for row in columns], tables) == (["mine"], 1)


def test_no_command_that_only_reads_and_writes_pays_for_the_queues_package() -> None:
    program = "import sys, entrypoints.bootstrap; print([name for name in sys.modules if name.startswith('pgqueuer')])"
    run = subprocess.run([sys.executable, "-c", program], cwd=SOURCE, capture_output=True, text=True, check=True)
    assert run.stdout.strip() == "[]"


async def test_migrating_twice_applies_nothing_the_second_time(database: Database) -> None:
    administrator = await asyncpg.connect(database.administrator)
    assert await migrate(administrator) == []
    await administrator.close()


async def test_each_file_of_functions_can_be_applied_by_itself(database: Database) -> None:
    files = ["070_vectors.sql", "078_concepts.sql", "060_search.sql"]
    for name in files:
        administrator = await asyncpg.connect(database.administrator)
        await administrator.execute("DELETE FROM assay.applied_functions WHERE name = $1", name)
        assert await migrate(administrator) == [name]
        await administrator.close()


async def test_every_tenant_table_forces_its_policies(database: Database) -> None:
    administrator = await asyncpg.connect(database.administrator)
    open_tables = await administrator.fetch(
        """SELECT c.relname FROM pg_class c
           JOIN pg_attribute a ON a.attrelid = c.oid AND a.attname = 'organization_id'
           WHERE c.relnamespace = 'assay'::regnamespace AND c.relkind IN ('r', 'p') AND NOT c.relispartition
             AND NOT (c.relrowsecurity AND c.relforcerowsecurity) ORDER BY 1"""
    )
    await administrator.close()
    assert [r[0] for r in open_tables] == [
        "chunks_search", "facts_search", "names_search", "search_terms", "search_totals",
    ]  # fmt: skip


async def test_the_application_role_owns_nothing_and_cannot_read_the_search_tables(pool: asyncpg.Pool) -> None:
    owned = await pool.fetchval("SELECT count(*) FROM pg_class WHERE relowner = current_user::regrole")
    assert owned == 0
    for table in ("facts_search", "chunks_search", "names_search", "search_terms"):
        assert not await pool.fetchval("SELECT has_table_privilege($1, 'SELECT')", table)


async def test_without_a_tenant_nothing_is_read(pool: asyncpg.Pool) -> None:
    assert await pool.fetchval("SELECT count(*) FROM organizations") == 0
    assert await pool.fetchval("SELECT count(*) FROM scopes") == 0
