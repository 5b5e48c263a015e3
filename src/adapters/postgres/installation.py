"""Bringing a database up to date, and telling whether one is."""

from __future__ import annotations

import asyncio
import random
import re
from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager

import asyncpg

from adapters.postgres.migrate import migrate
from adapters.postgres.pool import open_pool, translated
from adapters.postgres.provision import SCHEMA, provision
from adapters.postgres.scripts import scripts
from adapters.postgres.statements import statements
from domain.errors import Conflict, Forbidden, InvalidInput, Unavailable, WorkFailed

_SQL = statements("sign_in")
_MIGRATION = re.compile(r"\d{4}_")
_NOT_THERE = (asyncpg.UndefinedFunctionError, asyncpg.InvalidSchemaNameError, asyncpg.InsufficientPrivilegeError)


_SAME_ROLE_AT_ONCE = (asyncpg.InternalServerError, asyncpg.DuplicateObjectError, asyncpg.UniqueViolationError)
_OCCUPIED = (asyncpg.DuplicateTableError, asyncpg.DuplicateObjectError, asyncpg.DuplicateFunctionError)
_TURNS = 20


class SchemaOccupied(Conflict):
    """The schema holds something that Assay did not make."""

    code = "schema_occupied"


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

    Several processes may, for one database or for many of a server: they take turns. Raises Unavailable when the server
    does not answer or refuses the login, Forbidden when the administrator may not make roles or extensions,
    SchemaOccupied, MigrationEdited, WorkFailed.
    """
    async with _administrator(administrator_dsn) as connection:
        await _provision_in_turn(connection, dict(passwords))
        return await migrate(connection)


async def _provision_in_turn(connection: asyncpg.Connection, passwords: dict[str, str]) -> None:
    """Roles belong to the whole server, and no lock of one database holds in another: who comes second tries again."""
    for attempt in range(1, _TURNS + 1):
        try:
            await provision(connection, passwords)
            return
        except _SAME_ROLE_AT_ONCE:
            if attempt == _TURNS:
                raise
            await asyncio.sleep(random.uniform(0.0, 0.05 * attempt))  # noqa: S311


async def require_installed(pool: asyncpg.Pool) -> None:
    """Raise DatabaseOutOfDate unless the database has exactly the scripts that this version brings."""
    brought = {name: checksum for name, _, checksum in (*scripts("migrations"), *scripts("functions"))}
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
    except _OCCUPIED as error:
        raise SchemaOccupied(
            f"the schema {SCHEMA!r} of the database holds something of the same name that Assay did not make; "
            "nothing was changed; use another database, or move it away"
        ) from error
    except asyncpg.LockNotAvailableError as error:
        raise Unavailable(
            "a table is in use for too long; nothing was changed; stop workers and API, or try again later"
        ) from error
    except asyncpg.InvalidAuthorizationSpecificationError as error:
        raise Unavailable("the database refuses the administrator's user or password; correct them") from error
    except (OSError, asyncpg.PostgresConnectionError, asyncpg.CannotConnectNowError) as error:
        raise Unavailable("the database does not answer; check its address, and that it runs") from error
    except asyncpg.PostgresError as error:
        raise WorkFailed(
            f"the database refused to be brought up to date ({type(error).__name__}); nothing was changed; see its log"
        ) from error
