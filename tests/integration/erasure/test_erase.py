"""What is erased is nowhere in the database any more; what others said stays, and everything still adds up."""

from __future__ import annotations

from collections.abc import AsyncIterator
from uuid import uuid4

import asyncpg
import pytest

from adapters.postgres.knowledge_reader import PostgresKnowledgeReader
from adapters.postgres.scope_finder import PostgresScopeFinder
from adapters.system.artifact_cipher import AesGcmArtifactCipher
from adapters.system.clock import SystemClock
from adapters.system.ids import TimeOrderedIds
from application.erasure.erase import Erase
from application.identity.access import AccessResolver
from application.ingestion import queries as ingestion_queries
from application.ingestion.artifact_vault import ArtifactVault
from application.ingestion.sources import SourceSpec
from application.knowledge.change import ChangeWriter
from application.knowledge.change_vocabulary import ChangeVocabulary
from application.knowledge.rebuild_standings import RebuildStandings
from application.knowledge.undo import Undo
from application.retrieval.queries import FactReads, Term, entity_profile, explain_fact, get_assertion, get_fact
from application.retrieval.vocabulary import Vocabularies
from domain.erasure.naming import NamingChoice, NamingWish
from domain.erasure.targets import Target, TargetKind
from domain.errors import Conflict, ContentErased, ErasedBefore, Forbidden, InvalidInput, NotFound
from domain.identity.ids import FactId, Revision
from domain.identity.principal import PrincipalKind, Role
from domain.knowledge.assertion import Claim, Mention, Polarity
from domain.knowledge.objects import TextValue
from tests.integration.erasure.scanning import dump_has, places_of
from tests.services.database import Database
from tests.services.world import World, new_world

CANARY = "Quaxolotl"
NOTE = f"{CANARY} Industries was founded by Ada Byron in 1999. {CANARY} Industries is based in Lyon."

MASS = """SELECT max(support_mass) AS mass FROM standings
          WHERE predicate = 'HEADQUARTERED_IN' AND to_rev = 9223372036854775807"""


@pytest.fixture
def erase(world: World) -> Erase:
    return eraser(world)


def eraser(world: World) -> Erase:
    ids = TimeOrderedIds()
    resolver = AccessResolver(PostgresScopeFinder(world.pool))
    return Erase(resolver, world.unit_of_work, ChangeWriter(ids), world.keys, SystemClock(), ids)


@pytest.fixture
async def administrator(database: Database) -> AsyncIterator[asyncpg.Connection]:
    connection = await asyncpg.connect(database.administrator)
    yield connection
    await connection.close()


def says(subject: str, predicate: str, target: str) -> Claim:
    return Claim(Mention(subject), predicate, Mention(target), 1.0)


def notes(subject: str, predicate: str, text: str) -> Claim:
    return Claim(Mention(subject), predicate, TextValue(text), 1.0)


async def source_named(world: World, name: str) -> Target:
    rows = await world.rows("SELECT source_id FROM sources WHERE name = $1", name)
    return Target(TargetKind.SOURCE, rows[0]["source_id"])


async def sentences(world: World) -> list[str]:
    rows = await world.rows(
        """SELECT DISTINCT f.sentence FROM standings s JOIN facts f USING (organization_id, fact_id)
           WHERE s.to_rev = 9223372036854775807 AND s.lifecycle = 'active' ORDER BY 1"""
    )
    return [row["sentence"] for row in rows]


async def whole(world: World) -> None:
    """The chain verifies, and what is stored is what the assertions make."""
    async with world.unit_of_work(world.access) as tx:
        assert await tx.chronicle.chain_faults(1) == []
    rebuild = RebuildStandings(AccessResolver(PostgresScopeFinder(world.pool)), world.unit_of_work, TimeOrderedIds())
    assert (await rebuild(world.access)).discrepancies == ()


async def test_an_erased_document_is_in_no_table(world: World, erase: Erase, administrator: asyncpg.Connection) -> None:
    receipt = await world.read(NOTE, f"{CANARY}.txt", title=f"About {CANARY}", source_uri=f"file:///{CANARY}")
    await world.read("Brik Ltd is based in Lyon.", "other.txt")
    assert len(await places_of(administrator, CANARY)) > 10
    assert receipt.document_id is not None
    done = await erase(world.access, Target(TargetKind.DOCUMENT, receipt.document_id), "asked for by the subject")
    assert (done.state, done.counts["document"], done.counts["version"], done.counts["object"]) == ("open", 1, 1, 1)
    # The words that the clean-up looks for are the only trace, and go with its end.
    assert CANARY.lower() in done.canaries
    await administrator.execute("UPDATE assay.erasures SET canaries = '{}', sought = NULL, sought_there = NULL")
    assert await places_of(administrator, CANARY) == []
    assert await dump_has(administrator, CANARY) == []
    states = await world.rows("SELECT status FROM document_states WHERE to_rev = 9223372036854775807 ORDER BY 1")
    assert [row["status"] for row in states] == ["completed", "erased"]
    assert await sentences(world) == ["Brik Ltd is headquartered in Lyon"]
    await whole(world)


async def test_facts_that_other_sources_support_stay(
    world: World, erase: Erase, administrator: asyncpg.Connection
) -> None:
    for source in ("a", "b", "c"):
        await world.say(says("Acme", "headquartered in", "Lyon"), source=source)
    await world.say(notes("Acme", "has note", f"the {CANARY} plan"), says(CANARY, "owns", "Acme"), source="b")
    before = await world.rows(MASS)
    await erase(world.access, await source_named(world, "b"), "the contract ended")
    await administrator.execute("UPDATE assay.erasures SET canaries = '{}', sought = NULL, sought_there = NULL")
    assert await places_of(administrator, CANARY) == []
    assert await sentences(world) == ["Acme is headquartered in Lyon"]
    assert (await world.rows(MASS))[0]["mass"] < before[0]["mass"]
    evidence = await world.rows("SELECT count(*) AS n FROM evidence")
    assert evidence[0]["n"] == 2
    await whole(world)
    # Everything still works on what is left.
    await world.say(says("Acme", "headquartered in", "Paris"), source="a")
    await whole(world)


async def test_words_of_assays_own_are_not_looked_for(world: World, erase: Erase) -> None:
    line = f"The {CANARY} predicate has a subject, confidence and a watermark. {CANARY} is completed."
    await world.read("Brik Ltd is based in Lyon.", "other.txt", source=SourceSpec("a", "folder"))
    await world.read(line, "note.txt", source=SourceSpec("b", "folder"))
    erased = await erase(world.access, await source_named(world, "b"), "gone")
    assert CANARY.lower() in erased.canaries
    assert not {"predicate", "subject", "confidence", "watermark", "completed"} & set(erased.canaries)


async def test_everything_about_a_person_goes_and_others_stay(
    world: World, erase: Erase, administrator: asyncpg.Connection
) -> None:
    await world.say(
        says(CANARY, "works for", "Acme"),
        says(f"{CANARY} Smith", "alias of", CANARY),
        says("Acme", "owns", "Brik"),
        notes(CANARY, "has note", "a secret"),
        says("Bob", "knows", CANARY),
    )
    rows = await world.rows("SELECT entity_id FROM entities WHERE name = $1", CANARY)
    await erase(world.access, Target(TargetKind.ENTITY, rows[0]["entity_id"]), "asked for by the person")
    await administrator.execute("UPDATE assay.erasures SET canaries = '{}', sought = NULL, sought_there = NULL")
    assert await places_of(administrator, CANARY, "secret") == []
    assert await sentences(world) == ["Acme owns Brik"]
    await whole(world)
    again = await world.say(says(CANARY, "lives in", "Paris"), source="later")
    fresh = await world.rows("SELECT entity_id FROM entities WHERE name = $1", CANARY)
    assert fresh[0]["entity_id"] != rows[0]["entity_id"]
    assert len(again.placed) == 1


async def test_a_denial_of_an_erased_statement_goes_with_it(world: World, erase: Erase) -> None:
    await world.say(says("Acme", "owns", "Brik"), source="a")
    denial = Claim(Mention("Acme"), "owns", Mention("Brik"), 1.0, polarity=Polarity.REFUTE)
    await world.say(denial, source="b")
    await erase(world.access, await source_named(world, "a"), "gone")
    assert await world.rows("SELECT 1 FROM facts") == []
    assert await world.rows("SELECT 1 FROM assertions") == []
    await whole(world)


async def test_an_entity_whose_name_was_erased_goes_on_under_one_that_is_left(
    world: World, erase: Erase, administrator: asyncpg.Connection
) -> None:
    await world.say(says(CANARY, "headquartered in", "Lyon"), source="a")
    await world.say(says("Acme", "alias of", CANARY), source="a")
    await world.say(says("Acme", "headquartered in", "Lyon"), source="b")
    await erase(world.access, await source_named(world, "a"), "gone")
    await administrator.execute("UPDATE assay.erasures SET canaries = '{}', sought = NULL, sought_there = NULL")
    assert await places_of(administrator, CANARY) == []
    assert await sentences(world) == ["Acme is headquartered in Lyon"]
    await whole(world)


async def test_who_may_erase_and_what(world: World, erase: Erase, pool: asyncpg.Pool) -> None:
    receipt = await world.read(NOTE, "note.txt")
    assert receipt.document_id is not None
    target = Target(TargetKind.DOCUMENT, receipt.document_id)
    with pytest.raises(Forbidden):
        await erase(world.acting(PrincipalKind.HUMAN, Role.CURATOR), target, "no")
    with pytest.raises(InvalidInput):
        await erase(world.access, target, "  ")
    for kind in TargetKind:
        with pytest.raises(NotFound):
            await erase(world.access, Target(kind, uuid4()), "unknown")
    stranger = await new_world(pool)
    for kind in TargetKind:
        table = {"document": "documents", "source": "sources", "entity": "entities"}[kind.value]
        rows = await world.rows(f"SELECT {kind.value}_id FROM {table} LIMIT 1")
        with pytest.raises(NotFound):
            await eraser(stranger)(stranger.access, Target(kind, rows[0][0]), "somebody else's")
    assert await world.rows("SELECT 1 FROM erasures") == []
    await erase(world.access, target, "once")
    with pytest.raises(ErasedBefore):
        await erase(world.access, target, "twice")


@pytest.mark.parametrize("kind", TargetKind)
async def test_what_was_erased_is_erased_again_only_if_something_new_of_it_came(
    world: World, erase: Erase, kind: TargetKind
) -> None:
    receipt = await world.read(NOTE, "note.txt", source=SourceSpec("files", "folder"))
    (source,) = await world.rows("SELECT source_id FROM sources WHERE name = 'files'")
    (entity,) = await world.rows("SELECT entity_id FROM entities WHERE name = 'Ada Byron'")
    assert receipt.document_id is not None
    ids = {TargetKind.DOCUMENT: receipt.document_id, TargetKind.SOURCE: source[0], TargetKind.ENTITY: entity[0]}
    target, wish = Target(kind, ids[kind]), NamingWish(NamingChoice.ERASE) if kind is TargetKind.ENTITY else None
    first = await erase(world.access, target, "once", wish)
    for _ in range(2):
        with pytest.raises(ErasedBefore, match=str(first.id)) as told:
            await erase(world.access, target, "again", wish)
        assert (told.value.code, len(await world.rows("SELECT 1 FROM erasures"))) == ("erased", 1)
    if kind is TargetKind.SOURCE:
        await world.read("Brik is based in Rome.", "other.txt", source=SourceSpec("files", "folder"))
        assert (await erase(world.access, target, "what came since")).counts["document"] == 1
        with pytest.raises(ErasedBefore, match=str(first.id)):
            await erase(world.access, target, "again")
    await whole(world)


async def test_reads_of_what_was_erased_say_so(world: World, erase: Erase) -> None:
    receipt = await world.read(NOTE, "note.txt")
    assert receipt.document_id is not None
    assert receipt.version_id is not None
    ids = {
        name: (await world.rows(f"SELECT {name}_id FROM {table} LIMIT 1"))[0][0]
        for name, table in (("assertion", "assertions"), ("fact", "facts"), ("entity", "entities"))
    }
    erasure = await erase(world.access, Target(TargetKind.DOCUMENT, receipt.document_id), "gone")
    reader = PostgresKnowledgeReader(world.pool)
    reads = FactReads(reader, Vocabularies(reader, SystemClock()), world.keys)
    vault = ArtifactVault(world.objects, world.keys, AesGcmArtifactCipher())
    asked = (
        lambda: get_fact(reads, world.access, ids["fact"]),
        lambda: explain_fact(reads, world.access, ids["fact"]),
        lambda: get_assertion(world.unit_of_work, reads, world.access, ids["assertion"]),
        lambda: entity_profile(reads, world.access, Term(id=ids["entity"])),
        lambda: ingestion_queries.original(
            world.unit_of_work,
            vault,
            world.access,
            receipt.document_id,
            None,
        ),
        lambda: ingestion_queries.document_text(
            world.unit_of_work,
            world.access,
            receipt.version_id,
        ),
    )
    for ask in asked:
        with pytest.raises(ContentErased) as told:
            await ask()
        assert told.value.code == "erased"
    with pytest.raises(ContentErased, match=str(erasure.id)):
        await get_fact(reads, world.access, ids["fact"])
    with pytest.raises(NotFound, match="there is no fact"):
        await get_fact(reads, world.access, FactId(uuid4()))
    (version,) = await ingestion_queries.document_versions(world.unit_of_work, world.access, receipt.document_id)
    assert (version.status, version.title, version.source_uri) == ("erased", None, None)


async def test_an_erasure_is_not_undone_and_neither_is_what_it_took(world: World, erase: Erase) -> None:
    await world.say(says("Acme", "owns", "Brik"))
    said = await head(world)
    erasure = await erase(world.access, await source_named(world, "records"), "gone")
    resolver = AccessResolver(PostgresScopeFinder(world.pool))
    writer = ChangeWriter(TimeOrderedIds())
    vocabulary = ChangeVocabulary(resolver, world.unit_of_work, world.keys, TimeOrderedIds())
    undo = Undo(world.unit_of_work, writer, world.keys, vocabulary, world.regrade)
    assert erasure.revision is not None
    with pytest.raises(InvalidInput, match="erase_source, which cannot be undone"):
        await undo(world.access, erasure.revision)
    with pytest.raises(Conflict, match="was erased since"):
        await undo(world.access, said)


async def head(world: World) -> Revision:
    return Revision((await world.rows("SELECT revision FROM heads"))[0]["revision"])
