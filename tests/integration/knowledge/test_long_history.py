"""After everything that can happen, the record is what it was made of, and was what readers saw."""

from __future__ import annotations

from collections.abc import AsyncIterator
from dataclasses import fields

import pytest

from adapters.embedded.resp_server import RespAddress
from adapters.graphiti.falkordb_engine import FalkorDBMemoryEngine
from adapters.inmemory.memory_engine import InMemoryMemoryEngine
from adapters.postgres.scope_finder import PostgresScopeFinder
from application.identity.access import AccessResolver
from application.journal.verify import VerifyJournal
from domain.ports.memory_engine import MemoryEngine
from domain.retrieval.facts import StandingFact
from tests.integration.projection.projecting import projecting
from tests.services.long_history import LongHistory
from tests.services.world import World

pytestmark = [pytest.mark.services, pytest.mark.slow]


@pytest.fixture
async def engines(falkordb_server: RespAddress) -> AsyncIterator[list[MemoryEngine]]:
    falkordb = FalkorDBMemoryEngine.at(falkordb_server.url)
    yield [InMemoryMemoryEngine(), falkordb]
    await falkordb.aclose()


async def test_a_long_history_rebuilds_reads_back_verifies_and_equals_its_graphs(
    world: World, engines: list[MemoryEngine]
) -> None:
    history = LongHistory(world, seed=20261207, subjects=12, batch=6)
    followers = [projecting(world, engine) for engine in engines]
    await history.go_on(300, samples=8)
    for follower in followers:
        await follower.project(world.access)
    await history.go_on(600, samples=15)
    assert set(history.done) == {
        "say", "correct", "retract_assertion", "retract_document", "change_policy", "merge", "undo", "regrade",
        "approve", "edit",
    }, (history.done, history.refused)  # fmt: skip
    for revision, seen in history.seen.items():
        assert (await history.rebuild(world.access, revision)).discrepancies == (), revision
        for subject, facts in seen.items():
            then = await history.read(subject, revision)
            assert [fact.standing_id for fact in then] == [fact.standing_id for fact in facts], (revision, subject)
            assert [_changed(*pair) for pair in zip(facts, then, strict=True)] == [{}] * len(facts), (revision, subject)
    assert any(facts for seen in history.seen.values() for facts in seen.values())
    resolver = AccessResolver(PostgresScopeFinder(world.pool))
    assert (await VerifyJournal(resolver, world.unit_of_work)(world.access)).faults == ()
    for follower in followers:
        await follower.project(world.access)
        verified = await follower.verify(world.access)
        assert verified.whole
        assert verified.revision == await history.head()


def _changed(before: StandingFact, after: StandingFact) -> dict[str, tuple[object, object]]:
    """The fields that read otherwise, for a failure that says which."""
    pairs = {f.name: (getattr(before, f.name), getattr(after, f.name)) for f in fields(StandingFact)}
    return {name: pair for name, pair in pairs.items() if pair[0] != pair[1]}
