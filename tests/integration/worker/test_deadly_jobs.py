"""A job that kills its worker is put aside after a few deaths, and what ran beside it is not."""

from __future__ import annotations

from uuid import UUID, uuid4

import pytest

from adapters.postgres.operations import PostgresOperations
from domain.ports.job_queue import Job, JobKind
from tests.integration.worker.doing_jobs import enqueue, jobs_left, until
from tests.integration.worker.fleet import Fleet
from tests.integration.worker.working import QUICK
from tests.services.database import Database
from tests.services.world import World

pytestmark = pytest.mark.services

SIGKILL = -9


async def test_a_job_that_kills_its_workers_is_put_aside_with_the_reason(world: World, database: Database) -> None:
    deadly = uuid4()
    fleet = Fleet(database, None, deadly)
    operations = PostgresOperations(world.pool, "inmemory")

    def job(subject: UUID) -> Job:
        return Job(JobKind.INGEST_VERSION, world.access.write_scope, subject)

    async def put_aside() -> bool:
        return bool(await operations.dead_letters(world.access, 0, 10))

    try:
        await fleet.open()
        for _ in range(QUICK.deaths + 1):
            await fleet.start()
        await enqueue(world, job(deadly), *(job(uuid4()) for _ in range(6)))
        await until(put_aside, 60)
        (letter,) = await operations.dead_letters(world.access, 0, 10)
        assert letter.reason == (
            "the worker died or gave no sign of life 3 times while this job ran; "
            "see its log and whether memory ran out, then retry the job"
        )
        assert letter.subject == str(deadly)

        async def the_rest_is_done() -> bool:
            return await jobs_left(database) == [("ingest_version", "failed", 0)]

        await until(the_rest_is_done, 30)
        assert await operations.retry(world.access, [letter.id]) == [letter.id]
        (retried,) = await jobs_left(database)
        assert retried[1] in {"queued", "picked"}
    finally:
        codes = await fleet.stop()
    assert codes.count(SIGKILL) >= QUICK.deaths
    assert set(codes) <= {SIGKILL, 0}
