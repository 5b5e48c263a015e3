"""The roles, schema and extensions that the migrations stand on. Run by an administrator of the database."""

from __future__ import annotations

import asyncpg

OWNER = "assay_owner"
APPLICATION = "assay_app"
WORKER = "assay_worker"
SCHEMA = "assay"
SEARCH_PATH = f"{SCHEMA}, public"

_EXTENSIONS = ("vector", "pg_trgm", "unaccent", "btree_gin")


async def provision(administrator: asyncpg.Connection, passwords: dict[str, str]) -> None:
    """Make or update what is missing; idempotent. ``passwords`` are those of the two roles that log in.

    The owner cannot log in and is no superuser, so that policies bind it too. Raises what asyncpg raises when the
    administrator may not create roles or extensions.
    """
    async with administrator.transaction():
        await administrator.execute("SELECT pg_advisory_xact_lock(hashtext('assay.provision'))")
        for role in (OWNER, APPLICATION, WORKER):
            if not await administrator.fetchval("SELECT true FROM pg_roles WHERE rolname = $1", role):
                await administrator.execute(f"CREATE ROLE {role} NOSUPERUSER NOBYPASSRLS NOLOGIN")
        for role, password in passwords.items():
            quoted = await administrator.fetchval("SELECT quote_literal($1::text)", password)
            await administrator.execute(f"ALTER ROLE {role} LOGIN PASSWORD {quoted}")
        await administrator.execute(f"GRANT {OWNER} TO CURRENT_USER")
        for extension in _EXTENSIONS:
            await administrator.execute(f"CREATE EXTENSION IF NOT EXISTS {extension} SCHEMA public")
        await administrator.execute(f"CREATE SCHEMA IF NOT EXISTS {SCHEMA} AUTHORIZATION {OWNER}")
