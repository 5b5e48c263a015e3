"""The schema is laid down once, forward only, and its policies hold for every tenant table."""

import asyncpg

from adapters.postgres.migrate import migrate
from tests.services.database import Database


async def test_migrating_twice_applies_nothing_the_second_time(database: Database) -> None:
    administrator = await asyncpg.connect(database.administrator)
    assert await migrate(administrator) == []
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
