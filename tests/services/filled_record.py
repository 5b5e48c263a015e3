"""A record with many facts over several organizations, written by set-based SQL with the feed's triggers firing."""

from __future__ import annotations

import hashlib
import secrets
from collections.abc import AsyncIterator
from dataclasses import dataclass
from pathlib import Path
from uuid import UUID

import asyncpg
import pytest

from adapters.embedded.postgres import PostgresAddress
from domain.identity.access import Access
from domain.identity.ids import GroupId, OrganizationId, PrincipalId
from domain.identity.principal import Principal, PrincipalKind, Role
from tests.services.database import Database

FACTS = 100_000
SHARES = (0.60, 0.15, 0.08, 0.05, 0.04, 0.03, 0.02, 0.015, 0.01, 0.004, 0.0008, 0.0002)
PREDICATES = 10
DIMENSION = 32
FEED = (("standings", "standings_feed_insert"), ("chunks", "chunks_feed_insert"), ("names", "names_feed_insert"))


def tenant_id(number: int) -> UUID:
    """The organization of a tenant of the filled record, counted from 1."""
    return UUID(hashlib.md5(f"organization {number}".encode(), usedforsecurity=False).hexdigest())


def tenant_access(number: int, *, role: Role = Role.MEMBER) -> Access:
    """Reads a workspace and its organization; the facts lie in the workspace."""
    organization = tenant_id(number)
    principal = Principal(
        PrincipalId(organization), OrganizationId(organization), PrincipalKind.HUMAN, role, "test", "Tester"
    )
    workspace, whole = GroupId(f"w_{organization.hex}"), GroupId(f"o_{organization.hex}")
    return Access(principal, (workspace, whole), workspace)


@dataclass(frozen=True, slots=True)
class FilledRecord:
    """The database and how many facts each tenant has."""

    database: Database
    sizes: dict[int, int]


TENANT = Path(__file__).with_suffix(".sql").read_text("utf-8")

SYLLABLES = """
CREATE OR REPLACE FUNCTION test_name(e integer) RETURNS text LANGUAGE sql IMMUTABLE AS $$
    SELECT initcap(translate(substr(md5(e::text), 1, 7), '0123456789abcdef', 'bakelimonusardet') || ' '
                   || translate(substr(md5(e::text), 9, 6), '0123456789abcdef', 'tiporavengudosmi')) $$
"""


def tenant_sizes(facts: int) -> dict[int, int]:
    """Facts of each tenant, the largest first."""
    return {number: max(1, round(facts * share)) for number, share in enumerate(SHARES, 1)}


async def fill(administrator: asyncpg.Connection, sizes: dict[int, int]) -> None:
    """Write the tenants. The administrator bypasses policies; the feed's triggers run as the owner, in the tenant."""
    await administrator.execute("SET search_path = assay, public")
    await administrator.execute(SYLLABLES)
    await administrator.execute("SELECT setseed(0.5)")
    for table, trigger in FEED:
        await administrator.execute(f"ALTER TABLE {table} ENABLE ALWAYS TRIGGER {trigger}")
    await administrator.execute("SET session_replication_role = replica")  # no foreign keys: three times faster
    for number, facts in sizes.items():
        access = tenant_access(number)
        values = {
            ":org": f"'{access.organization_id}'::uuid",
            ":workspace": f"'{access.read_scopes[0]}'",
            ":whole": f"'{access.read_scopes[1]}'",
            ":number": str(number),
            ":facts": str(facts),
            ":entities": str(max(3, facts // 5)),
        }
        script = TENANT
        for name, value in values.items():
            script = script.replace(name, value)
        async with administrator.transaction():
            await administrator.execute(script)
    await administrator.execute("RESET session_replication_role")
    for table, trigger in FEED:
        await administrator.execute(f"ALTER TABLE {table} ENABLE TRIGGER {trigger}")


@pytest.fixture(scope="session")
async def filled_record(postgres_server: PostgresAddress, template_database: str) -> AsyncIterator[FilledRecord]:
    """100,000 facts over twelve tenants; tests read it and change nothing."""
    server = await asyncpg.connect(postgres_server.dsn)
    name = f"filled_{secrets.token_hex(4)}"
    await server.execute(f"CREATE DATABASE {name} TEMPLATE {template_database} STRATEGY file_copy")
    database, sizes = Database(postgres_server, name), tenant_sizes(FACTS)
    administrator = await asyncpg.connect(database.administrator)
    await fill(administrator, sizes)
    await administrator.execute("VACUUM ANALYZE")
    await administrator.close()
    yield FilledRecord(database, sizes)
    await server.execute(f"DROP DATABASE {name} WITH (FORCE)")
    await server.close()
