"""Packs over the record: stored with a snapshot, the same when opened, gone at their end, void once erased."""

from __future__ import annotations

from collections.abc import AsyncIterator
from datetime import timedelta

import asyncpg
import msgspec
import pytest

from adapters.postgres.stragglers import PostgresStragglers
from application.ingestion.sources import SourceSpec
from application.retrieval.packs import PackRequest
from application.retrieval.snapshots import SnapshotWish
from domain.erasure.targets import Target, TargetKind
from domain.errors import Forbidden, InvalidInput, NotFound
from domain.identity.principal import PrincipalKind, Role
from domain.retrieval.context_pack import Conflicts
from domain.retrieval.reading import FactFilter, ReadPoint
from domain.retrieval.snapshot import Voided
from tests.integration.erasure.scanning import dump_has, places_of
from tests.services.contradicting import claim
from tests.services.database import Database
from tests.services.snapshotting import Reading, eraser
from tests.services.snapshotting import reading as reading
from tests.services.world import World, new_world

CANARY = "Quaxolotl"


@pytest.fixture
async def administrator(database: Database) -> AsyncIterator[asyncpg.Connection]:
    connection = await asyncpg.connect(database.administrator)
    await connection.execute("SET search_path = assay, public")
    yield connection
    await connection.close()


async def filled(world: World) -> None:
    await world.say(claim("Acme", "headquartered in", "Paris"), claim("Acme", "owns", "Globex"), source="a")
    await world.say(claim("Acme", "headquartered in", "Lyon"), source="b")
    await world.read(f"{CANARY} was founded by Ada Byron in 1999.", "note.txt", source=SourceSpec("notes", "upload"))


async def test_a_contested_answer_has_both_sides_with_a_citation_each(world: World, reading: Reading) -> None:
    await filled(world)
    asked = PackRequest("where is Acme headquartered", 3_000)
    found = await reading.packs.make(world.access, asked)
    sides = {f.sentence: f.citation for f in found.facts if f.contested}
    assert set(sides) == {"Acme is headquartered in Paris", "Acme is headquartered in Lyon"}
    assert all(citation is not None for citation in sides.values())
    assert found.size <= 3_000
    assert (found.tokenizer, found.exact) == ("utf-8 bytes", False)
    without = await reading.packs.make(world.access, PackRequest(asked.question, 3_000, Conflicts.EXCLUDE))
    assert not any(f.contested for f in without.facts)
    assert without.left_out.conflicts == 1
    narrow = PackRequest(asked.question, 3_000, Conflicts.ONLY, filter=FactFilter(tiers=(1,)))
    assert (await reading.packs.make(world.access, narrow)).facts == ()


async def test_a_stored_pack_is_the_same_when_it_is_opened_and_can_be_made_again(
    world: World, reading: Reading
) -> None:
    await filled(world)
    request = PackRequest("who founded Quaxolotl", 2_000, passages=True)
    stored = await reading.packs.store(world.access, request)
    assert stored.id is not None
    assert stored.snapshot_id is not None
    opened = await reading.packs.stored(world.access, stored.id)
    assert msgspec.json.encode(opened) == msgspec.json.encode(stored)
    again = await reading.packs.store(world.access, PackRequest("what does Acme own", 2_000))
    assert again.snapshot_id == stored.snapshot_id
    await world.say(claim("Acme", "owns", "Umbra"))
    assert (await reading.packs.stored(world.access, stored.id)).text == stored.text
    point = await reading.snapshots.pinned(world.access, stored.snapshot_id, ReadPoint())
    made = await reading.packs.make(world.access, PackRequest(request.question, 2_000, passages=True, point=point))
    assert made.text == stored.text
    new = await reading.packs.store(world.access, request)
    assert new.snapshot_id != stored.snapshot_id
    kinds = [row["kind"] for row in await world.rows("SELECT kind FROM mutations ORDER BY revision")]
    assert [k for k in kinds if k in ("make_snapshot", "store_pack")] == [
        "make_snapshot", "store_pack", "store_pack", "make_snapshot", "store_pack",
    ]  # fmt: skip
    with pytest.raises(NotFound):
        await reading.packs.stored((await new_world(world.pool)).access, stored.id)
    with pytest.raises(Forbidden):
        await reading.packs.store(world.acting(PrincipalKind.AGENT, Role.VIEWER), request)


async def test_a_pack_ends_and_is_swept_with_the_snapshot_that_was_made_for_it(
    world: World, reading: Reading, administrator: asyncpg.Connection
) -> None:
    await filled(world)
    kept = await reading.snapshots.make(world.access, SnapshotWish(name="kept"))
    by_kept = await reading.point(kept)
    short = await reading.packs.store(world.access, PackRequest("what does Acme own", 2_000, days=0.5, point=by_kept))
    await world.say(claim("Acme", "owns", "Umbra"))
    other = await reading.packs.store(world.access, PackRequest("what does Acme own", 2_000))
    assert short.id is not None
    assert other.id is not None
    reading.clock.by = timedelta(days=1)
    with pytest.raises(NotFound, match="packs end"):
        await reading.packs.stored(world.access, short.id)
    sweeper = PostgresStragglers(world.pool)
    assert await sweeper.forget_packs(100) == 0
    await administrator.execute("UPDATE packs SET expires_at = now() - interval '1 second'")
    await administrator.execute("UPDATE snapshots SET made_at = now() - interval '2 hours'")
    assert await sweeper.forget_packs(100) == 2
    for table in ("packs", "pack_items"):
        assert await administrator.fetchval(f"SELECT count(*) FROM {table}") == 0
    assert [row.name for row in await reading.snapshots.listed(world.access)] == ["kept"]


async def test_what_is_erased_voids_the_packs_that_show_it_and_no_others(
    world: World, reading: Reading, administrator: asyncpg.Connection
) -> None:
    await filled(world)
    holding = await reading.packs.store(world.access, PackRequest(f"who founded {CANARY}", 2_000, passages=True))
    asking = await reading.packs.store(world.access, PackRequest(f"what does {CANARY} own", 2_000))
    others = await reading.packs.store(world.access, PackRequest("what does Acme own", 900))
    assert holding.id is not None
    assert asking.id is not None
    assert others.id is not None
    assert CANARY in holding.text
    assert CANARY not in others.text
    assert any(place.startswith("packs.payload") for place in await places_of(administrator, CANARY))
    [document] = await world.rows("SELECT document_id FROM documents WHERE record_key = 'note.txt'")
    erasure = await eraser(world)(world.access, Target(TargetKind.DOCUMENT, document[0]), "asked for")
    for pack_id in (holding.id, asking.id):
        with pytest.raises(Voided, match=str(erasure.id)) as refused:
            await reading.packs.stored(world.access, pack_id)
        assert CANARY not in refused.value.message
    assert (await reading.packs.stored(world.access, others.id)).text == others.text
    assert [
        place for place in await places_of(administrator, CANARY) if not place.startswith("erasures.canaries")
    ] == []
    await administrator.execute("UPDATE erasures SET canaries = '{}'")
    assert await dump_has(administrator, CANARY) == []


async def test_a_budget_too_small_is_refused_and_nothing_is_stored(world: World, reading: Reading) -> None:
    await filled(world)
    with pytest.raises(InvalidInput, match="too small for one citation; the least that would do is") as refused:
        await reading.packs.store(world.access, PackRequest("what does Acme own", 50))
    least = int(refused.value.message.rpartition(" ")[2])
    assert (await reading.packs.make(world.access, PackRequest("what does Acme own", least))).size <= least
    assert await world.rows("SELECT 1 FROM packs") == []
    for budget in (0, -5, 2_000_000):
        with pytest.raises(InvalidInput, match="a budget is 1 to 1000000 tokens"):
            PackRequest("what does Acme own", budget)
