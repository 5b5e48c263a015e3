"""Bringing a database up to date, and telling whether one is."""

from __future__ import annotations

import re
from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager

import asyncpg

from adapters.postgres.migrate import _scripts, migrate
from adapters.postgres.pool import open_pool, translated
from adapters.postgres.provision import provision
from adapters.postgres.statements import statements
from domain.errors import Forbidden, InvalidInput, Unavailable

_SQL = statements("sign_in")
_MIGRATION = re.compile(r"\d{4}_")
_NOT_THERE = (asyncpg.UndefinedFunctionError, asyncpg.InvalidSchemaNameError, asyncpg.InsufficientPrivilegeError)


class DatabaseOutOfDate(Unavailable):
    """The database does not have the schema that this version of the program works with."""

    code = "database_out_of_date"
    retryable = False
    outage = False


async def create_database(administrator_dsn: str, name: str) -> None:
    """Make the database unless it is there. ``name`` is a plain identifier."""
    async with _administrator(administrator_dsn) as connection:
        if not await connection.fetchval("SELECT true FROM pg_database WHERE datname = $1", name):
            try:
                await connection.execute(f'CREATE DATABASE "{name}"')
            except (asyncpg.DuplicateDatabaseError, asyncpg.UniqueViolationError):
                return  # another process was faster


async def install(administrator_dsn: str, passwords: Mapping[str, str]) -> list[str]:
    """Roles, schema and extensions, then migrations, functions and policies. Idempotent; says what was applied.

    Raises Unavailable when the server does not answer or refuses the login, Forbidden when the administrator may not
    make roles or extensions, MigrationEdited.
    """
    async with _administrator(administrator_dsn) as connection:
        await provision(connection, dict(passwords))
        return await migrate(connection)


async def require_installed(pool: asyncpg.Pool) -> None:
    """Raise DatabaseOutOfDate unless the database has exactly the scripts that this version brings."""
    brought = {name: checksum for folder in ("migrations", "functions") for name, _, checksum in _scripts(folder)}
    with translated():
        try:
            rows = await pool.fetch(_SQL["applied_scripts"])
        except _NOT_THERE as error:
            raise DatabaseOutOfDate("the database has not been set up; run `assay migrate`") from error
    applied = {row["name"]: row["checksum"] for row in rows}
    behind = sorted(name for name, checksum in brought.items() if applied.get(name) != checksum)
    if behind:
        raise DatabaseOutOfDate(f"the database is behind this version ({', '.join(behind)}); run `assay migrate`")
    ahead = sorted(name for name in applied if _MIGRATION.match(name) and name not in brought)
    if ahead:
        raise DatabaseOutOfDate(
            f"the database is ahead of this version ({', '.join(ahead)}); install the newer version"
        )


async def open_checked_pool(dsn: str, *, maximum: int, name: str) -> asyncpg.Pool:
    """A pool on an up-to-date database.

    Raises Unavailable when it does not answer or refuses the login, DatabaseOutOfDate when ``assay migrate`` is due.
    """
    try:
        pool = await open_pool(dsn, maximum=maximum, name=name)
    except Unavailable as error:
        if isinstance(
            error.__cause__, asyncpg.InvalidAuthorizationSpecificationError | asyncpg.InvalidCatalogNameError
        ):
            raise Unavailable(
                "the database refuses the login; correct the user, password and name in ASSAY_DATABASE__URL, "
                "or run `assay migrate` if it was never set up"
            ) from error
        if isinstance(error.__cause__, asyncpg.ClientConfigurationError):
            raise InvalidInput(
                "ASSAY_DATABASE__URL is no address of a database; write postgresql://user:password@host:port/name"
            ) from error
        raise
    except ValueError as error:  # a connection learns the type of vectors, and the database has none
        raise DatabaseOutOfDate("the database has not been set up; run `assay migrate`") from error
    try:
        await require_installed(pool)
    except BaseException:
        await pool.close()
        raise
    return pool


@asynccontextmanager
async def _administrator(dsn: str) -> AsyncIterator[asyncpg.Connection]:
    try:
        connection = await asyncpg.connect(dsn)
        try:
            yield connection
        finally:
            await connection.close()
    except asyncpg.InsufficientPrivilegeError as error:
        raise Forbidden(
            "the administrator of the database may not make roles, schemas or extensions; "
            "give ASSAY_DATABASE__ADMINISTRATOR_URL a user who may"
        ) from error
    except asyncpg.InvalidAuthorizationSpecificationError as error:
        raise Unavailable("the database refuses the administrator's user or password; correct them") from error
    except (OSError, asyncpg.PostgresConnectionError, asyncpg.CannotConnectNowError) as error:
        raise Unavailable("the database does not answer; check its address, and that it runs") from error
