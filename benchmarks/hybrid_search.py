"""Hybrid search with ready query vectors over tenants of very different sizes, beside the same SQL without policies."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime
from functools import partial
from statistics import mean, median

import asyncpg
import numpy as np

from adapters.postgres.knowledge_reader import PostgresKnowledgeReader
from adapters.postgres.pool import open_pool
from adapters.postgres.search_index import PostgresSearchIndex
from adapters.system.clock import SystemClock
from application.retrieval.search import Search, SearchModels
from application.retrieval.types import SearchRequest
from application.retrieval.vocabulary import Vocabularies
from benchmarks.report import Line
from benchmarks.search_record import (
    MODEL,
    Question,
    fill_searchable,
    in_words_only,
    nearest,
    plain_search,
    questions_of,
)
from benchmarks.servers import administrator, migrated_database, postgres
from benchmarks.timing import Side, Stopwatch, percentile
from benchmarks.vector_import import DIMENSION
from domain.ports.embedder import Vectors
from domain.ports.search_index import CandidateQuery
from domain.retrieval.naming import grams
from domain.retrieval.reading import ReadPoint
from tests.services.database import Database
from tests.services.filled_record import tenant_access

TENANTS = (1, 2, 4, 8, 11)
"""Of 60, 15, 5, 1.5 and 0.08 % of the facts."""
ROUNDS, CLIENTS, DEPTH, CHECKED = 3, 8, 50, 10
Ask = Callable[[Question], Awaitable[object]]


class ReadyVectors:
    """An embedder that was asked already: no model's time is in the measurement."""

    model, dimension = MODEL, DIMENSION

    def __init__(self) -> None:
        self.known: dict[str, Vectors] = {}

    @property
    def nearness(self) -> None:
        """Nobody measured how near answers lie."""

    async def embed_queries(self, texts: Sequence[str]) -> Vectors:
        return np.stack([self.known[text] for text in texts])

    async def embed_passages(self, texts: Sequence[str]) -> Vectors:
        return await self.embed_queries(texts)


@dataclass(frozen=True, slots=True)
class Timed:
    """Milliseconds of each question of each round on one side."""

    rounds: list[list[float]] = field(default_factory=list)

    def at(self, share: float) -> float:
        """A percentile: the median of the rounds'."""
        return median(percentile(one, share) for one in self.rounds)


@dataclass(frozen=True, slots=True)
class Ways:
    """How one tenant is asked."""

    lists: Ask
    bare_lists: Ask
    plain: Ask
    whole: Ask
    bare_whole: Ask


async def measure(facts: int, *, questions: int = 50) -> list[Line]:
    """Five tenants, three rounds on each side, in turn."""
    with postgres() as server:
        database = await migrated_database(server)
        async with administrator(database) as connection:
            sizes = await fill_searchable(connection, facts)
        return await compared(database, server.process, sizes, questions)


async def compared(database: Database, process: int, sizes: dict[int, int], questions: int) -> list[Line]:
    """The lines of a filled record."""
    ours = await open_pool(database.application, minimum=CLIENTS, maximum=CLIENTS)
    bare = await open_pool(database.administrator, minimum=CLIENTS, maximum=CLIENTS)
    lines: list[Line] = []
    worst: dict[int, float] = {}
    try:
        async with administrator(database) as connection:
            for tenant in TENANTS:
                asked = await questions_of(connection, tenant, questions)
                ways = await _ways(connection, tenant, asked, ours, bare)
                timed = await _timed(ways, asked)
                worst[tenant] = timed["whole"].at(0.95)
                lines += _latencies(sizes[tenant], timed, len(asked))
                lines.append(await _recall(connection, tenant, sizes[tenant], asked, ours))
                if tenant == TENANTS[0]:
                    lines += await _throughputs(ways, asked, Stopwatch(process))
    finally:
        await ours.close()
        await bare.close()
    slowest = max(worst, key=lambda tenant: worst[tenant])
    fairness = Line(
        f"search p95, worst tenant ({sizes[slowest]:,})", worst[slowest], "ms", "the largest tenant's",
        worst[TENANTS[0]], 3, lower_is_better=True, n=questions * ROUNDS * len(TENANTS),
    )  # fmt: skip
    return [*lines, fairness]


async def _ways(
    connection: asyncpg.Connection, tenant: int, asked: Sequence[Question], ours: asyncpg.Pool, bare: asyncpg.Pool
) -> Ways:
    access, clock, vectors = tenant_access(tenant), SystemClock(), ReadyVectors()
    vectors.known = {question.text: question.vector for question in asked}
    statement = await plain_search(connection, tenant)
    ready = SearchModels(vectors)

    async def lists(pool: asyncpg.Pool, question: Question) -> object:
        return await PostgresSearchIndex(pool).candidates(access, _query(question))

    def whole(pool: asyncpg.Pool) -> Ask:
        search = Search(PostgresSearchIndex(pool), Vocabularies(PostgresKnowledgeReader(pool), clock), clock, ready)
        return lambda question: search(access, SearchRequest(question.text))

    async def plain(question: Question) -> object:
        return await bare.fetch(statement, question.vector, in_words_only(question.text))

    return Ways(partial(lists, ours), partial(lists, bare), plain, whole(ours), whole(bare))


def _query(question: Question) -> CandidateQuery:
    return CandidateQuery(
        question.text, tuple(grams(question.text)), question.vector, MODEL, DEPTH, 0, ReadPoint(), datetime.now(UTC)
    )


async def _timed(ways: Ways, asked: Sequence[Question]) -> dict[str, Timed]:
    sides = {name: Timed() for name in Ways.__slots__}
    for name in sides:
        for question in asked[: len(asked) // 3]:
            await getattr(ways, name)(question)
    for _ in range(ROUNDS):
        for name, timed in sides.items():
            ask, spent = getattr(ways, name), []
            for question in asked:
                started = time.perf_counter()
                await ask(question)
                spent.append((time.perf_counter() - started) * 1000)
            timed.rounds.append(spent)
    return sides


def _latencies(size: int, timed: dict[str, Timed], questions: int) -> list[Line]:
    conditions = (
        f"search: tenants of 60 % to 0.08 % of one database, {DIMENSION} dimensions around 200 centres; four words of "
        "a fact and a vector near its own; the lists are the candidates by words, names and vectors, the whole search "
        "loads, ranks and cites ten; 'plain hybrid SQL' is written by hand for one known tenant: 50 by ts_rank, 50 by "
        f"HNSW, fused, with ten sentences; medians of {ROUNDS} rounds in turn"
    )
    pairs = (
        ("lists", "plain", "plain hybrid SQL, no policies", 1.6),
        ("whole", "bare_whole", "same search, no policies", 1.6),
    )
    return [
        Line(f"search {name}, {size:,} facts, p50", timed[name].at(0.5), "ms", peer, timed[other].at(0.5), goal,
             lower_is_better=True, n=questions * ROUNDS, conditions=conditions)
        for name, other, peer, goal in pairs
    ]  # fmt: skip


async def _throughputs(ways: Ways, asked: Sequence[Question], watch: Stopwatch) -> list[Line]:
    lines = []
    for name, other, peer in (
        ("lists", "plain", "plain hybrid SQL, no policies"),
        ("whole", "bare_whole", "same search, no policies"),
    ):
        mine, theirs = Side(), Side()
        for _ in range(ROUNDS):
            await watch.of(mine, len(asked), partial(_with_clients, getattr(ways, name), asked))
            await watch.of(theirs, len(asked), partial(_with_clients, getattr(ways, other), asked))
        lines.append(
            Line(f"search {name}, {CLIENTS} clients, largest tenant", mine.rate, "/s", peer, theirs.rate, 0.7,
                 n=len(asked) * ROUNDS, cpu_ratio=mine.cpu_ratio(theirs))
        )  # fmt: skip
    return lines


async def _with_clients(ask: Ask, asked: Sequence[Question]) -> None:
    async def client(first: int) -> None:
        for number in range(first, len(asked), CLIENTS):
            await ask(asked[number])

    await asyncio.gather(*(client(first) for first in range(CLIENTS)))


async def _recall(
    connection: asyncpg.Connection, tenant: int, size: int, asked: Sequence[Question], pool: asyncpg.Pool
) -> Line:
    """Share of the ten nearest facts in force among the first ten of the vector list."""
    shares = []
    for question in asked:
        found = await PostgresSearchIndex(pool).candidates(tenant_access(tenant), _query(question))
        exact = await nearest(connection, tenant, question.vector, CHECKED)
        shares.append(len(exact & set(found.vector[: len(exact)])) / len(exact))
    return Line(
        f"search recall@{CHECKED}, {size:,} facts", mean(shares), "", "reading every vector", 1.0,
        1.0 if size <= 5_000 else 0.95, n=len(asked),
    )  # fmt: skip
