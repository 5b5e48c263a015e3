"""Hearing of changes to who may do what, on a connection of its own."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from typing import Any
from uuid import UUID

import asyncpg
import structlog

from adapters.postgres.provision import SEARCH_PATH
from domain.identity.ids import OrganizationId

CHANNEL = "assay_identity"
_PROBE_SECONDS = 10.0
_RETRY_SECONDS = 1.0
_GONE = (asyncpg.PostgresError, asyncpg.InterfaceError, asyncpg.InternalClientError, OSError, TimeoutError)
Forget = Callable[[OrganizationId | None], None]
log = structlog.get_logger(__name__)


@asynccontextmanager
async def heard_notices(dsn: str, name: str, forget: Forget) -> AsyncIterator[None]:
    """Call ``forget`` with the organization of every change, and with None when changes may have been missed.

    While the connection is away it is made again every second; what is remembered meanwhile must be short-lived.
    """
    first = asyncio.Event()
    task = asyncio.create_task(_hear_for_ever(dsn, name, forget, first))
    try:
        await first.wait()
        yield
    finally:
        task.cancel()
        await asyncio.gather(task, return_exceptions=True)


async def _hear_for_ever(dsn: str, name: str, forget: Forget, first: asyncio.Event) -> None:
    lost = False
    while True:
        try:
            await _hear(dsn, name, forget, first)
        except _GONE as error:
            if not lost:
                log.warning("identity_notices_lost", reason=type(error).__name__)
            lost = True
        finally:
            first.set()
        await asyncio.sleep(_RETRY_SECONDS)


async def _hear(dsn: str, name: str, forget: Forget, first: asyncio.Event) -> None:
    """Listen until the connection breaks. Raises what the driver raises."""

    def heard(_: Any, __: int, ___: str, payload: object) -> None:
        forget(OrganizationId(UUID(str(payload))))

    ended = asyncio.Event()
    connection = await asyncpg.connect(
        dsn, timeout=10, server_settings={"search_path": SEARCH_PATH, "application_name": f"{name} notices"}
    )
    try:
        connection.add_termination_listener(lambda _: ended.set())
        await connection.add_listener(CHANNEL, heard)
        forget(None)
        first.set()
        while not ended.is_set():
            await connection.fetchval("SELECT 1", timeout=_PROBE_SECONDS)
            try:
                await asyncio.wait_for(ended.wait(), _PROBE_SECONDS)
            except TimeoutError:
                continue
    finally:
        connection.terminate()
    forget(None)
