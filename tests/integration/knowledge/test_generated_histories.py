"""Whatever happens in whatever order: the record adds up, the past reads as it read, and the graph is the record."""

from __future__ import annotations

import asyncpg
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from adapters.inmemory.memory_engine import InMemoryMemoryEngine
from adapters.postgres.scope_finder import PostgresScopeFinder
from application.identity.access import AccessResolver
from application.journal.verify import VerifyJournal
from domain.identity.ids import Revision
from tests.integration.projection.projecting import projecting
from tests.services.long_history import MOVES, LongHistory
from tests.services.world import new_world

pytestmark = pytest.mark.services

OTHERS = sorted(MOVES.keys() - {"say"})
HISTORIES = st.lists(st.sampled_from(["say", *OTHERS]), min_size=5, max_size=9)


@settings(
    max_examples=4,
    deadline=None,
    derandomize=True,
    database=None,
    suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow],
)
@given(moves=HISTORIES, seed=st.integers(0, 1_000))
async def test_a_generated_history_rebuilds_reads_back_verifies_and_equals_its_graph(
    pool: asyncpg.Pool, moves: list[str], seed: int
) -> None:
    world = await new_world(pool)
    history = LongHistory(world, seed, subjects=3, batch=6)
    follower = projecting(world, InMemoryMemoryEngine())
    for number, name in enumerate(["say", *moves]):
        await history.move(name)
        await history.look()
        if number == len(moves) // 2:
            await follower.project(world.access)
    for revision, seen in history.seen.items():
        assert (await history.rebuild(world.access, revision)).discrepancies == (), (moves, seed, revision)
        for subject, facts in seen.items():
            assert await history.read(subject, revision) == facts, (moves, seed, revision)
    verify = VerifyJournal(AccessResolver(PostgresScopeFinder(world.pool)), world.unit_of_work)
    assert (await verify(world.access)).faults == (), (moves, seed)
    await follower.project(world.access)
    verified = await follower.verify(world.access)
    assert (verified.whole, verified.revision) == (True, Revision(await history.head())), (moves, seed)
