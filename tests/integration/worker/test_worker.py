"""The worker does each job as its tenant, retries what may heal, holds the rest, and leaves nothing behind."""

from __future__ import annotations

import asyncio
from uuid import UUID, uuid4

import asyncpg
import pytest

from adapters.inmemory.memory_engine import InMemoryMemoryEngine
from adapters.postgres.operations import PostgresOperations
from adapters.postgres.projection_feed import PostgresProjectionFeed
from adapters.postgres.stragglers import PostgresStragglers
from domain.errors import InvalidInput, ModelReplyInvalid
from domain.identity.access import Access
from domain.ports.job_queue import Job, JobKind
from tests.contracts.projection_contract import recorded, texts
from tests.integration.projection.changes import says
from tests.integration.worker.doing_jobs import enqueue, jobs_left, running, until
from tests.integration.worker.working import QUICK
from tests.services.database import Database
from tests.services.world import World, new_world

pytestmark = pytest.mark.services


async def test_a_write_reaches_graph_and_vectors_of_its_own_organization(world: World, database: Database) -> None:
    engine, feed = InMemoryMemoryEngine(), PostgresProjectionFeed(world.pool)
    other = await new_world(world.pool)
    async with running(world, database, engine=engine):
        await world.say(says("Acme", "founded by", "Ada"))
        await other.say(says("Acme", "founded by", "Eve"))

        async def followed() -> bool:
            for one in (world, other):
                marks = await PostgresOperations(one.pool, engine.name).watermarks(one.access)
                head = await feed.head(one.access)
                if (marks.graph, marks.vectors) != (head, head):
                    return False
            return not await jobs_left(database)

        await until(followed)
    assert await texts(world, engine, "Acme") == ["Acme was founded by Ada"]
    assert await engine.digest(other.access.organization_id) == await recorded(other)


async def test_what_may_heal_is_retried_and_then_held_and_can_be_retried_by_its_tenant(
    world: World, database: Database
) -> None:
    calls: list[tuple[Access, UUID | None]] = []
    broken = True

    async def ingest(access: Access, subject: UUID | None) -> None:
        calls.append((access, subject))
        if broken:
            raise ModelReplyInvalid("the model answered with prose")

    subject = uuid4()
    operations = PostgresOperations(world.pool, "inmemory")
    async with running(world, database, {JobKind.INGEST_VERSION: ingest}) as metrics:
        await enqueue(world, Job(JobKind.INGEST_VERSION, world.access.write_scope, subject))

        async def held() -> bool:
            return bool(await operations.dead_letters(world.access, 0, 10))

        await until(held)
        assert len(calls) == 1 + QUICK.attempts
        (letter,) = await operations.dead_letters(world.access, 0, 10)
        assert (letter.kind, letter.subject, letter.attempts) == ("ingest_version", str(subject), QUICK.attempts)
        assert letter.reason == "the model answered with prose"
        assert {(a.organization_id, a.write_scope, s) for a, s in calls} == {
            (world.access.organization_id, world.access.write_scope, subject)
        }
        broken = False
        assert await operations.retry(world.access, [letter.id]) == [letter.id]

        async def gone() -> bool:
            return not any(kind == "ingest_version" for kind, _, _ in await jobs_left(database))

        await until(gone)
    assert len(calls) == 2 + QUICK.attempts
    text = metrics.rendered(None).decode()
    assert 'assay_jobs_total{kind="ingest_version",outcome="retried"} 3.0' in text
    assert 'assay_jobs_total{kind="ingest_version",outcome="failed"} 1.0' in text
    assert 'assay_jobs_total{kind="ingest_version",outcome="done"} 1.0' in text


async def test_what_cannot_heal_is_held_at_once(world: World, database: Database) -> None:
    calls = 0

    async def ingest(access: Access, subject: UUID | None) -> None:
        nonlocal calls
        calls += 1
        raise InvalidInput("this never works") if calls == 1 else ZeroDivisionError

    async with running(world, database, {JobKind.INGEST_VERSION: ingest}):
        for _ in range(2):
            await enqueue(world, Job(JobKind.INGEST_VERSION, world.access.write_scope, uuid4()))

        async def held() -> bool:
            return [left for left in await jobs_left(database) if left[0] == "ingest_version"] == [
                ("ingest_version", "failed", 0)
            ] * 2

        await until(held)
    assert calls == 2
    letters = await PostgresOperations(world.pool, "inmemory").dead_letters(world.access, 0, 10)
    expected, unexpected = sorted(letters, key=lambda letter: letter.reason != "this never works")
    assert expected.reason == "this never works"
    assert unexpected.reason == (
        f"something unexpected went wrong (ZeroDivisionError); the worker's log has it at job {unexpected.id}"
    )


async def test_a_worker_that_stops_hands_back_what_does_not_end(world: World, database: Database) -> None:
    started = asyncio.Event()

    async def ingest(access: Access, subject: UUID | None) -> None:
        started.set()
        await asyncio.Event().wait()

    async with running(world, database, {JobKind.INGEST_VERSION: ingest}):
        await enqueue(world, Job(JobKind.INGEST_VERSION, world.access.write_scope, uuid4()))
        await asyncio.wait_for(started.wait(), 20)
    assert [left for left in await jobs_left(database) if left[0] == "ingest_version"] == [
        ("ingest_version", "queued", 0)
    ]


async def test_a_worker_that_stops_lets_end_what_ends_soon(world: World, database: Database) -> None:
    started, go = asyncio.Event(), asyncio.Event()

    async def ingest(access: Access, subject: UUID | None) -> None:
        started.set()
        await go.wait()

    async with running(world, database, {JobKind.INGEST_VERSION: ingest}):
        await enqueue(world, Job(JobKind.INGEST_VERSION, world.access.write_scope, uuid4()))
        await asyncio.wait_for(started.wait(), 20)
        asyncio.get_running_loop().call_later(0.1, go.set)
    assert not any(kind == "ingest_version" for kind, _, _ in await jobs_left(database))


async def test_the_sweeper_starts_what_lags_without_a_job(world: World, database: Database) -> None:
    await world.say(says("Acme", "founded by", "Ada"))
    connection = await asyncpg.connect(database.administrator)
    await connection.execute("DELETE FROM assay.pgqueuer")
    await connection.close()
    engine = InMemoryMemoryEngine()
    feed = PostgresProjectionFeed(world.pool)
    async with running(world, database, engine=engine):

        async def followed() -> bool:
            marks = await PostgresOperations(world.pool, engine.name).watermarks(world.access)
            return (marks.graph, marks.vectors) == (await feed.head(world.access),) * 2

        await until(followed)
    assert await texts(world, engine, "Acme") == ["Acme was founded by Ada"]


async def test_the_sweeper_leaves_alone_for_a_while_what_has_just_failed_for_good(
    world: World, database: Database
) -> None:
    stragglers, wanted = PostgresStragglers(world.pool), (world.access.organization_id, world.access.write_scope)
    await world.say(says("Acme", "founded by", "Ada"))
    connection = await asyncpg.connect(database.administrator)
    await connection.execute("UPDATE assay.pgqueuer SET status = 'failed', updated = now()")
    assert await stragglers.behind("inmemory") == []
    await connection.execute("UPDATE assay.pgqueuer SET updated = now() - interval '16 minutes'")
    await connection.close()
    assert await stragglers.behind("inmemory") == [(*wanted, JobKind.EMBED), (*wanted, JobKind.PROJECT)]


async def test_a_worker_whose_connections_are_cut_takes_jobs_again(world: World, database: Database) -> None:
    engine = InMemoryMemoryEngine()
    async with running(world, database, engine=engine):
        await world.say(says("Acme", "founded by", "Ada"))

        async def idle() -> bool:
            return not await jobs_left(database)

        await until(idle)
        connection = await asyncpg.connect(database.administrator)
        cut = await connection.fetch(
            "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE application_name LIKE 'assay worker%'"
        )
        await connection.close()
        assert len(cut) == 4
        await world.say(says("Acme", "located in", "Lyon"))
        await until(idle)
    assert len(await texts(world, engine, "Acme")) == 2
