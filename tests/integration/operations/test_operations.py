"""Dead letters and watermarks on the real database."""

from __future__ import annotations

import json

import asyncpg
import pytest

from adapters.postgres.operations import PostgresOperations
from application.operations.queries import Follower, NotCaughtUp, await_revision, dead_letters, retry_dead_letters
from domain.errors import NotFound
from domain.identity.access import Access
from domain.identity.ids import Revision
from domain.ports.operations import Backlog, Watermarks
from tests.integration.identity.test_sign_in import Moment, World
from tests.services.database import Database


async def failed_job(database: Database, access: Access) -> int:
    administrator = await asyncpg.connect(database.administrator)
    headers = json.dumps({"organization_id": str(access.organization_id), "group_id": access.write_scope})
    found = await administrator.fetchval(
        """INSERT INTO assay.pgqueuer (priority, entrypoint, payload, status, headers, attempts)
           VALUES (0, 'project', '01a22a68-16a9-726f-897d-af8def0a2791', 'failed', $1, 3) RETURNING id""",
        headers,
    )
    await administrator.close()
    assert isinstance(found, int)
    return found


async def test_dead_letters_are_listed_and_retried_by_their_tenant_only(pool: asyncpg.Pool, database: Database) -> None:
    world = World(pool, Moment())
    operations = PostgresOperations(pool, "inmemory")
    acme = await world.resolve(await world.organization())
    other = await world.resolve(await world.organization("Other"))
    job = await failed_job(database, acme)
    assert await dead_letters(operations, other, 0, 10) == []
    with pytest.raises(NotFound):
        await retry_dead_letters(operations, other, [job])
    (letter,) = await dead_letters(operations, acme, 0, 10)
    assert (letter.id, letter.kind, letter.scope, letter.attempts) == (job, "project", "organization", 3)
    assert letter.subject == "01a22a68-16a9-726f-897d-af8def0a2791"
    assert (await operations.backlog()).jobs == {("project", "failed"): 1}
    assert await retry_dead_letters(operations, acme, [job]) == [job]
    assert await dead_letters(operations, acme, 0, 10) == []
    assert await operations.backlog() == Backlog({("project", "queued"): 1}, {"graph": 1, "vectors": 0})


async def test_a_reader_waits_for_what_it_needs_and_learns_what_lags(pool: asyncpg.Pool, database: Database) -> None:
    world = World(pool, Moment())
    operations = PostgresOperations(pool, "inmemory")
    access = await world.resolve(await world.organization())
    assert await operations.watermarks(access) == Watermarks(Revision(1), None, None)
    await await_revision(operations, access, Revision(1), [Follower.GRAPH, Follower.VECTORS], 0)
    with pytest.raises(NotCaughtUp, match="the record is at 1"):
        await await_revision(operations, access, Revision(2), [], 0)
    administrator = await asyncpg.connect(database.administrator)
    await administrator.execute(
        "INSERT INTO assay.projections (organization_id, engine) VALUES ($1, 'inmemory')", access.organization_id
    )
    await administrator.close()
    await await_revision(operations, access, Revision(1), [Follower.VECTORS], 0)
    with pytest.raises(NotCaughtUp, match="graph at 0"):
        await await_revision(operations, access, Revision(1), [Follower.GRAPH], 0)
