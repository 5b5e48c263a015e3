"""The tables of the queue, as PgQueuer wants them."""

from __future__ import annotations

import asyncpg
from pgqueuer.db import AsyncpgDriver
from pgqueuer.queries import Queries


async def make_queue_tables(administrator: asyncpg.Connection) -> None:
    """Make them in the first schema of the search path. Raises what asyncpg raises, also when they are there."""
    await Queries(AsyncpgDriver(administrator)).install()
