"""Forward-only migrations, then functions, the queue's tables and the policies."""

from __future__ import annotations

import asyncpg

from adapters.postgres.provision import OWNER, SCHEMA, SEARCH_PATH
from adapters.postgres.scripts import scripts
from domain.errors import Conflict

_LEDGERS = """
CREATE TABLE IF NOT EXISTS applied_migrations
    (name text PRIMARY KEY, checksum text NOT NULL, at timestamptz NOT NULL DEFAULT now());
CREATE TABLE IF NOT EXISTS applied_functions
    (name text PRIMARY KEY, checksum text NOT NULL, at timestamptz NOT NULL DEFAULT now());
"""


class MigrationEdited(Conflict):
    """A migration that was applied has another text now."""

    code = "migration_edited"


async def migrate(administrator: asyncpg.Connection) -> list[str]:
    """Bring the database up to date and say what was applied. One process at a time; idempotent.

    Raises MigrationEdited when an applied file was changed: write a new one instead.
    """
    applied: list[str] = []
    async with administrator.transaction():
        await administrator.execute("SELECT pg_advisory_xact_lock(hashtext('assay.migrate'))")
        await administrator.execute("SET LOCAL lock_timeout = '30s'")
        await administrator.execute(f"SET LOCAL ROLE {OWNER}")
        await administrator.execute(f"SET LOCAL search_path = {SEARCH_PATH}")
        await administrator.execute(_LEDGERS)
        ledger = await _ledger(administrator, "applied_migrations")
        for name, text, checksum in scripts("migrations"):
            if name in ledger:
                if ledger[name] != checksum:
                    raise MigrationEdited(f"migration {name} was edited after it ran; restore it and add a new file")
                continue
            await administrator.execute(text)
            await administrator.execute("INSERT INTO applied_migrations VALUES ($1, $2)", name, checksum)
            applied.append(name)
        applied += await _apply_functions(administrator)
        if not await administrator.fetchval(f"SELECT to_regclass('{SCHEMA}.pgqueuer') IS NOT NULL"):
            # It takes a fifth of a second to import, and is needed once in the life of a database.
            from adapters.postgres.queue_tables import make_queue_tables

            await make_queue_tables(administrator)
            applied.append("pgqueuer")
        if applied:
            await administrator.execute("SELECT apply_policies(), seed_statistics()")
    return applied


async def _apply_functions(administrator: asyncpg.Connection) -> list[str]:
    ledger = await _ledger(administrator, "applied_functions")
    changed = [(name, text, checksum) for name, text, checksum in scripts("functions") if ledger.get(name) != checksum]
    if changed:
        # A function may call one of a later file, and one whose result changed must go first.
        await administrator.execute("SET LOCAL check_function_bodies = off")
        # Functions set parameters of pgvector, which a session knows once it has used the extension.
        await administrator.execute("SELECT '[1]'::vector")
    for name, text, checksum in changed:
        await administrator.execute(text)
        await administrator.execute(
            "INSERT INTO applied_functions VALUES ($1, $2) ON CONFLICT (name) DO UPDATE SET checksum = $2, at = now()",
            name,
            checksum,
        )
    return [name for name, _, _ in changed]


async def _ledger(administrator: asyncpg.Connection, table: str) -> dict[str, str]:
    rows = await administrator.fetch(f"SELECT name, checksum FROM {table}")  # noqa: S608
    return {row["name"]: row["checksum"] for row in rows}
