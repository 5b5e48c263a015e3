"""What a unit of work promises about its end, and what a write keeps to itself."""

from __future__ import annotations

import asyncpg
import pytest

from adapters.postgres.pool import translated
from application.knowledge.commit import follow_up
from domain.errors import InvalidInput, Unavailable
from domain.ports.job_queue import Job, JobKind
from domain.ports.journal import Entry, MovedOn
from domain.ports.record import RowSet
from tests.services.database import Database
from tests.services.world import World


async def test_a_failed_statement_that_was_caught_does_not_pass_for_a_commit(world: World) -> None:
    async def careless() -> None:
        async with world.unit_of_work(world.access) as tx:
            with pytest.raises(asyncpg.DivisionByZeroError):
                await tx.record._connection.execute("SELECT 1 / 0")

    with pytest.raises(Unavailable):
        await careless()
    async with world.unit_of_work(world.access) as tx:
        assert (await tx.journal.head()).revision == 0


async def test_an_exception_leaves_nothing_behind_and_the_connection_usable(world: World) -> None:
    async def failing() -> None:
        async with world.unit_of_work(world.access) as tx:
            await tx.record.append(RowSet(), Entry("test", world.access.write_scope))
            raise RuntimeError("on purpose")

    with pytest.raises(RuntimeError, match="on purpose"):
        await failing()
    async with world.unit_of_work(world.access) as tx:
        assert (await tx.journal.head()).revision == 0
    assert await world.rows("SELECT revision FROM mutations") == []


async def test_an_append_under_an_old_vocabulary_moves_on_and_enqueues_nothing(
    world: World,
) -> None:
    async with world.unit_of_work(world.access) as tx:
        head = await tx.journal.head()
        await tx.journal.advance(Entry("change_vocabulary", world.access.write_scope, changes_vocabulary=True))

    async def late() -> None:
        async with world.unit_of_work(world.access) as tx:
            entry = Entry("test", world.access.write_scope, placed_under=head)
            await tx.record.append(RowSet(), entry, follow_up(world.access.write_scope))

    with pytest.raises(MovedOn):
        await late()
    assert await world.rows("SELECT id FROM pgqueuer") == []


async def test_the_jobs_of_an_append_carry_the_tenant_and_the_log_knows_them(world: World, database: Database) -> None:
    subject = world.access.principal.id
    jobs = [*follow_up(world.access.write_scope), Job(JobKind.INGEST_VERSION, world.access.write_scope, subject, 5)]
    async with world.unit_of_work(world.access) as tx:
        await tx.record.append(RowSet(), Entry("test", world.access.write_scope), jobs)
    administrator = await asyncpg.connect(database.administrator)
    rows = await administrator.fetch(
        "SELECT entrypoint, priority, payload, status::text, headers ->> 'organization_id' AS organization, "
        "headers ->> 'group_id' AS scope FROM assay.pgqueuer ORDER BY entrypoint"
    )
    logged = await administrator.fetch("SELECT entrypoint, status::text FROM assay.pgqueuer_log ORDER BY entrypoint")
    await administrator.close()
    tenant = (str(world.access.organization_id), world.access.write_scope)
    assert [tuple(row) for row in rows] == [
        ("embed", 0, None, "queued", *tenant),
        ("ingest_version", 5, str(subject).encode(), "queued", *tenant),
        ("project", 0, None, "queued", *tenant),
    ]
    assert [tuple(row) for row in logged] == [
        ("embed", "queued"), ("ingest_version", "queued"), ("project", "queued"),
    ]  # fmt: skip


async def test_a_number_that_no_column_holds_is_a_wrong_value_and_no_outage(pool: asyncpg.Pool) -> None:
    with pytest.raises(InvalidInput, match="refused a value"), translated():
        await pool.fetchval("SELECT $1::bigint", 2**70)
