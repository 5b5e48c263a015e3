"""A suggestion to merge predicates goes with the last fact of one that it names, decided or not."""

from __future__ import annotations

from collections.abc import AsyncIterator

import asyncpg
import pytest

from application.knowledge.merge_suggestions import merge_suggestions
from tests.integration.erasure.scanning import places_of
from tests.integration.erasure.test_erase import eraser, source_named
from tests.integration.knowledge.test_suggest_merges import plain, suggesting
from tests.services.database import Database
from tests.services.world import World


@pytest.fixture
async def administrator(database: Database) -> AsyncIterator[asyncpg.Connection]:
    connection = await asyncpg.connect(database.administrator)
    yield connection
    await connection.close()


async def test_a_predicates_name_goes_with_its_last_fact_from_what_waits_and_what_was_rejected(
    world: World, administrator: asyncpg.Connection
) -> None:
    for source, endings in (("a", ("s", "ed")), ("b", ("ed",))):
        verbs = ("guard",) if source == "a" else ("pilot", "harvest")
        await world.say(
            *(plain(f"P{n}", verb + end, f"It {n}") for verb in verbs for end in endings for n in range(4)),
            source=source,
        )
    await world.say(*(plain(f"P{n}", f"{verb}s", f"It {n}") for verb in ("pilot", "harvest") for n in range(6)))
    found = {each.source: each for each in (await suggesting(world)(world.access)).proposed}
    assert set(found) >= {"PILOTED", "HARVESTED"}
    await world.decide.proposal(world.access, found["HARVESTED"].proposal_id, False, "they differ")
    kept = {each.source for each in await merge_suggestions(world.unit_of_work, world.access)} - {"PILOTED"}
    assert "proposals.payload: harvested" in await places_of(administrator, "piloted", "harvested")
    await eraser(world)(world.access, await source_named(world, "b"), "the contract ended")
    await administrator.execute("UPDATE assay.erasures SET canaries = '{}', sought = NULL, sought_there = NULL")
    assert await places_of(administrator, "piloted", "harvested") == []
    assert {each.source for each in await merge_suggestions(world.unit_of_work, world.access)} == kept != set()
    assert await merge_suggestions(world.unit_of_work, world.access, "rejected") == []
