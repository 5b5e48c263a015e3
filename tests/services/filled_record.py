"""A record with many facts over several organizations, written by set-based SQL with the feed's triggers firing."""

from __future__ import annotations

import asyncio
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
CONCEPTS = {1: 500, 11: 5}
"""Of the largest tenant and of the smallest but one; each is three facts more."""
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
TENANTS_CONCEPTS = Path(__file__).with_name("filled_concepts.sql").read_text("utf-8")

SYLLABLES = """
CREATE OR REPLACE FUNCTION test_name(e integer) RETURNS text LANGUAGE sql IMMUTABLE AS $$
    SELECT initcap(translate(substr(md5(e::text), 1, 7), '0123456789abcdef', 'bakelimonusardet') || ' '
                   || translate(substr(md5(e::text), 9, 6), '0123456789abcdef', 'tiporavengudosmi')) $$;
-- As ids of the product are: in the order of what they were made for, which keys are not.
CREATE OR REPLACE FUNCTION test_id(kind text, n integer) RETURNS uuid LANGUAGE sql IMMUTABLE AS $$
    SELECT overlay(md5(kind || ' ' || n) PLACING lpad(to_hex(n), 8, '0') FROM 1)::uuid $$
"""


def tenant_sizes(facts: int) -> dict[int, int]:
    """Facts of each tenant, the largest first."""
    return {number: max(1, round(facts * share)) for number, share in enumerate(SHARES, 1)}


async def prepare(administrator: asyncpg.Connection) -> None:
    """The feed's triggers fire also while foreign keys are not checked, which would take most of the time."""
    await administrator.execute("SET search_path = assay, public")
    await administrator.execute(SYLLABLES)
    for table, trigger in FEED:
        await administrator.execute(f"ALTER TABLE {table} ENABLE ALWAYS TRIGGER {trigger}")


async def finish(administrator: asyncpg.Connection) -> None:
    """The triggers as they were."""
    for table, trigger in FEED:
        await administrator.execute(f"ALTER TABLE {table} ENABLE TRIGGER {trigger}")


LOOK_UPS = """
SELECT format('%I', c.relname) AS name, pg_get_indexdef(c.oid) AS definition FROM pg_index i
JOIN pg_class c ON c.oid = i.indexrelid JOIN pg_class t ON t.oid = i.indrelid
WHERE c.relnamespace = 'assay'::regnamespace AND t.relkind = 'r' AND NOT t.relispartition AND NOT i.indisunique
"""


async def drop_look_ups(administrator: asyncpg.Connection) -> list[str]:
    """Drop the indexes that forbid nothing, and give the statements that make them: faster than filling them by row."""
    found = await administrator.fetch(LOOK_UPS)
    await administrator.execute("DROP INDEX " + ", ".join(row["name"] for row in found))
    return [row["definition"] for row in found]


async def fill(administrator: asyncpg.Connection, sizes: dict[int, int]) -> None:
    """Write the tenants. The administrator bypasses policies; the feed's triggers run as the owner, in the tenant."""
    await administrator.execute("SET search_path = assay, public; SELECT setseed(0.5)")
    await administrator.execute("SET session_replication_role = replica")
    for number, facts in sizes.items():
        await _write(administrator, TENANT, number, facts=facts, entities=max(3, facts // 5))
    await administrator.execute("RESET session_replication_role")


async def fill_concepts(administrator: asyncpg.Connection, sizes: dict[int, int], concepts: dict[int, int]) -> None:
    """Write concepts of some tenants: three facts each, as facts are written."""
    await administrator.execute("SET session_replication_role = replica")
    for number, count in concepts.items():
        await _write(administrator, TENANTS_CONCEPTS, number, facts=sizes[number], concepts=count)
    await administrator.execute("RESET session_replication_role")


async def _write(administrator: asyncpg.Connection, script: str, number: int, **counts: int) -> None:
    access = tenant_access(number)
    values = {
        ":org": f"'{access.organization_id}'::uuid",
        ":workspace": f"'{access.read_scopes[0]}'",
        ":whole": f"'{access.read_scopes[1]}'",
        ":number": str(number),
    } | {f":{name}": str(count) for name, count in counts.items()}
    for name, value in values.items():
        script = script.replace(name, value)
    async with administrator.transaction():
        await administrator.execute(script)


VECTORS = """
INSERT INTO fact_vectors (index_id, organization_id, group_id, fact_id, embedding)
SELECT {index}, organization_id, group_id, fact_id,
       (SELECT array_agg(random() - 0.5) FROM generate_series(1, {dimension})
        WHERE fact_id IS NOT NULL)::real[]::halfvec
FROM facts;
INSERT INTO concept_vectors (index_id, organization_id, group_id, concept_id, embedding)
SELECT {index}, organization_id, group_id, entity_id,
       (SELECT array_agg(random() - 0.5) FROM generate_series(1, {dimension})
        WHERE entity_id IS NOT NULL)::real[]::halfvec
FROM entities WHERE kind = 'concept';
INSERT INTO active_vector_indexes (organization_id, index_id) SELECT organization_id, {index} FROM organizations;
"""


async def fill_vectors(administrator: asyncpg.Connection) -> None:
    """A random vector for every fact and concept in one index of model "random", with graphs; terms are counted."""
    await administrator.execute("SELECT setseed(0.25)")
    index = await administrator.fetchval("SELECT create_vector_index('random', $1)", DIMENSION)
    await administrator.execute(VECTORS.format(index=index, dimension=DIMENSION))
    await administrator.execute("SELECT build_vector_graphs($1)", index)
    await administrator.execute("SELECT refresh_search_terms(organization_id) FROM organizations")


@pytest.fixture(scope="session")
async def filled_record(postgres_server: PostgresAddress, template_database: str) -> AsyncIterator[FilledRecord]:
    """100,000 facts over twelve tenants and concepts in two of them, with vectors; tests read and change nothing."""
    server = await asyncpg.connect(postgres_server.dsn)
    name = f"filled_{secrets.token_hex(4)}"
    await server.execute(f"CREATE DATABASE {name} TEMPLATE {template_database} STRATEGY file_copy")
    database, sizes = Database(postgres_server, name), tenant_sizes(FACTS)
    administrator = await asyncpg.connect(database.administrator)
    helper = await asyncpg.connect(database.administrator)
    largest = dict([max(sizes.items(), key=lambda item: item[1])])
    await prepare(administrator)
    look_ups = await drop_look_ups(administrator)
    await asyncio.gather(
        fill(administrator, largest), fill(helper, {n: size for n, size in sizes.items() if n not in largest})
    )
    await helper.close()
    await fill_concepts(administrator, sizes, CONCEPTS)
    await administrator.execute(";".join(look_ups))
    await finish(administrator)
    await administrator.execute("ANALYZE")
    await fill_vectors(administrator)
    await administrator.execute("VACUUM ANALYZE")
    await administrator.close()
    yield FilledRecord(database, sizes)
    await server.execute(f"DROP DATABASE {name} WITH (FORCE)")
    await server.close()
