"""What the driver raises becomes an error of ours that says whether waiting helps."""

from __future__ import annotations

import asyncpg
import pytest

from adapters.postgres.pool import translated
from domain.errors import AssayError, InvalidInput, Unavailable, WorkFailed


@pytest.mark.parametrize(
    ("raised", "family", "waits"),
    [
        (ConnectionRefusedError(), Unavailable, True),
        (asyncpg.InterfaceError("connection is closed"), Unavailable, True),
        (asyncpg.TooManyConnectionsError("no"), Unavailable, True),
        (asyncpg.OutOfMemoryError("no"), Unavailable, True),
        (asyncpg.AdminShutdownError("no"), Unavailable, True),
        (asyncpg.ReadOnlySQLTransactionError("a standby"), Unavailable, True),
        (asyncpg.DeadlockDetectedError("no"), WorkFailed, False),
        (asyncpg.UndefinedColumnError("no"), WorkFailed, False),
        (asyncpg.QueryCanceledError("took too long"), WorkFailed, False),
        (asyncpg.CharacterNotInRepertoireError("no"), InvalidInput, False),
    ],
)
def test_an_outage_is_told_from_a_fault(raised: Exception, family: type[AssayError], waits: bool) -> None:
    with pytest.raises(AssayError) as refused, translated():
        raise raised
    assert (type(refused.value), refused.value.outage) == (family, waits)
