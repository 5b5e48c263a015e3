"""Standings are what their assertions make them, however the record got there."""

from __future__ import annotations

import asyncpg
import pytest

from adapters.postgres.scope_finder import PostgresScopeFinder
from adapters.system.ids import TimeOrderedIds
from application.identity.access import AccessResolver
from application.knowledge.rebuild_standings import Discrepancy, RebuildStandings
from domain.errors import InvalidInput
from domain.identity.ids import Revision
from domain.journal.entries import EntriesRead
from domain.knowledge.assertion import AssertionState, Claim, Mention, Polarity
from tests.integration.projection.changes import notes, says, set_source_state
from tests.services.database import Database
from tests.services.world import World

pytestmark = pytest.mark.services


@pytest.fixture
def rebuild(world: World) -> RebuildStandings:
    return RebuildStandings(AccessResolver(PostgresScopeFinder(world.pool)), world.unit_of_work, TimeOrderedIds())


async def messy_history(world: World) -> None:
    for n, source in enumerate(("a", "b", "c", "a", "b")):
        await world.say(
            says("Acme", "headquartered in", f"City {n}"),
            says("Acme", "founded by", f"Founder {n % 2}"),
            notes("Acme", "has status", f"status {n % 3}"),
            source=source,
        )
        await world.say(
            Claim(Mention("Acme"), "founded by", Mention("Founder 0"), 0.7, Polarity.REFUTE),
            source=f"denier {n}",
            kind="conversation",
        )
    await set_source_state(world, "a", AssertionState.WITHDRAWN)
    await set_source_state(world, "b", AssertionState.REJECTED)
    await set_source_state(world, "a", AssertionState.LIVE)
    await set_source_state(world, "denier 1", AssertionState.WITHDRAWN)
    await world.say(says("Acme", "headquartered in", "City 9"), source="d", state=AssertionState.PENDING)


async def test_after_a_messy_history_everything_is_as_stored_now_and_at_each_revision(
    world: World, rebuild: RebuildStandings
) -> None:
    await messy_history(world)
    now = await rebuild(world.access)
    assert now.discrepancies == ()
    assert now.slots > 3
    stored = await world.rows("SELECT count(*) FROM standings WHERE to_rev = 9223372036854775807")
    assert now.standings == stored[0][0]
    for revision in range(1, now.revision):
        assert (await rebuild(world.access, Revision(revision))).discrepancies == ()


async def test_a_difference_is_named_by_its_fact_and_repaired_through_the_journal_when_asked(
    world: World, rebuild: RebuildStandings, database: Database
) -> None:
    await messy_history(world)
    rows = await world.rows(
        "SELECT standing_id, fact_id FROM standings WHERE to_rev = 9223372036854775807 ORDER BY standing_id LIMIT 1"
    )
    administrator = await asyncpg.connect(database.administrator)
    await administrator.execute(
        r"UPDATE assay.standings SET standing_hash = '\x00' WHERE standing_id = $1", rows[0]["standing_id"]
    )
    await administrator.close()
    found = await rebuild(world.access)
    assert found.discrepancies == (Discrepancy(rows[0]["fact_id"], missing=1, extra=1),)
    assert found.repaired_at is None
    repaired = await rebuild(world.access, repair=True)
    assert repaired.discrepancies == found.discrepancies
    assert repaired.repaired_at == found.revision + 1
    assert (await rebuild(world.access, repair=True)).discrepancies == ()
    async with world.unit_of_work(world.access) as tx:
        assert await tx.chronicle.chain_faults(1) == []
        (entry,) = await tx.chronicle.entries(EntriesRead(after=found.revision, limit=10))
        assert entry.mutation.payload == {"facts": [str(rows[0]["fact_id"])]}


async def test_the_past_is_compared_and_never_repaired(world: World, rebuild: RebuildStandings) -> None:
    with pytest.raises(InvalidInput):
        await rebuild(world.access, Revision(1), repair=True)
