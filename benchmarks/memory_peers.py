"""Search and adds beside mem0 on the same PostgreSQL, and search beside Graphiti; one user who holds everything."""

from __future__ import annotations

import asyncio
import json
import sys
import time
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from statistics import median
from typing import Any

import asyncpg
from graphiti_core import Graphiti

from adapters.inmemory.key_store import InMemoryKeyStore
from adapters.postgres.knowledge_reader import PostgresKnowledgeReader
from adapters.postgres.pool import open_pool
from adapters.postgres.search_index import PostgresSearchIndex
from adapters.postgres.vector_store import PostgresVectorStore
from adapters.system.clock import SystemClock
from application.retrieval.search import Search, SearchModels
from application.retrieval.types import SearchRequest
from application.retrieval.vocabulary import Vocabularies
from benchmarks.graphiti_peer import filled_graphiti, search_times
from benchmarks.hybrid_search import ReadyVectors
from benchmarks.report import Line
from benchmarks.search_record import MODEL, add_vectors, questions_of
from benchmarks.servers import Server, administrator, falkordb, migrated_database, postgres
from benchmarks.timing import Side, Stopwatch
from benchmarks.vector_import import DIMENSION, clustered
from benchmarks.writing import TripleWriter, triple_writer, triples
from domain.identity.access import Access
from domain.identity.ids import Revision
from domain.ports.vector_store import VectorKind
from tests.services.database import Database
from tests.services.filled_record import fill, finish, prepare, tenant_access

ROUNDS, QUESTIONS, GRAPHITI_QUESTIONS, BATCH, EMBEDDED, SINGLES = 3, 100, 5, 1_000, 500, 50


async def measure(facts: int, edges: int, mem0_python: Path | None) -> list[Line]:
    """Without mem0's interpreter only Graphiti is the peer, and a line says so."""
    with postgres() as server:
        database = await migrated_database(server)
        async with administrator(database) as connection:
            await prepare(connection)
            await fill(connection, {1: facts})
            await finish(connection)
            await add_vectors(connection)
        with falkordb() as address:
            graphiti = await filled_graphiti(address.port, address.password, edges)
            lines = await _beside_graphiti(database, facts, edges, graphiti)
            await graphiti.driver.close()  # type: ignore[no-untyped-call]
        if mem0_python is None:
            print("mem0: not measured; name the interpreter that has it by --mem0-python", file=sys.stderr)
            return lines
        return lines + await _beside_mem0(server, database, facts, mem0_python)


@dataclass(frozen=True, slots=True)
class Searcher:
    """Assay's search over the filled record."""

    search: Search
    access: Access
    questions: tuple[str, ...]

    async def times(self, count: int = QUESTIONS) -> list[float]:
        """Milliseconds of each question."""
        spent = []
        for text in self.questions[:count]:
            started = time.perf_counter()
            await self.search(self.access, SearchRequest(text))
            spent.append((time.perf_counter() - started) * 1000)
        return spent


@asynccontextmanager
async def _searcher(database: Database) -> AsyncIterator[Searcher]:
    pool, vectors, clock = await open_pool(database.application), ReadyVectors(), SystemClock()
    try:
        async with administrator(database) as connection:
            asked = await questions_of(connection, 1, QUESTIONS)
        vectors.known = {question.text: question.vector for question in asked}
        vocabularies = Vocabularies(PostgresKnowledgeReader(pool), clock)
        search = Search(PostgresSearchIndex(pool), vocabularies, clock, SearchModels(vectors))
        searcher = Searcher(search, tenant_access(1), tuple(question.text for question in asked))
        await searcher.times()
        yield searcher
    finally:
        await pool.close()


async def _beside_graphiti(database: Database, facts: int, edges: int, graphiti: Graphiti) -> list[Line]:
    mine, theirs = [], []
    async with _searcher(database) as searcher:
        for number in range(ROUNDS):
            mine.append(median(await searcher.times()))
            theirs.append(median(await search_times(graphiti, edges, GRAPHITI_QUESTIONS, number)))
    # The goal holds at 100,000 edges; with fewer the ratio is only reported.
    return [
        Line(
            "search, p50", median(mine), "ms", f"Graphiti search at {edges:,} edges", median(theirs),
            1 / 100 if edges >= 100_000 else None, lower_is_better=True, n=ROUNDS * QUESTIONS,
            conditions=f"Assay with {facts:,} facts of one tenant and ready vectors, ten hits with citations; "
            f"graphiti-core on FalkorDB with {edges:,} edges, vectors at once, {GRAPHITI_QUESTIONS} questions a round",
        )
    ]  # fmt: skip


class Mem0:
    """The peer's process."""

    def __init__(self, process: asyncio.subprocess.Process) -> None:
        self._process = process

    async def __call__(self, do: str, count: int) -> Any:
        """Raises EOFError when it ended; it has said why on standard error."""
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        self._process.stdin.write(json.dumps({"do": do, "count": count}).encode() + b"\n")
        line = await self._process.stdout.readline()
        if not line:
            raise EOFError("mem0's process ended")
        return json.loads(line)


@asynccontextmanager
async def _mem0(server: Server, python: Path) -> AsyncIterator[Mem0]:
    connection = await asyncpg.connect(server.address.dsn)
    await connection.execute("CREATE DATABASE mem0")
    await connection.close()
    process = await asyncio.create_subprocess_exec(
        str(python), str(Path(__file__).with_name("mem0_peer.py")), Database(server.address, "mem0").administrator,
        stdin=asyncio.subprocess.PIPE, stdout=asyncio.subprocess.PIPE,
    )  # fmt: skip
    try:
        yield Mem0(process)
    finally:
        if process.returncode is None:
            process.terminate()
        await process.wait()


async def _beside_mem0(server: Server, database: Database, facts: int, python: Path) -> list[Line]:
    found: tuple[list[float], list[float]] = ([], [])
    bulk, alone, embedded, their_bulk, their_alone = Side(), Side(), Side(), Side(), Side()
    watch = Stopwatch()
    async with (
        _mem0(server, python) as peer,
        _searcher(database) as searcher,
        triple_writer(database, InMemoryKeyStore()) as writer,
    ):
        await peer("fill", facts)
        await peer("search", QUESTIONS)
        adding = await _Adding.of(database, writer)
        for number in range(ROUNDS):
            found[0].append(median(await searcher.times()))
            found[1].append(median(await peer("search", QUESTIONS)))
            await watch.of(bulk, BATCH, partial(adding.write, BATCH, BATCH, number))
            await watch.of(embedded, EMBEDDED, partial(adding.write_with_vectors, EMBEDDED, 10 + number))
            their_bulk.rates.append(EMBEDDED / await peer("bulk", EMBEDDED))
            await watch.of(alone, SINGLES, partial(adding.write, SINGLES, 1, 20 + number))
            their_alone.rates.append(SINGLES / await peer("add", SINGLES))
        await adding.pool.close()
    conditions = (
        f"mem0ai on the same PostgreSQL with {facts:,} memories of one user, infer=False, no spaCy, ready vectors of "
        f"{DIMENSION} dimensions; its bulk is its store's insert, {EMBEDDED} at once. Assay with as many facts of one "
        "tenant: what is written can be found by words and names at once and by vector after its job; 'with vectors' "
        f"puts them into the live search graph before the time ends. Medians of {ROUNDS} rounds in turn"
    )
    return [
        Line("search, p50", median(found[0]), "ms", "mem0 search", median(found[1]), 1 / 2.5, lower_is_better=True,
             n=ROUNDS * QUESTIONS, conditions=conditions),
        Line("typed triples, 1,000 a batch", bulk.rate, "/s", "mem0 insert in bulk", their_bulk.rate, 4,
             n=ROUNDS * BATCH, conditions=conditions),
        Line("the same with vectors", embedded.rate, "/s", "mem0 insert in bulk", their_bulk.rate,
             n=ROUNDS * EMBEDDED, conditions=conditions),
        Line("typed triples, one at a time", alone.rate, "/s", "mem0 add", their_alone.rate, n=ROUNDS * SINGLES,
             conditions=conditions),
    ]  # fmt: skip


@dataclass(frozen=True, slots=True)
class _Adding:
    """Triples written and their facts' vectors put into the live index."""

    writer: TripleWriter
    store: PostgresVectorStore
    access: Access
    pool: asyncpg.Pool

    @classmethod
    async def of(cls, database: Database, writer: TripleWriter) -> _Adding:
        pool = await open_pool(database.application)
        access = tenant_access(1)
        return cls(writer, PostgresVectorStore(pool), replace(access, write_scopes=access.read_scopes), pool)

    async def write(self, count: int, batch: int, seed: int) -> None:
        claims = triples(count, 20_000, seed)
        for start in range(0, count, batch):
            await self.writer.write(claims[start : start + batch])

    async def write_with_vectors(self, count: int, seed: int) -> None:
        """One batch, and the vectors of its facts."""
        index = (await self.store.ensure(self.access, MODEL, DIMENSION)).active
        appended = await self.writer.write(triples(count, 20_000, seed))
        assert index is not None
        assert appended.revision is not None
        new = await self.store.pending(self.access, index, VectorKind.FACT, Revision(appended.revision - 1), count)
        await self.store.store(self.access, index, VectorKind.FACT, [text.id for text in new], clustered(len(new)))
