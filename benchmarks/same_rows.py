"""The rows that a write made, and putting exactly them into another database without policies: the peer of a load."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import asyncpg

_ORDER = {
    "entity_keys": "(SELECT revision FROM entities e "
    "WHERE e.organization_id = t.organization_id AND e.entity_id = t.entity_id)",
    "entities": "revision", "names": "from_rev", "mentions": "revision", "resolutions": "from_rev",
    "slots": "(SELECT min(revision) FROM facts f "
    "WHERE f.organization_id = t.organization_id AND f.slot_id = t.slot_id)",
    "assertions": "revision", "evidence": "revision", "facts": "revision", "placements": "from_rev",
    "standings": "from_rev", "mutations": "revision", "mutation_payloads": "revision",
}  # fmt: skip
"""The tables in an order that foreign keys allow, and how a row's revision is found."""
_JOBS = (
    "INSERT INTO pgqueuer (priority, status, entrypoint, payload, execute_after, headers) "
    "SELECT 0, 'queued', e, NULL, now(), '{}' FROM unnest($1::text[]) e"
)


@dataclass(frozen=True, slots=True)
class TableRows:
    """Rows of one table: column names, their types as SQL writes them, and the values."""

    table: str
    columns: tuple[str, ...]
    types: tuple[str, ...]
    rows: list[tuple[Any, ...]]

    @property
    def insert(self) -> str:
        """One statement that takes an array a column."""
        arrays = ", ".join(f"${n}::{kind}[]" for n, kind in enumerate(self.types, 1))
        return f"INSERT INTO {self.table} ({', '.join(self.columns)}) SELECT * FROM unnest({arrays})"


async def rows_of(connection: asyncpg.Connection, revisions: Sequence[int]) -> list[list[TableRows]]:
    """What the writes put into each table, a list for each revision."""
    found: dict[int, list[TableRows]] = {revision: [] for revision in revisions}
    for table, revision in _ORDER.items():
        described = await connection.fetch(
            "SELECT attname, format_type(atttypid, NULL) AS type FROM pg_attribute "
            "WHERE attrelid = $1::text::regclass AND attnum > 0 AND NOT attisdropped AND attndims = 0 ORDER BY attnum",
            f"assay.{table}",
        )
        columns, types = tuple(d["attname"] for d in described), tuple(d["type"] for d in described)
        rows = await connection.fetch(
            f"SELECT * FROM (SELECT {', '.join(columns)}, {revision} AS made_at FROM {table} t) r "
            "WHERE made_at = ANY ($1::bigint[])",
            revisions,
        )
        by_revision = defaultdict(list)
        for *values, made_at in rows:
            by_revision[made_at].append(tuple(values))
        for made_at, own in by_revision.items():
            found[made_at].append(TableRows(table, columns, types, own))
    return list(found.values())


async def unnested(connection: asyncpg.Connection, sets: Sequence[TableRows]) -> None:
    """Insert the rows, one INSERT … SELECT FROM unnest a table, and two jobs, in one transaction."""
    async with connection.transaction():
        for rows in sets:
            await connection.execute(rows.insert, *zip(*rows.rows, strict=True))
        await connection.execute(_JOBS, ["project", "embed"])


async def copied(connection: asyncpg.Connection, sets: Sequence[TableRows]) -> None:
    """Insert the rows by COPY in binary, and two jobs, in one transaction."""
    async with connection.transaction():
        for rows in sets:
            await connection.copy_records_to_table(
                rows.table, schema_name="assay", columns=rows.columns, records=rows.rows
            )
        await connection.execute(_JOBS, ["project", "embed"])
