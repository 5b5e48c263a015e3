"""Every column that can hold text has a rule for erasing."""

from __future__ import annotations

import asyncpg

from domain.erasure.rules import RULES
from tests.services.database import Database

COLUMNS = """
SELECT c.relname, a.attname FROM pg_class c
JOIN pg_attribute a ON a.attrelid = c.oid AND a.attnum > 0 AND NOT a.attisdropped
JOIN pg_type y ON y.oid = a.atttypid
WHERE c.relnamespace = 'assay'::regnamespace AND c.relkind IN ('r', 'p', 'm') AND NOT c.relispartition
  AND y.typcategory IN ('S', 'U', 'X', 'A') AND y.typname NOT IN ('uuid', '_uuid', '_int8', 'oid')
  AND a.attname <> 'group_id'
ORDER BY 1, 2"""


async def test_a_new_column_that_can_hold_text_needs_a_rule_for_erasing(database: Database) -> None:
    connection = await asyncpg.connect(database.administrator)
    columns = {f"{table}.{column}" for table, column in await connection.fetch(COLUMNS)}
    await connection.close()
    assert columns - RULES.keys() == set()
    assert RULES.keys() - columns == set()
