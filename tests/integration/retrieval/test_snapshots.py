"""A snapshot gives the same later, whatever is written, voted or configured since; an altered one is refused."""

from __future__ import annotations

import json
from collections.abc import AsyncIterator
from dataclasses import replace
from datetime import datetime, timedelta
from uuid import uuid4

import asyncpg
import pytest

from application.ingestion.sources import SourceSpec
from application.retrieval.queries import get_fact
from application.retrieval.snapshots import SnapshotWish
from application.retrieval.types import SearchSettings
from domain.erasure.targets import Target, TargetKind
from domain.errors import ContentErased, Forbidden, InvalidInput, NotFound
from domain.identity.ids import Revision
from domain.identity.principal import PrincipalKind, Role
from domain.retrieval.reading import ReadPoint
from domain.retrieval.snapshot import SnapshotAltered
from tests.services.contradicting import claim
from tests.services.database import Database
from tests.services.snapshotting import Reading, eraser
from tests.services.snapshotting import reading as reading
from tests.services.world import World, new_world

NOTE = "Acme was founded by Ada Byron in 1999. Acme is based in Lyon. The order service depends on the billing service."
QUESTIONS = ("Who founded Acme?", "where is Acme based", "what depends on the billing service")


@pytest.fixture
async def administrator(database: Database) -> AsyncIterator[asyncpg.Connection]:
    connection = await asyncpg.connect(database.administrator)
    await connection.execute("SET search_path = assay, public")
    yield connection
    await connection.close()


async def filled(world: World) -> None:
    await world.read(NOTE, "note.txt", source=SourceSpec("notes", "upload"))
    await world.say(claim("Acme", "headquartered in", "Paris"), claim("Acme", "owns", "Globex"), source="a")
    await world.say(claim("Acme", "headquartered in", "Lyon"), claim("Globex", "owns", "Initech"), source="b")


async def test_reads_by_a_snapshot_are_the_same_to_the_letter_after_anything_that_can_happen(
    world: World, reading: Reading
) -> None:
    await filled(world)
    await reading.embed()
    held = (await reading.searched("who owns Globex", ReadPoint())).hits[0].fact
    await reading.feedback(world.access, held.fact_id, True)
    await world.say(claim("Acme", "owns", "Umbra"), source="c")
    snapshot = await reading.snapshots.make(world.access, SnapshotWish(name="before the audit"))
    assert snapshot.standings > 5
    point = await reading.point(snapshot)
    first = await reading.everything(point, *QUESTIONS, entity="Acme")
    assert "Ada Byron" in first[0]
    assert "Lyon" in first[1]

    await world.say(*(claim("Acme", "owns", f"Company {n}") for n in range(30)), source="a")
    await world.say(claim("Acme", "headquartered in", "Nice"), claim("Acme", "founded by", "Eve"), source="d")
    await world.read("Acme is based in Nice. Acme was founded by Eve in 2001.", "later.txt", title="Later")
    await reading.feedback(world.access, held.fact_id, False)
    await world.retract.document(
        world.access, (await world.rows("SELECT document_id FROM documents LIMIT 1"))[0][0], "wrong"
    )
    await reading.embed()
    async with world.pool.acquire() as connection:
        await connection.execute("SELECT refresh_search_terms($1)", world.access.organization_id)
    later = Reading(world, replace(SearchSettings(), text_weight=0.1, vector_weight=0.9, depth=5))
    later.clock.by = timedelta(days=400)
    again = await later.point(await later.snapshots.shown(world.access, snapshot.id))
    assert await later.everything(again, *QUESTIONS, entity="Acme") == first
    assert await later.everything(ReadPoint(), *QUESTIONS, entity="Acme") != first
    assert (await later.snapshots.verify(world.access, snapshot.id)).standings == snapshot.standings


async def test_a_vote_that_is_replaced_still_counts_for_what_was_read_before(world: World, reading: Reading) -> None:
    await world.say(claim("Acme", "owns", "Globex"))
    fact = (await reading.searched("who owns Globex", ReadPoint())).hits[0].fact
    await reading.feedback(world.access, fact.fact_id, True)
    await world.say(claim("Acme", "owns", "Umbra"))
    snapshot = await reading.snapshots.make(world.access, SnapshotWish())
    await reading.feedback(world.access, fact.fact_id, False)
    await world.say(claim("Acme", "owns", "Initech"))
    [then] = [
        h
        for h in (await reading.searched("who owns Globex", await reading.point(snapshot))).hits
        if h.fact.fact_id == fact.fact_id
    ]
    [now] = [h for h in (await reading.searched("who owns Globex", ReadPoint())).hits if h.fact.fact_id == fact.fact_id]
    assert (then.fact.helpful, then.fact.unhelpful) == (1, 0)
    assert (now.fact.helpful, now.fact.unhelpful) == (0, 1)
    assert then.signals.feedback == pytest.approx(2 / 3)


async def test_a_snapshot_whose_digest_does_not_verify_is_refused_until_it_does(
    world: World, reading: Reading, administrator: asyncpg.Connection
) -> None:
    await filled(world)
    snapshot = await reading.snapshots.make(world.access, SnapshotWish())
    await world.say(claim("Acme", "owns", "Umbra"))
    assert (await reading.snapshots.verify(world.access, snapshot.id)).altered_at is None
    fact = await administrator.fetchval("SELECT fact_id FROM standings ORDER BY standing_id LIMIT 1")
    raised = "UPDATE standings SET confidence = confidence + $2 WHERE fact_id = $1"
    await administrator.execute(raised, fact, 0.0625)
    with pytest.raises(SnapshotAltered, match="1 of 256 digests differ"):
        await reading.snapshots.verify(world.access, snapshot.id)
    with pytest.raises(SnapshotAltered, match="is refused"):
        await reading.point(snapshot)
    await administrator.execute(raised, fact, -0.0625)
    await reading.snapshots.verify(world.access, snapshot.id)
    assert (await reading.point(snapshot)).known_at == snapshot.revision


@pytest.mark.parametrize(
    "behind", ["DELETE FROM facts_search WHERE false", "UPDATE standings SET reason = 'x' WHERE from_rev = 1"]
)
async def test_what_leaves_the_standings_alone_verifies_and_any_column_counts(
    world: World, reading: Reading, administrator: asyncpg.Connection, behind: str
) -> None:
    await world.say(claim("Acme", "owns", "Umbra"))
    snapshot = await reading.snapshots.make(world.access, SnapshotWish())
    changed = await administrator.execute(behind.replace("from_rev = 1", "true"))
    if changed == "DELETE 0":
        assert (await reading.snapshots.verify(world.access, snapshot.id)).standings == 1
    else:
        with pytest.raises(SnapshotAltered):
            await reading.snapshots.verify(world.access, snapshot.id)


async def test_a_snapshot_of_an_empty_scope_is_made_and_stays_empty(world: World, reading: Reading) -> None:
    snapshot = await reading.snapshots.make(world.access, SnapshotWish(reason="where we began"))
    assert (snapshot.standings, snapshot.revision) == (0, 0)
    await filled(world)
    found = await reading.searched("Who founded Acme?", await reading.point(snapshot))
    assert (found.hits, found.passages, found.match.value) == ((), (), "none")
    assert (await reading.snapshots.verify(world.access, snapshot.id)).standings == 0


async def test_one_of_the_past_is_as_one_made_then(world: World, reading: Reading) -> None:
    await filled(world)
    then = await reading.snapshots.make(world.access, SnapshotWish())
    await world.say(claim("Acme", "owns", "Umbra"))
    later = await reading.snapshots.make(world.access, SnapshotWish(known_at=then.revision, as_of=then.as_of))
    assert (later.standings, later.revision) == (then.standings, then.revision)
    assert later.digest == then.digest
    one, other = await reading.point(then), await reading.point(later)
    for question in QUESTIONS:
        assert (await reading.searched(question, one)).hits == (await reading.searched(question, other)).hits
    by_time = await reading.snapshots.make(world.access, SnapshotWish(known_at=then.made_at))
    assert (by_time.revision, by_time.as_of) == (then.revision, then.made_at)


async def test_wrong_wishes_are_refused(world: World, reading: Reading) -> None:
    with pytest.raises(InvalidInput, match="revision 99"):
        await reading.snapshots.make(world.access, SnapshotWish(known_at=Revision(99)))
    with pytest.raises(InvalidInput, match="time zone"):
        await reading.snapshots.make(world.access, SnapshotWish(as_of=datetime(2026, 1, 1)))
    with pytest.raises(InvalidInput, match="a name has 1 to 200"):
        await reading.snapshots.make(world.access, SnapshotWish(name=" "))
    with pytest.raises(NotFound):
        await reading.snapshots.pinned(world.access, uuid4(), ReadPoint())
    with pytest.raises(Forbidden, match="making snapshots"):
        await reading.snapshots.make(world.acting(PrincipalKind.HUMAN, Role.VIEWER), SnapshotWish())
    made = await reading.snapshots.make(world.access, SnapshotWish())
    with pytest.raises(InvalidInput, match="not both"):
        await reading.point(made, known_at=Revision(0))
    other = await new_world(world.pool)
    with pytest.raises(NotFound):
        await reading.snapshots.shown(other.access, made.id)


async def test_making_one_is_in_the_journal_with_its_digest(world: World, reading: Reading) -> None:
    await filled(world)
    made = await reading.snapshots.make(world.access, SnapshotWish(name="audit", reason="asked for by the auditor"))
    [entry] = await world.rows(
        "SELECT m.kind, m.reason, convert_from(p.payload, 'UTF8') AS payload FROM mutations m "
        "JOIN mutation_payloads p USING (organization_id, revision) WHERE revision = $1",
        made.made_revision,
    )
    assert (entry["kind"], entry["reason"]) == ("make_snapshot", "asked for by the auditor")
    assert json.loads(entry["payload"]) == {
        "snapshot_id": str(made.id), "revision": made.revision, "standings": made.standings,
        "digest": made.digest.hex(),
    }  # fmt: skip
    assert [row.name for row in await reading.snapshots.listed(world.access)] == ["audit"]


async def test_another_model_is_said_and_words_go_on_to_answer(world: World, reading: Reading) -> None:
    await filled(world)
    await reading.embed()
    snapshot = await reading.snapshots.make(world.access, SnapshotWish())
    assert (await reading.searched("Who founded Acme?", await reading.point(snapshot))).notes == ()
    other = Reading(world, dimension=24)
    found = await other.searched("Who founded Acme?", await other.point(snapshot))
    assert found.notes == (
        f"searched without vectors: the snapshot has those of {reading.embedder.model}, which is not configured",
    )
    assert "Ada Byron" in (found.hits[0].fact.sentence or "")


async def test_what_was_erased_is_voided_and_the_rest_goes_on(world: World, reading: Reading) -> None:
    await filled(world)
    await world.read("Quaxolotl was founded by Eve in 2001.", "secret.txt", source=SourceSpec("secret", "upload"))
    before = await reading.snapshots.make(world.access, SnapshotWish())
    early = await reading.snapshots.make(world.access, SnapshotWish(known_at=Revision(1)))
    told = await reading.searched("Who founded Acme?", await reading.point(before))
    fact, *_ = [
        h.fact
        for h in (await reading.searched("who founded Quaxolotl", await reading.point(before))).hits
        if "Quaxolotl" in (h.fact.sentence or "")
    ]
    [document] = await world.rows("SELECT document_id FROM documents WHERE record_key = 'secret.txt'")
    erasure = await eraser(world)(world.access, Target(TargetKind.DOCUMENT, document[0]), "asked for")
    shown = await reading.snapshots.shown(world.access, before.id)
    assert shown.voided_by == (erasure.id,)
    assert (await reading.snapshots.shown(world.access, early.id)).voided_by == ()
    point = await reading.point(before)
    assert point.pins is not None
    assert point.pins.voided_by == (erasure.id,)
    found = await reading.searched("who founded Quaxolotl", point)
    assert "Quaxolotl" not in repr(found.hits)
    assert [h.fact.sentence for h in (await reading.searched("Who founded Acme?", point)).hits][:1] == [
        told.hits[0].fact.sentence
    ]
    assert (await reading.snapshots.verify(world.access, before.id)).voided_by == (erasure.id,)
    with pytest.raises(ContentErased, match=str(erasure.id)):
        await get_fact(reading.facts, world.access, fact.fact_id, before.revision)
    after = await reading.snapshots.make(world.access, SnapshotWish(known_at=before.revision))
    assert after.voided_by == ()
    assert after.standings < before.standings
    assert (await reading.snapshots.verify(world.access, after.id)).standings == after.standings
