"""Everything about somebody goes: facts, names, documents of their own, and their names in documents of others."""

from __future__ import annotations

from collections.abc import AsyncIterator, Sequence
from dataclasses import dataclass

import asyncpg
import pytest

from adapters.postgres.scope_finder import PostgresScopeFinder
from adapters.system.artifact_cipher import AesGcmArtifactCipher
from application.erasure.erase import Erase
from application.erasure.naming import PlanErasure
from application.erasure.scan import ScanStores
from application.identity.access import AccessResolver
from application.ingestion import queries as ingestion_queries
from application.ingestion.artifact_vault import ArtifactVault
from application.ingestion.sources import SourceSpec
from application.ingestion.submission import DocumentSubmission
from domain.erasure.naming import ChoiceNeeded, NamingChoice, NamingWish
from domain.erasure.targets import Target, TargetKind
from domain.errors import ContentErased, InvalidInput
from domain.identity.ids import DocumentId, EntityId
from domain.identity.principal import PrincipalKind, Role
from domain.knowledge.assertion import Claim, Mention
from domain.ports.documents import Receipt
from domain.ports.erasure import ErasureRow
from tests.integration.erasure.scanning import dump_has, places_of
from tests.integration.erasure.test_erase import eraser, notes, says, sentences, whole
from tests.services.database import Database
from tests.services.world import World

CANARY = "Quaxolotl"
SHARED = (
    f"Acme Corporation was founded by Ada Byron in 1999. {CANARY} works for Acme Corporation. "
    "Brik Ltd is based in Lyon."
)
OWN = f"{CANARY} works for Brik Ltd."
WHY = "asked for by the person"


@dataclass
class Person:
    """Somebody in a document of others, in one of their own, in a stream, and in the name of a foundation."""

    id: EntityId
    shared: Receipt
    own: Receipt

    @property
    def target(self) -> Target:
        return Target(TargetKind.ENTITY, self.id)

    @property
    def documents(self) -> tuple[DocumentId, DocumentId]:
        assert self.shared.document_id is not None
        assert self.own.document_id is not None
        return self.shared.document_id, self.own.document_id


@pytest.fixture
async def person(world: World) -> Person:
    shared = await world.read(
        SHARED, "minutes.txt", title=f"Minutes with {CANARY}", source_uri=f"file:///{CANARY}/m.txt"
    )
    own = await world.read(OWN, f"{CANARY}.txt")
    await world.say(
        says(CANARY, "lives in", "Paris"),
        says(f"{CANARY} Foundation", "owns", "Acme Corporation"),
        notes("Acme Corporation", "has note", f"ask {CANARY} for the plan"),
        notes("Acme Corporation", "has motto", "onwards"),
    )
    rows = await world.rows("SELECT entity_id FROM entities WHERE name = $1", CANARY)
    assert len(rows) == 1
    return Person(rows[0]["entity_id"], shared, own)


@pytest.fixture
async def administrator(database: Database) -> AsyncIterator[asyncpg.Connection]:
    connection = await asyncpg.connect(database.administrator)
    yield connection
    await connection.close()


@pytest.fixture
def erase(world: World) -> Erase:
    return eraser(world)


async def traces(administrator: asyncpg.Connection, *words: str) -> list[str]:
    """Where words still are, but for what the clean-up looks for, which goes with its end."""
    await administrator.execute("UPDATE assay.erasures SET canaries = '{}', sought = NULL, sought_there = NULL")
    return [*await places_of(administrator, *words), *await dump_has(administrator, *words)]


async def texts(world: World) -> Sequence[str]:
    rows = await world.rows("SELECT text FROM chunks UNION ALL SELECT excerpt FROM evidence ORDER BY 1")
    return [row["text"] for row in rows]


async def test_the_plan_tells_whose_documents_it_concerns_and_the_choice_has_to_be_made(
    world: World, person: Person, erase: Erase
) -> None:
    plan = await PlanErasure(AccessResolver(PostgresScopeFinder(world.pool)), world.unit_of_work)(
        world.access, person.id, NamingWish()
    )
    assert [(name.name, name.shared) for name in plan.names] == [(CANARY, False)]
    assert {d.document_id: (d.title, d.alone) for d in plan.documents} == {
        person.documents[0]: (f"Minutes with {CANARY}", False),
        person.documents[1]: (f"{CANARY}.txt", True),
    }
    with pytest.raises(ChoiceNeeded, match="2 documents name it, 1 of them are about it alone"):
        await erase(world.access, person.target, WHY)
    with pytest.raises(InvalidInput, match="the reason stays in the journal"):
        await erase(world.access, person.target, f"asked for by {CANARY}", NamingWish(NamingChoice.ERASE))
    assert await world.rows("SELECT 1 FROM erasures") == []


async def test_own_documents_go_and_names_in_those_of_others_are_blacked_out(
    world: World, person: Person, erase: Erase, administrator: asyncpg.Connection
) -> None:
    erased = await erase(world.access, person.target, WHY, NamingWish(NamingChoice.ERASE_OWN))
    assert (erased.counts["document"], erased.counts["blacked_out_document"], erased.counts["object"]) == (1, 1, 2)
    assert await traces(administrator, CANARY) == []
    black = "█" * len(CANARY)
    (version,) = await world.rows(
        "SELECT text, title, source_uri FROM document_versions WHERE document_id = $1", person.documents[0]
    )
    assert version["text"] == SHARED.replace(CANARY, black)
    assert (version["title"], version["source_uri"]) == (f"Minutes with {black}", f"file:///{black}/m.txt")
    spans = await world.rows(
        """SELECT x.excerpt, substring(v.text FROM x.start_offset + 1 FOR x.end_offset - x.start_offset) AS said
           FROM evidence x JOIN document_versions v USING (organization_id, version_id) WHERE x.kind = 'span'"""
    )
    assert spans
    assert all(span["excerpt"] == span["said"] for span in spans)
    assert "Brik Ltd is headquartered in Lyon" in await sentences(world)
    assert f"{black} Foundation owns Acme Corporation" in await sentences(world)
    assert "Acme Corporation has motto onwards" in await sentences(world)
    assert not [line for line in await sentences(world) if "plan" in line or "Paris" in line]
    await whole(world)


async def test_every_document_stays_without_the_names_when_that_is_wanted(
    world: World, person: Person, erase: Erase, administrator: asyncpg.Connection
) -> None:
    erased = await erase(world.access, person.target, WHY, NamingWish(NamingChoice.BLACK_OUT))
    assert (erased.counts.get("document", 0), erased.counts["blacked_out_document"]) == (0, 2)
    assert await traces(administrator, CANARY) == []
    (version,) = await world.rows("SELECT text FROM document_versions WHERE document_id = $1", person.documents[1])
    assert version["text"] == OWN.replace(CANARY, "█" * len(CANARY))
    await whole(world)


async def test_every_document_goes_when_that_is_wanted(
    world: World, person: Person, erase: Erase, administrator: asyncpg.Connection
) -> None:
    await erase(world.access, person.target, WHY, NamingWish(NamingChoice.ERASE))
    assert await traces(administrator, CANARY) == []
    assert await world.rows("SELECT 1 FROM chunks") == []
    await whole(world)


async def test_bytes_of_a_blacked_out_document_are_gone_and_the_same_content_does_not_come_back(
    world: World, person: Person, erase: Erase
) -> None:
    vault = ArtifactVault(world.objects, world.keys, AesGcmArtifactCipher())
    erasure = await erase(world.access, person.target, WHY, NamingWish(NamingChoice.BLACK_OUT))
    with pytest.raises(ContentErased, match="blacked out"):
        await ingestion_queries.original(world.unit_of_work, vault, world.access, person.documents[0], None)
    uploads = SourceSpec("uploads", "upload")
    again = await world.submit(world.access, DocumentSubmission(SHARED.encode(), uploads, "minutes.txt"))
    assert [r.rejection.code for r in again.rejections] == ["suppressed"]
    # The record goes on; one whose key was a name does not.
    later = await world.submit(world.access, DocumentSubmission(b"Brik Ltd is based in Rome.", uploads, "minutes.txt"))
    assert (later.status, later.document_id) == ("accepted", person.documents[0])
    named = await world.submit(world.access, DocumentSubmission(b"Nothing else.", uploads, f"{CANARY}.txt"))
    assert named.status == "refused"
    await scanned(world, vault, erasure, found=0)


async def test_the_scan_finds_a_name_in_bytes_that_nobody_has_read(world: World, person: Person, erase: Erase) -> None:
    proposed = DocumentSubmission(f"{CANARY} again".encode(), SourceSpec("web", "research"), "web.txt")
    agent = world.acting(PrincipalKind.AGENT, Role.MEMBER)
    assert (await world.submit(agent, proposed)).status == "proposed"
    erasure = await erase(world.access, person.target, WHY, NamingWish(NamingChoice.ERASE))
    vault = ArtifactVault(world.objects, world.keys, AesGcmArtifactCipher())
    await world.objects.put(f"{world.access.organization_id}/{world.access.write_scope}/x/left", b"whose?")
    for key in [row["object_key"] for row in await world.rows("SELECT object_key FROM erasure_objects")]:
        await world.objects.delete(key)
    await scanned(world, vault, erasure, found=2)


async def scanned(world: World, vault: ArtifactVault, erasure: ErasureRow, found: int) -> None:
    for key in [row["object_key"] for row in await world.rows("SELECT object_key FROM erasure_objects")]:
        await world.objects.delete(key)
    resolver = AccessResolver(PostgresScopeFinder(world.pool))
    scans = await ScanStores(resolver, world.unit_of_work, world.objects, vault)(world.access, erasure)
    assert [scan.found for scan in scans if scan.store == "database"] == [{}]
    assert sum(sum(scan.found.values()) for scan in scans) == found


async def test_a_name_that_others_have_goes_only_where_they_are_meant(
    world: World, erase: Erase, administrator: asyncpg.Connection
) -> None:
    ada, ship = Mention("Ada Byron", "person"), Mention("Ada Byron", "ship")
    await world.say(
        Claim(Mention(CANARY), "alias of", ada, 1.0), Claim(ada, "works for", Mention("Acme"), 1.0), source="a"
    )
    await world.say(Claim(ship, "sails to", Mention("Dover"), 1.0), source="b")
    await world.read("Ada Byron works for Acme Corporation.", "meant.txt")
    (row,) = await world.rows("SELECT entity_id FROM entities WHERE name = 'Ada Byron' AND kind = 'person'")
    ships = await world.rows("SELECT entity_id FROM entities WHERE name = 'Ada Byron' AND entity_id <> $1", row[0])
    assert len(ships) == 1
    await erase(world.access, Target(TargetKind.ENTITY, row[0]), WHY, NamingWish(NamingChoice.BLACK_OUT))
    assert await traces(administrator, CANARY) == []
    assert await sentences(world) == ["Ada Byron sails to Dover"]
    assert "█████████ works for Acme Corporation." in await texts(world)
    await whole(world)


async def test_further_spellings_go_too(
    world: World, person: Person, erase: Erase, administrator: asyncpg.Connection
) -> None:
    await world.read("Q. Axolotl was late. Brik Ltd is based in Rome.", "late.txt")
    wish = NamingWish(NamingChoice.ERASE_OWN, also=("Q. Axolotl",))
    await erase(world.access, person.target, WHY, wish)
    assert await traces(administrator, CANARY, "Axolotl") == []
    with pytest.raises(InvalidInput, match="a spelling has at least 3"):
        await erase(world.access, person.target, WHY, NamingWish(also=("..",)))
