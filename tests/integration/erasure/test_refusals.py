"""What was erased does not come back, and what is held is not erased."""

from __future__ import annotations

from uuid import uuid4

import asyncpg
import pytest

from adapters.system.clock import SystemClock
from adapters.system.ids import TimeOrderedIds
from application.erasure.erase import Erase
from application.erasure.holds import LegalHolds
from application.ingestion.sources import SourceSpec
from application.ingestion.submission import DocumentSubmission
from domain.erasure.naming import NamingChoice, NamingWish
from domain.erasure.targets import Target, TargetKind
from domain.errors import Conflict, ContentSuppressed, Forbidden, NotFound, UnderHold
from domain.identity.principal import PrincipalKind, Role
from domain.journal.entries import EntriesRead
from domain.ports.erasure import HoldId
from tests.integration.erasure.test_erase import eraser, says, source_named, whole
from tests.services.world import World, new_world

NOTE = "Acme Corporation was founded by Ada Byron in 1999. The Acme Corporation is based in Lyon."
FILES = SourceSpec("files", "folder")


@pytest.fixture
def erase(world: World) -> Erase:
    return eraser(world)


@pytest.fixture
def holds(world: World) -> LegalHolds:
    return LegalHolds(world.unit_of_work, SystemClock(), TimeOrderedIds())


async def target_of(world: World, kind: TargetKind, name: str = "") -> Target:
    query = {
        TargetKind.DOCUMENT: "SELECT document_id FROM documents WHERE record_key = $1",
        TargetKind.SOURCE: "SELECT source_id FROM sources WHERE name = $1",
        TargetKind.ENTITY: "SELECT entity_id FROM entities WHERE name = $1",
    }[kind]
    return Target(kind, (await world.rows(query, name))[0][0])


async def test_the_same_record_and_the_same_content_are_refused_and_nothing_is_stored(
    world: World, erase: Erase
) -> None:
    await world.read(NOTE, "note.txt", source=FILES)
    await erase(world.access, await target_of(world, TargetKind.DOCUMENT, "note.txt"), "gone")
    world.objects._objects.clear()
    for data, record_key in ((NOTE, "note.txt"), ("Something else.", "note.txt"), (NOTE, "copy.txt")):
        receipt = await world.submit(world.access, DocumentSubmission(data.encode(), FILES, record_key))
        assert (receipt.status, receipt.items, receipt.rejected) == ("refused", 1, 1)
        assert [r.rejection.code for r in receipt.rejections] == ["suppressed"]
        async with world.unit_of_work(world.access) as tx:
            assert await tx.documents.receipt(receipt.id) is not None
    elsewhere = await world.submit(world.access, DocumentSubmission(NOTE.encode(), SourceSpec("b", "folder"), "x.txt"))
    assert elsewhere.status == "refused"
    assert world.objects._objects == {}
    other = await world.submit(world.access, DocumentSubmission(b"Brik is based in Rome.", FILES, "other.txt"))
    assert other.status == "accepted"
    texts = await world.rows("SELECT encode(fingerprint, 'escape') AS f FROM suppressions")
    assert len(texts) == 2
    assert not any("note" in row["f"] for row in texts)


async def test_a_content_that_another_source_still_holds_may_come_again(world: World, erase: Erase) -> None:
    for source in ("a", "b"):
        await world.read(NOTE, "note.txt", source=SourceSpec(source, "folder"))
    await erase(world.access, await target_of(world, TargetKind.SOURCE, "a"), "gone")
    refused = await world.submit(world.access, DocumentSubmission(NOTE.encode(), SourceSpec("a", "folder"), "note.txt"))
    assert refused.status == "refused"
    same = await world.submit(world.access, DocumentSubmission(NOTE.encode(), SourceSpec("b", "folder"), "note.txt"))
    assert same.status == "unchanged"
    copied = await world.submit(world.access, DocumentSubmission(NOTE.encode(), SourceSpec("c", "folder"), "copy.txt"))
    assert copied.status == "accepted"
    await whole(world)


async def test_the_next_synchronisation_of_a_stream_is_refused(world: World, erase: Erase) -> None:
    await world.say(says("Acme", "owns", "Brik"), source="records")
    await erase(world.access, await source_named(world, "records"), "gone")
    with pytest.raises(ContentSuppressed) as refusal:
        await world.say(says("Acme", "owns", "Brik"), source="records")
    assert refusal.value.code == "suppressed"
    await world.say(says("Acme", "owns", "Brik"), source="others")


async def test_who_was_still_writing_to_what_was_erased_is_refused(world: World, erase: Erase) -> None:
    stream = await world.stream("records")
    await world.say(says("Acme", "owns", "Brik"), source="records")
    receipt = await world.submit(world.access, DocumentSubmission(NOTE.encode(), FILES, "note.txt"))
    assert receipt.document_id is not None
    assert receipt.version_id is not None
    await erase(world.access, await source_named(world, "records"), "gone")
    from application.ingestion.append_claims import StreamItem
    from domain.knowledge.assertion import AssertionState

    with pytest.raises(NotFound):
        await world.append(
            world.access, stream, [StreamItem(says("Acme", "owns", "Brik"), "line", "line")], AssertionState.LIVE
        )
    await erase(world.access, Target(TargetKind.DOCUMENT, receipt.document_id), "gone")
    assert await world.ingest(world.access, receipt.version_id) is None
    async with world.unit_of_work(world.access) as tx:
        closed = await tx.documents.receipt(receipt.id)
    assert closed is not None
    assert (closed.status, closed.finished_at is not None) == ("refused", True)
    assert await world.rows("SELECT 1 FROM assertions") == []
    await whole(world)


async def test_a_hold_refuses_erasure_of_its_target_of_what_contains_it_and_of_what_mentions_it(
    world: World, erase: Erase, holds: LegalHolds
) -> None:
    await world.read(NOTE, "note.txt", source=FILES)
    document = await target_of(world, TargetKind.DOCUMENT, "note.txt")
    source = await target_of(world, TargetKind.SOURCE, "files")
    entities = await world.rows("SELECT entity_id, name FROM entities")
    entity = Target(TargetKind.ENTITY, entities[0]["entity_id"])
    refused = {
        document: (document, source, entity),
        source: (document, source, entity),
        entity: (document, source, entity),
    }
    for held, targets in refused.items():
        hold = await holds.place(world.access, held, "litigation 12/2026")
        for target in targets:
            with pytest.raises(UnderHold, match="litigation 12/2026"):
                await erase(world.access, target, "please", NamingWish(NamingChoice.BLACK_OUT))
        await holds.lift(world.access, hold.id, "settled")
        with pytest.raises(Conflict):
            await holds.lift(world.access, hold.id, "again")
    assert await world.rows("SELECT 1 FROM erasures") == []
    async with world.unit_of_work(world.access) as tx:
        kinds = [each.mutation.kind for each in await tx.chronicle.entries(EntriesRead(limit=1_000))]
        assert (kinds.count("place_hold"), kinds.count("lift_hold")) == (3, 3)
        assert await tx.chronicle.chain_faults(1) == []
    await erase(world.access, source, "now it may")


async def test_who_may_hold(world: World, holds: LegalHolds, pool: asyncpg.Pool, erase: Erase) -> None:
    await world.read(NOTE, "note.txt", source=FILES)
    document = await target_of(world, TargetKind.DOCUMENT, "note.txt")
    with pytest.raises(Forbidden):
        await holds.place(world.acting(PrincipalKind.HUMAN, Role.CURATOR), document, "no")
    stranger = await new_world(pool)
    with pytest.raises(NotFound):
        await holds.place(stranger.access, document, "somebody else's")
    hold = await holds.place(world.access, document, "mine")
    for who, hold_id in ((stranger.access, hold.id), (world.access, HoldId(uuid4()))):
        with pytest.raises(NotFound):
            await holds.lift(who, hold_id, "no")
    await holds.lift(world.access, hold.id, "over")
    await erase(world.access, document, "gone")
    with pytest.raises(Conflict):
        await holds.place(world.access, document, "too late")
