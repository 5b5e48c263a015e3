"""Search and writing on a record that has grown, beside the same on a smaller one."""

from __future__ import annotations

import statistics
from collections.abc import Sequence
from dataclasses import dataclass, field

import asyncpg

from adapters.inmemory.key_store import InMemoryKeyStore
from adapters.postgres.knowledge_reader import PostgresKnowledgeReader
from adapters.postgres.pool import open_pool
from adapters.postgres.search_index import PostgresSearchIndex
from adapters.system.clock import SystemClock
from application.retrieval.search import Search
from application.retrieval.types import SearchRequest
from application.retrieval.vocabulary import Vocabularies
from benchmarks.report import Line
from benchmarks.servers import Server, administrator, migrated_database, postgres
from benchmarks.timing import Side, Stopwatch, elapsed, percentile
from benchmarks.writing import TripleWriter, triple_writer, triples
from tests.services.database import Database
from tests.services.filled_record import fill, finish, prepare, tenant_access

ROUNDS, QUESTIONS, BATCH, BATCHES = 3, 100, 1_000, 3
ENTITIES = 2_000


@dataclass(slots=True)
class Record:
    """One record and what was measured on it."""

    facts: int
    database: Database
    questions: list[str]
    written: Side = field(default_factory=Side)
    searched: list[float] = field(default_factory=list)

    async def write(self, watch: Stopwatch, writer: TripleWriter, number: int) -> None:
        """Some batches of new triples, the same ones on either record."""
        claims = triples(BATCHES * BATCH, ENTITIES, 2 + number)

        async def batches() -> None:
            for start in range(0, len(claims), BATCH):
                await writer.write(claims[start : start + BATCH])

        await watch.of(self.written, len(claims), batches)

    async def search(self, pool: asyncpg.Pool) -> None:
        """The 95th percentile of one round, in ms."""
        clock, taken = SystemClock(), list[float]()
        ask = Search(PostgresSearchIndex(pool), Vocabularies(PostgresKnowledgeReader(pool), clock), clock)
        for question in self.questions:
            with elapsed(taken):
                await ask(tenant_access(1), SearchRequest(question))
        self.searched.append(percentile(taken, 0.95))


async def measure(small: int, large: int) -> list[Line]:
    """Both records on one server, three rounds in turn."""
    with postgres() as server:
        watch = Stopwatch(server.process)
        records = [await _record(server, facts) for facts in (small, large)]
        for record in records:
            pool = await open_pool(record.database.application)
            async with triple_writer(record.database, InMemoryKeyStore()) as writer:
                await record.write(watch, writer, -1)
            await record.search(pool)
            await pool.close()
            record.written, record.searched = Side(), []
        for number in range(ROUNDS):
            for record in records:
                pool = await open_pool(record.database.application)
                async with triple_writer(record.database, InMemoryKeyStore()) as writer:
                    await record.write(watch, writer, number)
                await record.search(pool)
                await pool.close()
    return _lines(records)


async def _record(server: Server, facts: int) -> Record:
    database = await migrated_database(server)
    async with administrator(database) as connection:
        await prepare(connection)
        await fill(connection, {1: facts})
        await finish(connection)
        await connection.execute("SELECT refresh_search_terms(organization_id) FROM organizations")
        await connection.execute("VACUUM ANALYZE")
        rows = await connection.fetch("SELECT sentence FROM facts ORDER BY md5(fact_id::text) LIMIT $1", QUESTIONS)
    return Record(facts, database, [" ".join(row["sentence"].split()[-4:]) for row in rows])


def _lines(records: Sequence[Record]) -> list[Line]:
    small, large = records
    conditions = (
        f"one tenant with {large.facts:,} generated facts beside one with {small.facts:,} on the same server; search "
        f"by words and names without vectors, one client, {QUESTIONS} questions a round; the same "
        f"{BATCHES * BATCH:,} triples a round written to both; autovacuum off; medians of {ROUNDS} rounds in turn"
    )
    peer = f"at {small.facts:,}"
    return [
        Line(
            f"search p95 at {large.facts:,} facts", statistics.median(large.searched), "ms", peer,
            statistics.median(small.searched), 2, True, ROUNDS * QUESTIONS, conditions,
        ),
        Line(
            f"typed triples at {large.facts:,} facts", large.written.rate, "/s", peer, small.written.rate, 0.5,
            n=ROUNDS * BATCHES * BATCH, conditions=conditions, cpu_ratio=large.written.cpu_ratio(small.written),
        ),
    ]  # fmt: skip
