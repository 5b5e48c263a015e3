"""What the database itself says of its tables, and one row of a tenant for any of them."""

from __future__ import annotations

import hashlib
import json
from collections import defaultdict
from dataclasses import dataclass
from typing import Any
from uuid import UUID

import asyncpg

SHARED = "Northgate"
"""Text that the rows of every tenant hold."""
_VECTOR = "[" + ",".join(["0.5"] * 8) + "]"


@dataclass(frozen=True, slots=True)
class Column:
    """One column and its type as SQL writes it."""

    name: str
    type: str


@dataclass(frozen=True, slots=True)
class Tenant:
    """An organization with one scope, as a test of the database enters it."""

    organization: UUID
    group: str

    @classmethod
    def named(cls, name: str) -> Tenant:
        digest = hashlib.md5(name.encode(), usedforsecurity=False).hexdigest()
        return cls(UUID(digest), f"o_{digest}")


async def tables(connection: asyncpg.Connection) -> dict[str, list[Column]]:
    """Every table of the schema with the columns that can be written; parts of divided tables are left out."""
    found = await connection.fetch(
        """SELECT c.relname, a.attname, format_type(a.atttypid, a.atttypmod) AS type
           FROM pg_class c LEFT JOIN pg_attribute a ON a.attrelid = c.oid AND a.attnum > 0
             AND NOT a.attisdropped AND a.attgenerated = '' AND a.attidentity = ''
           WHERE c.relnamespace = 'assay'::regnamespace AND c.relkind IN ('r', 'p') AND NOT c.relispartition
           ORDER BY c.relname, a.attnum"""
    )
    columns: dict[str, list[Column]] = defaultdict(list)
    for table, name, type_ in found:
        if name is not None:
            columns[table].append(Column(name, type_))
    return dict(columns)


def row_of(tenant: Tenant, columns: list[Column], index: int) -> str:
    """A row as JSON: the same in every tenant but for who it belongs to, so that a mix-up shows."""
    return json.dumps({column.name: _value(tenant, column, index) for column in columns})


def _value(tenant: Tenant, column: Column, index: int) -> Any:
    if column.name == "headers":
        return {"organization_id": str(tenant.organization), "group_id": tenant.group}
    named = {"organization_id": str(tenant.organization), "group_id": tenant.group, "index_id": index}
    if column.name in named:
        return named[column.name]
    if column.type.endswith("[]"):
        return []
    if column.type == "uuid":
        return hashlib.md5(column.name.encode(), usedforsecurity=False).hexdigest()
    if column.type == "bytea":
        return "\\x" + tenant.organization.hex
    if column.type.startswith("halfvec"):
        return _VECTOR
    return _BY_TYPE[column.type.removeprefix("assay.")]


_BY_TYPE: dict[str, Any] = {
    "text": SHARED,
    "boolean": True,
    "smallint": 1,
    "integer": 1,
    "bigint": 1,
    "real": 0.5,
    "double precision": 0.5,
    "jsonb": {},
    "date": "2026-01-01",
    "timestamp with time zone": "2026-01-01T00:00:00Z",
    "interval": "1 second",
    "tsvector": "northgate",
    "int8multirange": "{}",
    "pgqueuer_status": "failed",
}


async def put(connection: asyncpg.Connection, table: str, row: str) -> None:
    """Insert a row that is given as JSON."""
    await connection.execute(f"INSERT INTO {table} SELECT (json_populate_record(NULL::{table}, $1::json)).*", row)


async def fill(administrator: asyncpg.Connection, tenants: tuple[Tenant, ...]) -> int:
    """One row of each tenant in every table that has tenants; returns the vector index that they use.

    What a row says is of no interest here, so the checks of columns go, and nothing needs to refer to anything.
    """
    await administrator.execute("SET search_path = assay, public")
    index = await administrator.fetchval("SELECT create_vector_index('isolation', 8)")
    checks = await administrator.fetch(
        """SELECT DISTINCT conrelid::regclass::text AS name, conname FROM pg_constraint
           WHERE connamespace = 'assay'::regnamespace AND contype = 'c' AND coninhcount = 0"""
    )
    for table, name in checks:
        await administrator.execute(f"ALTER TABLE {table} DROP CONSTRAINT {name}")
    await administrator.execute("SET session_replication_role = replica")
    for table, columns in (await tables(administrator)).items():
        names = {column.name for column in columns}
        for number, tenant in enumerate(tenants, 1):
            if table == "pgqueuer":
                kept = [c for c in columns if c.name in ("priority", "status", "entrypoint", "headers", "attempts")]
                statement = (
                    "INSERT INTO pgqueuer (id, priority, status, entrypoint, headers, attempts)"
                    " SELECT -$2::bigint, priority, status, entrypoint, headers, attempts"
                    " FROM json_populate_record(NULL::pgqueuer, $1::json)"
                )
                await administrator.execute(statement, row_of(tenant, kept, index), number)
            elif "organization_id" in names:
                await put(administrator, table, row_of(tenant, columns, index))
    await administrator.execute("RESET session_replication_role")
    return int(index)
