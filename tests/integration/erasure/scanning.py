"""Looking for a word in everything that a database holds, as its superuser."""

from __future__ import annotations

import asyncpg

COLUMNS = """
SELECT c.relname, a.attname, y.typname FROM pg_class c
JOIN pg_attribute a ON a.attrelid = c.oid AND a.attnum > 0 AND NOT a.attisdropped
JOIN pg_type y ON y.oid = a.atttypid
WHERE c.relnamespace = 'assay'::regnamespace AND c.relkind = 'r'
  AND y.typname IN ('text', '_text', 'varchar', 'json', 'jsonb', 'bytea', 'tsvector', 'name', '_varchar')
ORDER BY 1, 2"""


async def places_of(connection: asyncpg.Connection, *words: str) -> list[str]:
    """Columns of any table that have one of the words in any row, in any case."""
    found = []
    for table, column, kind in await connection.fetch(COLUMNS):
        value = f"encode({column}, 'escape')" if kind == "bytea" else f"{column}::text"
        for word in words:
            pattern = f"%{word}%"
            if await connection.fetchval(f"SELECT count(*) FROM assay.{table} WHERE {value} ILIKE $1", pattern):
                found.append(f"{table}.{column}: {word}")
    return found


async def dump_has(connection: asyncpg.Connection, *words: str) -> list[str]:
    """Tables whose rows, copied out as a dump would, have one of the words."""
    found = []
    tables = await connection.fetch(
        "SELECT relname FROM pg_class WHERE relnamespace = 'assay'::regnamespace AND relkind = 'r' ORDER BY 1"
    )
    for (table,) in tables:
        parts: list[bytes] = []

        async def keep(data: bytes, parts: list[bytes] = parts) -> None:
            parts.append(data)

        await connection.copy_from_query(f"SELECT * FROM assay.{table}", output=keep)
        text = b"".join(parts).decode("utf-8", "replace").lower()
        found += [f"{table}: {word}" for word in words if word.lower() in text]
    return found
