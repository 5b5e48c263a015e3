"""What users of such systems suffer from: what was removed is still there, or more goes than should. Every engine."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import asyncpg
import pytest

from adapters.extraction.offline.extractor import OfflineExtractor
from adapters.postgres.scope_finder import PostgresScopeFinder
from adapters.system.clock import SystemClock
from adapters.system.ids import TimeOrderedIds
from application.erasure.erase import Erase
from application.identity.access import AccessResolver
from application.ingestion.sources import SourceSpec
from application.knowledge.change import ChangeWriter
from domain.erasure.targets import Target, TargetKind
from domain.identity.ids import DocumentId, SourceId
from tests.integration.complaints.seeing import Seen
from tests.integration.erasure.scanning import places_of
from tests.services.contradicting import claim
from tests.services.world import EXTRACTOR

pytestmark = [pytest.mark.services, pytest.mark.slow]


async def document(seen: Seen, key: str) -> DocumentId:
    rows = await seen.world.rows("SELECT document_id FROM documents WHERE record_key = $1", key)
    return DocumentId(rows[0]["document_id"])


async def source(seen: Seen, name: str) -> SourceId:
    rows = await seen.world.rows("SELECT source_id FROM sources WHERE name = $1", name)
    return SourceId(rows[0]["source_id"])


async def read(seen: Seen, text: str, key: str, source: str) -> None:
    await seen.world.read(text, key, source=SourceSpec(f"{source} {seen.tag}", "upload"))


async def test_what_is_erased_is_nowhere_and_what_others_say_stays(
    seen: Seen, administrator: asyncpg.Connection
) -> None:
    """graphiti#1489, 1083, mem0#3245, cognee#3526: no orphan, no text, no edge; the graph equals the record."""
    canary, kept = f"Quaxolotl{seen.tag}", seen.name("Harbour")
    await read(seen, f"{canary} owns {kept}. {canary} was founded by Ada Byron.", f"{canary}.txt", "secret")
    await read(seen, f"{kept} was founded by Ben Holt.", f"{kept}.txt", "open")
    assert await places_of(administrator, canary) != []
    assert len(await seen.around(canary)) == 2
    world, ids = seen.world, TimeOrderedIds()
    resolver = AccessResolver(PostgresScopeFinder(world.pool))
    erase = Erase(resolver, world.unit_of_work, ChangeWriter(ids), world.keys, SystemClock(), ids)
    await erase(world.access, Target(TargetKind.DOCUMENT, await document(seen, f"{canary}.txt")), "asked for")
    assert await seen.around(canary) == []
    assert await seen.told(kept) == [("Harbour was founded by Ben Holt", "active")]
    assert await seen.equals_the_record()
    looked_for = [f"erasures.canaries: {canary}"]
    assert await places_of(administrator, canary) == looked_for, "kept for the job of the erasure, which drops it"


async def test_what_another_source_supports_stays(seen: Seen) -> None:
    """cognee#2732: one of two sources is taken back and the fact stays; both, and it goes."""
    acme = seen.name("Corroborated")
    for name in ("one", "other"):
        await seen.world.say(claim(acme, "founded by", "Ada"), source=f"{name} {seen.tag}")
    await seen.world.retract.source(seen.world.access, await source(seen, f"one {seen.tag}"), None)
    assert await seen.told(acme) == [("Corroborated was founded by Ada", "active")]
    await seen.world.retract.source(seen.world.access, await source(seen, f"other {seen.tag}"), None)
    assert await seen.told(acme) == []
    assert await seen.equals_the_record()


async def test_taking_back_reads_nothing_anew(seen: Seen, monkeypatch: pytest.MonkeyPatch) -> None:
    """LightRAG#2795: nothing is extracted again, by a model or by rules, when documents are taken back or erased."""
    works, asked = seen.name("Foundry"), list[int]()
    extract = OfflineExtractor.extract

    async def counted(self: OfflineExtractor, windows: Sequence[object], **tenant: Mapping[str, object]) -> object:
        asked.append(len(windows))
        return await extract(self, windows, **tenant)  # type: ignore[arg-type]

    monkeypatch.setattr(type(EXTRACTOR), "extract", counted)
    for n in range(3):
        await read(seen, f"{works} owns Kiln {n}. {works} was founded by Ada Byron.", f"{works} {n}", "kilns")
    assert asked == [1, 1, 1]
    await seen.world.retract.document(seen.world.access, await document(seen, f"{works} 0"), None)
    assert [told for told, _ in await seen.told(works)] == [
        "Foundry owns Kiln 1", "Foundry owns Kiln 2", "Foundry was founded by Ada Byron",
    ]  # fmt: skip
    await seen.world.retract.source(seen.world.access, await source(seen, f"kilns {seen.tag}"), None)
    assert await seen.told(works) == []
    assert asked == [1, 1, 1]
