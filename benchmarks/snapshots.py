"""Opening and verifying a snapshot, and a pack in one request, beside COPY of the same rows and the search alone."""

from __future__ import annotations

import re
import statistics
from pathlib import Path
from uuid import UUID

import asyncpg

from adapters.inmemory.key_store import InMemoryKeyStore
from adapters.postgres.knowledge_reader import PostgresKnowledgeReader
from adapters.postgres.operations import PostgresOperations
from adapters.postgres.pool import open_pool
from adapters.postgres.search_index import PostgresSearchIndex
from adapters.postgres.unit_of_work import PostgresUnitOfWork
from adapters.system.clock import SystemClock
from adapters.system.ids import TimeOrderedIds
from adapters.token_counting.models import ModelTokenCounters
from application.retrieval.packs import PackReads, PackRequest, Packs
from application.retrieval.search import Search
from application.retrieval.snapshots import Snapshots, SnapshotWish
from application.retrieval.types import MAX_TOP, SearchRequest, SearchSettings
from application.retrieval.vocabulary import Vocabularies
from benchmarks.report import Line
from benchmarks.servers import administrator, migrated_database, postgres
from benchmarks.timing import elapsed
from domain.identity.access import Access
from domain.retrieval.reading import ReadPoint
from tests.services.filled_record import fill, finish, prepare, tenant_access

ROUNDS, OPENINGS, QUESTIONS, BUDGET = 5, 40, 20, 4_000
SMALL, WORDS = 2, 4
_PARTS = re.split(r"^-- name: (\w+)\s*$", Path(__file__).with_suffix(".sql").read_text("utf-8"), flags=re.MULTILINE)
SQL = {name: body.strip() for name, body in zip(_PARTS[1::2], _PARTS[2::2], strict=True)}


class _Measured:
    """Snapshots and packs over one database; ``times`` are milliseconds by name."""

    def __init__(self, pool: asyncpg.Pool, bare: asyncpg.Connection) -> None:
        clock, ids, keys = SystemClock(), TimeOrderedIds(), InMemoryKeyStore()
        work, reader, index = PostgresUnitOfWork(pool), PostgresKnowledgeReader(pool), PostgresSearchIndex(pool)
        self.bare = bare
        self.snapshots = Snapshots(work, PostgresOperations(pool, "postgres"), keys, SearchSettings(), clock, ids)
        self.search = Search(index, Vocabularies(reader, clock), clock)
        reads = PackReads(self.search, reader, self.snapshots, ModelTokenCounters())
        self.packs = Packs(reads, work, keys, clock, ids)
        self.times: dict[str, list[float]] = {}

    def of(self, name: str) -> list[float]:
        return self.times.setdefault(name, [])

    async def copy(self, access: Access, into: list[float]) -> None:
        """COPY of the tenant's standings, in binary, to a client that drops them."""

        async def drop(_: bytes) -> None:
            return

        with elapsed(into):
            await self.bare.copy_from_query(SQL["copied"], access.organization_id, output=drop, format="binary")

    async def rounds(self, snapshot: UUID, small: UUID, questions: list[str]) -> None:
        whole, little = tenant_access(1), tenant_access(SMALL)
        for number in range(ROUNDS + 1):
            if number == 1:  # the first round warms caches and plans
                self.times.clear()
            with elapsed(self.of("verified")):
                await self.snapshots.verify(whole, snapshot)
            await self.copy(whole, self.of("copied"))
            for _ in range(OPENINGS):
                with elapsed(self.of("opened")):
                    await self.snapshots.pinned(whole, snapshot, ReadPoint())
                with elapsed(self.of("opened small")):
                    await self.snapshots.pinned(little, small, ReadPoint())
            for question in questions:
                with elapsed(self.of("searched")):
                    await self.search(whole, SearchRequest(question, limit=MAX_TOP))
                with elapsed(self.of("packed")):
                    await self.packs.make(whole, PackRequest(question, BUDGET))

    def median(self, name: str) -> float:
        return statistics.median(self.times[name])


async def measure(facts: int) -> list[Line]:
    """One large tenant and one of a hundredth; words only, so that packs are compared with the search alone."""
    little = max(1, facts // 100)
    with postgres() as server:
        database = await migrated_database(server)
        async with administrator(database) as connection:
            await prepare(connection)
            await fill(connection, {1: facts, SMALL: little})
            await finish(connection)
            await connection.execute("SELECT refresh_search_terms(organization_id) FROM organizations")
            await connection.execute("VACUUM ANALYZE")
            questions = await _questions(connection)
        pool = await open_pool(database.application)
        try:
            async with administrator(database) as bare:
                measured = _Measured(pool, bare)
                made = await measured.snapshots.make(tenant_access(1), SnapshotWish())
                small = await measured.snapshots.make(tenant_access(SMALL), SnapshotWish())
                assert made.standings >= facts, made.standings
                await measured.rounds(made.id, small.id, questions)
        finally:
            await pool.close()
    return _lines(measured, facts, little)


async def _questions(connection: asyncpg.Connection) -> list[str]:
    rows = await connection.fetch(SQL["asked"], tenant_access(1).organization_id, QUESTIONS)
    return [" ".join(row["sentence"].split()[-WORDS:]) for row in rows]


def _lines(measured: _Measured, facts: int, little: int) -> list[Line]:
    one = f"{facts:,} facts of one tenant and {little:,} of another, one client, words only; medians of {ROUNDS} rounds"
    return [
        Line("verifying a snapshot's digest", measured.median("verified"), "ms", "COPY of the same rows",
             measured.median("copied"), 3.0, lower_is_better=True, n=ROUNDS, conditions=one),
        Line("opening a snapshot", measured.median("opened"), "ms", f"one of {little:,} facts",
             measured.median("opened small"), 1.5, lower_is_better=True, n=ROUNDS * OPENINGS, conditions=one),
        Line(f"a pack of {BUDGET:,} tokens in one request", measured.median("packed"), "ms", "the search alone",
             measured.median("searched"), lower_is_better=True, n=ROUNDS * QUESTIONS, conditions=one),
    ]  # fmt: skip
