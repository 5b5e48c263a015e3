"""Connections as the application role, and what their types look like in Python."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import TypeAlias

import asyncpg
import numpy as np
from asyncpg.pool import PoolConnectionProxy

from adapters.postgres.provision import SEARCH_PATH
from domain.errors import (
    AssayError,
    Conflict,
    InvalidInput,
    NotFound,
    StorageBudgetExhausted,
    StorageFull,
    Unavailable,
    WorkFailed,
)

# The last two are what the driver says of a connection that broke while it was busy.
_GONE = (
    asyncpg.PostgresConnectionError,
    asyncpg.CannotConnectNowError,
    OSError,
    asyncpg.InterfaceError,
    asyncpg.InternalClientError,
)
# It answers, and cannot work whatever it is asked: no memory, no connection left, on its way down, a standby.
_AWAY = (
    asyncpg.InsufficientResourcesError,
    asyncpg.AdminShutdownError,
    asyncpg.CrashShutdownError,
    asyncpg.ReadOnlySQLTransactionError,
)

_OVER_BUDGET = "AS429"
"""What require_room() raises."""

_THERE = "this exists already; nothing was changed; list what there is, and use that or choose another name"
_THERE_ALREADY = {
    "principals_organization_id_subject_key": "this account is somebody's here already; nothing was changed; list the "
    "principals, and give the one that there is a role",
}
"""By the constraint that refused, whose name says nothing to whoever asked."""

Connection: TypeAlias = "asyncpg.Connection[asyncpg.Record] | PoolConnectionProxy[asyncpg.Record]"


async def open_pool(dsn: str, *, minimum: int = 1, maximum: int = 10, name: str = "assay") -> asyncpg.Pool:
    """A pool whose connections know the schema and half-precision vectors. Raises Unavailable when none can be had."""
    with translated():
        return await asyncpg.create_pool(
            dsn,
            min_size=minimum,
            max_size=maximum,
            init=register_types,
            reset=_keep,
            server_settings={
                "search_path": SEARCH_PATH,
                "application_name": name,
                # Lists of keys are looked up as constants, and each tenant is planned for what it is.
                "plan_cache_mode": "force_custom_plan",
                "hnsw.iterative_scan": "relaxed_order",
                "hnsw.ef_search": "100",
            },
        )


async def register_types(connection: asyncpg.Connection) -> None:
    """Send and read halfvec in binary: twice as fast as text (16-bit big-endian floats behind a four-byte head)."""
    await connection.set_type_codec(
        "halfvec", schema="public", format="binary", encoder=encode_halfvec, decoder=decode_halfvec
    )


def encode_halfvec(vector: np.ndarray) -> bytes:
    """A vector of shape (d,) as pgvector reads it."""
    return len(vector).to_bytes(2, "big") + b"\0\0" + np.asarray(vector, dtype=">f2").tobytes()


def decode_halfvec(data: bytes) -> np.ndarray:
    """What pgvector sends, as float32 of shape (d,)."""
    return np.frombuffer(data, dtype=">f2", offset=4).astype(np.float32)


async def _keep(_: asyncpg.Connection) -> None:
    """Nothing to reset: every setting is local to its transaction."""


def _over_budget(error: asyncpg.PostgresError) -> StorageBudgetExhausted:
    said = error.as_dict()
    return StorageBudgetExhausted.of(said.get("message", ""), said.get("detail", ""))


@contextmanager
def translated() -> Iterator[None]:
    """Turn driver errors into ours. The driver's text stays in the cause, for logs only."""
    try:
        yield
    except AssayError:
        raise
    except asyncpg.DiskFullError as error:
        raise StorageFull("the database has no room left; nothing was changed; free space and try again") from error
    except asyncpg.InsufficientPrivilegeError as error:
        raise NotFound("no such object in the scopes of the caller") from error
    except asyncpg.UniqueViolationError as error:
        raise Conflict(_THERE_ALREADY.get(error.constraint_name or "", _THERE)) from error
    except asyncpg.ForeignKeyViolationError as error:
        raise NotFound("something that the request refers to does not exist; check its ids") from error
    except (asyncpg.CheckViolationError, asyncpg.DataError, asyncpg.NotNullViolationError) as error:
        raise InvalidInput(f"the database refused a value ({type(error).__name__}); nothing was changed") from error
    except _GONE as error:
        raise Unavailable("the database does not answer; nothing was changed; try again") from error
    except _AWAY as error:
        raise Unavailable(f"the database cannot work now ({type(error).__name__}); nothing was changed") from error
    except asyncpg.PostgresError as error:
        if error.sqlstate == _OVER_BUDGET:
            raise _over_budget(error) from error
        raise WorkFailed(f"the database refused the work ({type(error).__name__}); nothing was changed") from error
