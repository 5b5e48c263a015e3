"""Text through the worker's path with the offline extractor: words a second, and what takes the time."""

from __future__ import annotations

import asyncio
import json
import random
import time
from collections import defaultdict
from collections.abc import Sequence
from functools import partial
from typing import Any, cast

from adapters.extraction.offline.extractor import OfflineExtractor
from adapters.inmemory.key_store import InMemoryKeyStore
from adapters.inmemory.object_store import InMemoryObjectStore
from adapters.parsing.registry import ContentParsers
from adapters.postgres.pool import open_pool
from adapters.postgres.unit_of_work import PostgresUnitOfWork
from adapters.screening.sensitive_finder import PatternSensitiveFinder
from adapters.system.artifact_cipher import AesGcmArtifactCipher
from adapters.system.clock import SystemClock
from adapters.system.ids import TimeOrderedIds
from application.ingestion.artifact_vault import ArtifactVault
from application.ingestion.ingest_version import IngestVersion
from application.ingestion.intake import Intake
from application.ingestion.read_version import ReadVersion
from application.ingestion.recipes import Recipes
from application.ingestion.sources import SourceSpec
from application.ingestion.submission import DocumentSubmission
from application.ingestion.submit_document import SubmitDocument
from application.ingestion.write_version import WriteVersion
from application.knowledge.change import ChangeWriter
from benchmarks.forty_sentences import GOLD, TWENTY
from benchmarks.report import Line
from benchmarks.servers import migrated_database, postgres
from benchmarks.timing import Side, Stopwatch
from domain.identity.access import Access
from domain.identity.ids import VersionId
from domain.ingestion.claims import Extraction, ExtractionWindow
from domain.ports.unit_of_work import UnitOfWork
from tests.services.world import new_world

WORKERS, AT_ONCE, ROUNDS, SENTENCES = 2, 4, 3, 40


class TimedExtractor(OfflineExtractor):
    """Notes the windows it is given and the seconds until they are read."""

    def __init__(self, workers: int) -> None:
        super().__init__(workers=workers)
        self.windows: list[ExtractionWindow] = []
        self.seconds = 0.0

    async def extract(self, windows: Sequence[ExtractionWindow], **scope: Any) -> list[Extraction]:
        started = time.perf_counter()
        found = await super().extract(windows, **scope)
        self.seconds += time.perf_counter() - started
        self.windows += windows
        return found


class TimedParsers(ContentParsers):
    """Notes the seconds of parsing."""

    seconds = 0.0

    def parse(self, data: bytes, content_type: str, filename: str | None) -> Any:
        started = time.perf_counter()
        parsed = super().parse(data, content_type, filename)
        self.seconds += time.perf_counter() - started
        return parsed


async def measure(documents: int) -> list[Line]:
    """Reads the documents a third a round, four jobs at once, and the same windows by the extractor alone."""
    whole, alone, shares = Side(), Side(), defaultdict[str, list[float]](list)
    extractor, parser = TimedExtractor(WORKERS), TimedParsers(10_000_000)
    with postgres() as server:
        pool = await open_pool((await migrated_database(server)).application)
        access = (await new_world(pool)).access
        unit_of_work = cast(UnitOfWork, PostgresUnitOfWork(pool))
        ids, keys = TimeOrderedIds(), InMemoryKeyStore()
        vault, recipes = ArtifactVault(InMemoryObjectStore(), keys, AesGcmArtifactCipher()), Recipes(extractor)
        intake = Intake(parser, PatternSensitiveFinder())
        submit = SubmitDocument(unit_of_work, vault, intake, recipes, SystemClock(), ids)
        ingest = IngestVersion(
            unit_of_work,
            ReadVersion(unit_of_work, vault, intake, recipes, ids),
            None,
            recipes.extractor,
            WriteVersion(unit_of_work, ChangeWriter(ids), keys, ids),
            ids,
        )
        watch, texts = Stopwatch(), made_texts(documents)
        words = 0
        await _read(ingest, access, await _submitted(submit, access, texts[:2], "warm"))
        for number in range(ROUNDS):
            part = texts[number::ROUNDS]
            words += (count := sum(len(text.split()) for text in part))
            versions = await _submitted(submit, access, part, f"round {number}")
            extractor.windows, extractor.seconds, parser.seconds = [], 0.0, 0.0
            started = time.perf_counter()
            await watch.of(whole, count, partial(_read, ingest, access, versions))
            wall = (time.perf_counter() - started) * AT_ONCE
            shares["parsing"].append(parser.seconds / wall)
            shares["extraction"].append(extractor.seconds / wall)
            scope: dict[str, Any] = {"organization_id": access.organization_id, "group_id": access.write_scope}
            await watch.of(alone, count, partial(super(TimedExtractor, extractor).extract, extractor.windows, **scope))
        await extractor.aclose()
        await pool.close()
    middle = {stage: sorted(values)[ROUNDS // 2] for stage, values in shares.items()}
    conditions = (
        f"{documents} English texts of {SENTENCES} sentences, {AT_ONCE} jobs at once, {WORKERS} extraction processes; "
        "the peer is the extractor on the same windows, all at once, which writes nothing; of the jobs' time "
        f"{middle['parsing']:.0%} went into parsing, {middle['extraction']:.0%} into waiting for the extractor, the "
        f"rest into resolving and writing; medians of {ROUNDS} rounds in turn"
    )
    return [
        Line(
            "reading text offline", whole.rate, "words/s", "extractor alone", alone.rate, n=words, conditions=conditions
        )
    ]


async def _submitted(submit: SubmitDocument, access: Access, texts: Sequence[str], name: str) -> list[VersionId]:
    receipts = [
        await submit(access, DocumentSubmission(text.encode(), SourceSpec("uploads", "upload"), f"{name} {n}.txt"))
        for n, text in enumerate(texts)
    ]
    return [receipt.version_id for receipt in receipts if receipt.version_id is not None]


async def _read(ingest: IngestVersion, access: Access, versions: Sequence[VersionId]) -> None:
    gate = asyncio.Semaphore(AT_ONCE)

    async def one(version: VersionId) -> None:
        async with gate:
            receipt = await ingest(access, version)
        assert receipt is not None
        assert receipt.status == "completed", receipt

    await asyncio.gather(*(one(version) for version in versions))


def made_texts(count: int) -> list[str]:
    """Texts of the hand-written sentences in another order each, so that windows differ."""
    sentences = [item["text"] for path in (GOLD, TWENTY) for item in json.loads(path.read_text("utf-8"))["sentences"]]
    chance = random.Random(9)
    return [f"Report {number}.\n\n" + " ".join(chance.choices(sentences, k=SENTENCES)) for number in range(count)]
