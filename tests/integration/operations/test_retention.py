"""What is old and of no worth is forgotten, in portions; what is still wanted stays."""

from __future__ import annotations

import socket
from datetime import timedelta

import asyncpg

from adapters.graphiti.falkordb_engine import FalkorDBMemoryEngine
from adapters.inmemory.memory_engine import InMemoryMemoryEngine
from adapters.postgres.idempotency import PostgresIdempotencyKeys
from adapters.postgres.operations import PostgresOperations
from adapters.postgres.scope_finder import PostgresScopeFinder
from adapters.postgres.stragglers import PostgresStragglers
from adapters.postgres.vector_store import PostgresVectorStore
from application.identity.access import AccessResolver
from application.projection.sweep import Retention, Sweep
from domain.ports.memory_engine import MemoryEngine
from tests.integration.projection.changes import says
from tests.services.database import Database
from tests.services.world import World, new_world


def sweep_of(world: World, engine: MemoryEngine | None = None, retention: Retention | None = None) -> Sweep:
    return Sweep(
        PostgresStragglers(world.pool),
        world.unit_of_work,
        AccessResolver(PostgresScopeFinder(world.pool)),
        engine or InMemoryMemoryEngine(),
        PostgresVectorStore(world.pool),
        retention=retention,
    )


async def administered(database: Database, statement: str, *arguments: object) -> list[tuple[object, ...]]:
    connection = await asyncpg.connect(database.administrator)
    rows = await connection.fetch(statement, *arguments)
    await connection.close()
    return [tuple(row) for row in rows]


async def test_old_answers_are_forgotten_for_every_organization_and_young_ones_are_not(
    world: World, database: Database
) -> None:
    keys, other = PostgresIdempotencyKeys(world.pool), await new_world(world.pool)
    for access in (world.access, other.access):
        for key in ("old", "young"):
            assert await keys.take(access, key, b"hash") is None
            await keys.keep(access, key, b"answer")
    await administered(
        database, "UPDATE assay.idempotency_keys SET created_at = now() - interval '3 hours' WHERE key = 'old'"
    )
    await sweep_of(world, retention=Retention(answers=timedelta(hours=2))).upkeep()
    for access in (world.access, other.access):
        assert await keys.take(access, "old", b"another") is None
        kept = await keys.take(access, "young", b"hash")
        assert kept is not None
        assert kept.response == b"answer"


async def test_keys_go_in_portions(world: World, database: Database) -> None:
    await administered(
        database,
        """INSERT INTO assay.idempotency_keys (organization_id, group_id, principal_id, key, request_hash, created_at)
           SELECT $1, $2, gen_random_uuid(), n::text, '', now() - n * interval '1 hour'
           FROM generate_series(1, 2500) n""",
        world.access.organization_id,
        world.access.write_scope,
    )
    stragglers = PostgresStragglers(world.pool)
    assert await stragglers.forget_kept_answers(timedelta(hours=2000), 200) == 200
    assert await administered(database, "SELECT max(key::int) FROM assay.idempotency_keys") == [(2300,)]
    await sweep_of(world, retention=Retention(answers=timedelta(hours=100.5))).upkeep()
    assert await administered(database, "SELECT count(*), max(key::int) FROM assay.idempotency_keys") == [(100, 100)]


async def test_the_log_of_jobs_is_forgotten_but_for_why_a_job_failed(world: World, database: Database) -> None:
    await world.say(says("Acme", "founded by", "Ada"))
    await administered(
        database,
        """UPDATE assay.pgqueuer SET status = 'failed';""",
    )
    await administered(
        database,
        """INSERT INTO assay.pgqueuer_log (job_id, status, entrypoint, priority, traceback)
           SELECT id, 'failed', entrypoint, 0, '{"exception_message": "out of paper"}' FROM assay.pgqueuer""",
    )
    await administered(database, "UPDATE assay.pgqueuer_log SET created = now() - interval '8 days'")
    await sweep_of(world).upkeep()
    letters = await PostgresOperations(world.pool, "inmemory").dead_letters(world.access, 0, 10)
    assert [letter.reason for letter in letters] == ["out of paper"] * len(letters)
    lines = await administered(
        database, "SELECT DISTINCT status::text FROM assay.pgqueuer_log WHERE created < now() - interval '7 days'"
    )
    assert lines == [("failed",)]


async def test_of_equal_jobs_that_failed_the_last_one_is_kept(world: World, database: Database) -> None:
    other = await new_world(world.pool)
    for each in (world, world, other):
        await each.say(says("Acme", "founded by", "Ada"), source="one")
        await each.say(says("Acme", "located in", "Lyon"), source="another")
    jobs = await administered(
        database,
        """UPDATE assay.pgqueuer SET status = 'failed'
           RETURNING headers ->> 'organization_id', entrypoint, id""",
    )
    last = {key: max(int(str(n)) for o, k, n in jobs if (o, k) == key) for key in {job[:2] for job in jobs}}
    await sweep_of(world).upkeep()
    kept = await administered(
        database, "SELECT headers ->> 'organization_id', entrypoint, id FROM assay.pgqueuer WHERE status = 'failed'"
    )
    assert {(organization, kind): number for organization, kind, number in kept} == last
    assert len(kept) == len(last) < len(jobs)


async def test_a_graph_that_is_away_does_not_keep_search_terms_from_being_counted(
    world: World, database: Database
) -> None:
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        nobody = f"redis://127.0.0.1:{free.getsockname()[1]}"
    engine = FalkorDBMemoryEngine.at(nobody)
    await world.say(says("Acme", "founded by", "Ada"))
    swept = await sweep_of(world, engine).upkeep()
    await engine.aclose()
    assert set(swept.failures) == {world.access.organization_id}
    assert "FalkorDB does not answer" in swept.failures[world.access.organization_id]
    assert await administered(database, "SELECT sum(documents) FROM assay.search_totals") == [(1,)]
