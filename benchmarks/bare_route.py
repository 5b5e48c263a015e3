"""A Litestar route with nothing around it, which sends the statement of ``GET /v1/facts``.

``uvicorn benchmarks.bare_route:app``, with the database's address in ``BARE_DSN`` and in ``BARE_TENANT`` the reader's
organization and scopes, a space between them.
"""

from __future__ import annotations

import os
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from datetime import UTC, datetime
from typing import Any
from uuid import UUID

import asyncpg
from litestar import Litestar, get
from litestar.datastructures import State

from adapters.postgres.hit_rows import PRESENT
from adapters.postgres.pool import open_pool
from adapters.postgres.statements import statements

STATEMENT = statements("reads")["facts_by_pattern"]
NO_FILTER = [None] * 6
FIRST_PAGE = [None] * 3


@asynccontextmanager
async def _pooled(app: Litestar) -> AsyncIterator[None]:
    app.state.pool = await open_pool(os.environ["BARE_DSN"])
    yield
    await app.state.pool.close()


@get("/facts")
async def facts(state: State, subject_id: UUID, predicate: str | None = None, limit: int = 50) -> list[dict[str, Any]]:
    """The rows as the driver gives them."""
    organization, scopes = os.environ["BARE_TENANT"].split(" ")
    pool: asyncpg.Pool = state.pool
    rows = await pool.fetch(
        STATEMENT, UUID(organization), scopes, [subject_id], None, [predicate] if predicate else None, None, None, None,
        datetime.now(UTC), PRESENT, ["active", "disputed"], *NO_FILTER, limit, *FIRST_PAGE,
    )  # fmt: skip
    return [dict(row) for row in rows]


app = Litestar([facts], lifespan=[_pooled], openapi_config=None, logging_config=None)
