"""A time stands for the last revision committed by then, once and for all."""

from __future__ import annotations

import asyncio
from datetime import UTC, datetime, timedelta

import pytest

from adapters.postgres.operations import PostgresOperations
from application.retrieval.system_time import revision_of
from domain.errors import InvalidInput
from domain.identity.ids import OPEN, Revision
from domain.knowledge.assertion import Claim, Mention
from domain.ports.journal import Entry
from domain.retrieval.reading import system_time
from tests.services.shared_database import database as database
from tests.services.shared_database import pool as pool
from tests.services.world import World


def says(target: str) -> Claim:
    return Claim(Mention("Acme"), "headquartered in", Mention(target), 0.9)


async def asked(world: World, at: Revision | datetime | None) -> Revision | None:
    return await revision_of(world.unit_of_work, PostgresOperations(world.pool, "postgres"), world.access, at)


async def times(world: World) -> dict[int, datetime]:
    return dict(await world.rows("SELECT revision, committed_at FROM mutations ORDER BY 1"))


async def test_a_time_is_the_last_revision_committed_by_then(world: World) -> None:
    for target in ("Oslo", "Bergen", "Tromsø"):
        await world.say(says(target))
    committed = await times(world)
    for revision, at in committed.items():
        assert await asked(world, at) == revision
        assert await asked(world, at - timedelta(microseconds=1)) == revision - 1
    assert await asked(world, datetime(2000, 1, 1, tzinfo=UTC)) == 0
    assert await asked(world, None) is None


async def test_a_commit_in_flight_is_waited_for_and_counts(world: World) -> None:
    await world.say(says("Oslo"))
    writing, go_on = asyncio.Event(), asyncio.Event()

    async def write() -> Revision:
        async with world.unit_of_work(world.access) as tx:
            revision = await tx.journal.advance(Entry("test", world.access.write_scope))
            writing.set()
            await go_on.wait()
        return revision

    writer = asyncio.create_task(write())
    await writing.wait()
    # Its time is past already, though nobody can see it yet.
    reader = asyncio.create_task(asked(world, datetime.now(UTC)))
    async with world.pool.acquire() as connection:
        while not await connection.fetchval("SELECT count(*) FROM pg_locks WHERE NOT granted"):
            assert not reader.done()
    go_on.set()
    assert await reader == await writer


async def test_a_time_that_is_not_past_and_one_without_a_zone_are_refused(world: World) -> None:
    with pytest.raises(InvalidInput, match="is not past, and nobody knows") as refused:
        await asked(world, datetime.now(UTC) + timedelta(hours=1))
    assert refused.value.field == "known_at"
    with pytest.raises(InvalidInput, match="has no time zone"):
        await asked(world, datetime(2024, 1, 1))
    with pytest.raises(InvalidInput, match="revision 99 is not there yet"):
        await asked(world, Revision(99))


def test_people_write_a_revision_or_a_time() -> None:
    assert system_time("42") == 42
    assert system_time("2024-05-01T02:00:00+02:00") == datetime(2024, 5, 1, tzinfo=UTC)
    for wrong in ("soon", "-1", "", "4.5", "2024-02-30T00:00:00Z", "2024-05-01", "٤٢", str(OPEN + 1), "9" * 5_000):
        with pytest.raises(InvalidInput) as refused:
            system_time(wrong)
        assert refused.value.field == "known_at"
