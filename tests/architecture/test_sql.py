"""Every SQL statement is in a file, and every file's statements fit the migrated schema as the application role."""

from __future__ import annotations

import ast
import re
from pathlib import Path

import asyncpg

from adapters.postgres.statements import aggregates, statements

SOURCE = Path(__file__).parents[2] / "src"
POSTGRES = SOURCE / "adapters" / "postgres"
SQL = re.compile(r"^\s*(SELECT|INSERT INTO|UPDATE|DELETE FROM|WITH)\s", re.IGNORECASE)
ADMINISTRATION = {"provision.py", "migrate.py", "installation.py"}
"""Makes roles, databases and ledgers before there is a schema."""


async def test_every_statement_can_be_prepared_by_the_application_role(pool: asyncpg.Pool) -> None:
    broken = []
    async with pool.acquire() as connection:
        for aggregate in aggregates():
            for name, text in statements(aggregate).items():
                try:
                    await connection.prepare(text)
                except asyncpg.PostgresError as error:
                    broken.append(f"{aggregate}.{name}: {error}")
    assert broken == []


def test_sql_of_more_than_a_line_lives_in_sql_files() -> None:
    found = []
    for path in SOURCE.rglob("*.py"):
        if path.name in ADMINISTRATION and path.parent == POSTGRES:
            continue
        for node in ast.walk(ast.parse(path.read_text("utf-8"))):
            text = node.value if isinstance(node, ast.Constant) and isinstance(node.value, str) else ""
            if SQL.match(text) and "\n" in text.strip() and " FROM " in text:
                found.append(f"{path.relative_to(SOURCE)}:{node.lineno}")
    assert found == []


def test_only_migrations_and_functions_change_the_schema() -> None:
    found = [
        str(path.relative_to(SOURCE))
        for path in POSTGRES.joinpath("queries").glob("*.sql")
        if re.search(r"^\s*(CREATE|ALTER|DROP|GRANT)\b", path.read_text("utf-8"), re.MULTILINE | re.IGNORECASE)
    ]
    assert found == []
