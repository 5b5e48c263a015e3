"""What may not happen in the database. Each check takes a connection that acts as the application, and names leaks."""

from __future__ import annotations

from collections.abc import AsyncIterator, Mapping, Sequence
from contextlib import asynccontextmanager

import asyncpg

from tests.isolation.catalogue import Column, Tenant, put, row_of
from tests.isolation.rules import tables as rules

Catalogue = Mapping[str, Sequence[Column]]
_POLICIES = {"tenant_read": "r", "tenant_insert": "a", "tenant_update": "w", "tenant_delete": "d"}


def _owner(table: str) -> str:
    return "headers ->> 'organization_id'" if table in rules.QUEUE else "organization_id::text"


def of_tenants(catalogue: Catalogue) -> list[str]:
    """The tables that the application reads under a policy."""
    kinds = rules.declared()
    return [table for table in catalogue if kinds.get(table) in ("by scope", "by organization", "queue")]


@asynccontextmanager
async def inside(
    connection: asyncpg.Connection, tenant: Tenant | None, group: str | None = None
) -> AsyncIterator[None]:
    """A transaction of the tenant that ends without effect; ``group`` is what it works in instead of its own."""
    transaction = connection.transaction()
    await transaction.start()
    try:
        if tenant is not None:
            scope = group or tenant.group
            await connection.execute("SELECT enter_tenant($1, $2, $2)", tenant.organization, scope)
        yield
    finally:
        await transaction.rollback()


async def undeclared(connection: asyncpg.Connection, catalogue: Catalogue) -> list[str]:
    """Tables without a rule, rules without a table, and tables whose columns do not fit their rule."""
    kinds = rules.declared()
    wrong = [
        f"{table}: declare whose rows it holds, in tests/isolation/rules/tables.py"
        for table in catalogue
        if table not in kinds
    ]
    wrong += [f"{table}: there is no such table" for table in kinds if table not in catalogue]
    for table in catalogue.keys() & kinds.keys():
        names = {column.name for column in catalogue[table]}
        expected = {
            "by scope": {"organization_id", "group_id"},
            "by organization": {"organization_id"},
            "search": {"organization_id", "group_id"},
        }.get(kinds[table], set())
        if names & {"organization_id", "group_id"} != expected:
            wrong.append(f"{table}: its columns are not those of a table that is {kinds[table]}")
    return sorted(wrong)


async def open_tables(connection: asyncpg.Connection, catalogue: Catalogue) -> list[str]:
    """Tables whose policies are not forced, are missing, or are more than the four of ``apply_policies``."""
    rows = await connection.fetch(
        """SELECT c.relname, c.relrowsecurity AND c.relforcerowsecurity AS forced,
                  coalesce(array_agg(concat_ws(':', p.polname, p.polcmd::text, p.polpermissive::text))
                           FILTER (WHERE p.polroles && ARRAY[0, 'assay_app'::regrole]::oid[]), '{}') AS policies
           FROM pg_class c LEFT JOIN pg_policy p ON p.polrelid = c.oid
           WHERE c.relnamespace = 'assay'::regnamespace AND c.relkind IN ('r', 'p') GROUP BY c.oid, c.relname"""
    )
    found = {row["relname"]: row for row in rows}
    wrong = []
    for table in of_tenants(catalogue):
        names = ("tenant_read", "tenant_insert") if table in rules.QUEUE else tuple(_POLICIES)
        expected = sorted(f"{name}:{_POLICIES[name]}:true" for name in names)
        if not found[table]["forced"]:
            wrong.append(f"{table}: row security is not forced")
        if sorted(found[table]["policies"]) != expected:
            wrong.append(f"{table}: the policies are {found[table]['policies']}")
    return wrong


async def rights(connection: asyncpg.Connection, catalogue: Catalogue) -> list[str]:
    """What the application role owns, may bypass, or may do with tables that it does not work with."""
    wrong: list[str] = [
        f"{kind} {name} belongs to the application role"
        for kind, name in await connection.fetch(
            """SELECT 'relation', oid::regclass::text FROM pg_class WHERE relowner = 'assay_app'::regrole
               UNION ALL SELECT 'function', oid::regprocedure::text FROM pg_proc WHERE proowner = 'assay_app'::regrole
               UNION ALL SELECT 'schema', nspname FROM pg_namespace WHERE nspowner = 'assay_app'::regrole"""
        )
    ]
    role = await connection.fetchrow(
        """SELECT rolsuper OR rolbypassrls OR rolcreaterole OR rolcreatedb OR rolreplication AS strong,
                  array(SELECT m.roleid::regrole::text FROM pg_auth_members m WHERE m.member = r.oid) AS others
           FROM pg_roles r WHERE rolname = 'assay_app'"""
    )
    assert role is not None
    wrong += ["the application role goes round policies"] if role["strong"] else []
    wrong += [f"the application role acts as {name}" for name in role["others"]]
    may = """SELECT array_agg(p) FROM unnest('{SELECT,INSERT,UPDATE,DELETE,TRUNCATE,REFERENCES,TRIGGER}'::text[]) p
             WHERE has_table_privilege('assay_app', $1, p) OR p IN ('SELECT', 'INSERT', 'UPDATE', 'REFERENCES')
               AND has_any_column_privilege('assay_app', $1, p)"""
    allowed = {"search": set(), "worker only": {"INSERT"}, "installation": {"SELECT"}, "queue": {"SELECT", "INSERT"}}
    for table, kind in rules.declared().items():
        given = set(await connection.fetchval(may, f"assay.{table}") or ())
        more = given - allowed.get(kind, {"SELECT", "INSERT", "UPDATE", "DELETE"})
        wrong += [f"{table}: the application may {right}" for right in sorted(more)]
    return wrong


async def short_keys(connection: asyncpg.Connection, catalogue: Catalogue) -> list[str]:
    """Unique and foreign keys of tenants' tables that begin with no organization, and have no reason to."""
    found = await connection.fetch(
        """SELECT i.indexrelid::regclass::text AS name, i.indrelid::regclass::text AS relation, a.attname AS first
           FROM pg_index i JOIN pg_class c ON c.oid = i.indrelid
           LEFT JOIN pg_attribute a ON a.attrelid = i.indrelid AND a.attnum = i.indkey[0]
           WHERE i.indisunique AND c.relnamespace = 'assay'::regnamespace AND NOT c.relispartition
           UNION ALL
           SELECT k.conname, k.conrelid::regclass::text, a.attname
           FROM pg_constraint k JOIN pg_attribute a ON a.attrelid = k.conrelid AND a.attnum = k.conkey[1]
           WHERE k.contype = 'f' AND k.connamespace = 'assay'::regnamespace AND k.conparentid = 0"""
    )
    tenants = set(of_tenants(catalogue)) | rules.SEARCH
    return [
        f"{relation}: the key {name} begins with {first}"
        for name, relation, first in ((n.removeprefix("assay."), r.removeprefix("assay."), f) for n, r, f in found)
        if relation in tenants and first != "organization_id" and name not in rules.KEYS_OF_OTHER_KINDS
    ]


async def rows_seen(connection: asyncpg.Connection, catalogue: Catalogue, ours: Tenant, theirs: Tenant) -> list[str]:
    """Rows that are read without a tenant, of another organization, or by a scope of another organization."""
    wrong = []
    for table in of_tenants(catalogue):
        count = f"SELECT count(*) FROM {table}"
        async with inside(connection, None):
            if await connection.fetchval(count):
                wrong.append(f"{table}: rows are read without a tenant")
        async with inside(connection, ours):
            mine = f"{_owner(table)} = '{ours.organization}'"
            if await connection.fetchval(f"{count} WHERE {mine} IS NOT TRUE"):
                wrong.append(f"{table}: rows of others are read")
            if await connection.fetchval(f"{count} WHERE {mine}") != 1:
                wrong.append(f"{table}: the one row of the tenant is not read, so nothing is proven")
        async with inside(connection, ours, theirs.group):
            if table not in rules.BY_ORGANIZATION and await connection.fetchval(count):
                wrong.append(f"{table}: rows are read by a scope of others")
    return wrong


async def rows_changed(
    connection: asyncpg.Connection, catalogue: Catalogue, ours: Tenant, theirs: Tenant, index: int
) -> list[str]:
    """Rows of another organization that could be changed, taken away, or added."""
    wrong = []
    for table in of_tenants(catalogue):
        foreign = f"{_owner(table)} = '{theirs.organization}'"
        column = "headers" if table in rules.QUEUE else await _updatable(connection, table)
        statements = [f"DELETE FROM {table} WHERE {foreign}"]
        statements += [f"UPDATE {table} SET {column} = {column} WHERE {foreign}"] if column else []
        for statement in statements:
            async with inside(connection, ours):
                touched = await _attempt(connection, statement)
            if touched not in (None, f"{statement[:6]} 0"):
                wrong.append(f"{table}: {touched} of others")
        async with inside(connection, ours):
            row = row_of(theirs, list(catalogue[table]), index)
            try:
                await put(connection, table, row)
                wrong.append(f"{table}: a row was added for others")
            except asyncpg.InsufficientPrivilegeError:
                pass
            except asyncpg.PostgresError as error:
                wrong.append(f"{table}: not the policy refuses a row for others, but {type(error).__name__}")
    return wrong


async def _updatable(connection: asyncpg.Connection, table: str) -> str | None:
    found: str | None = await connection.fetchval(
        """SELECT attname FROM pg_attribute WHERE attrelid = to_regclass($1) AND attnum > 0 AND NOT attisdropped
           AND has_column_privilege('assay_app', attrelid, attnum, 'UPDATE') ORDER BY attnum LIMIT 1""",
        f"assay.{table}",
    )
    return found


async def _attempt(connection: asyncpg.Connection, statement: str) -> str | None:
    try:
        async with connection.transaction():
            return await connection.execute(statement)
    except asyncpg.InsufficientPrivilegeError:
        return None
