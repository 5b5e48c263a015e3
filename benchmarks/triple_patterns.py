"""Triple patterns through the application's reader with eight clients, beside the same statement without policies."""

from __future__ import annotations

import asyncio
import hashlib
import random
from collections.abc import Awaitable, Callable
from functools import partial
from typing import Any, cast
from uuid import UUID

import asyncpg

from adapters.postgres.knowledge_reader import PostgresKnowledgeReader
from adapters.postgres.pool import open_pool
from benchmarks.report import Line
from benchmarks.servers import administrator, migrated_database, postgres
from benchmarks.timing import Side as Rounds
from benchmarks.timing import Stopwatch
from domain.identity.ids import EntityId
from domain.retrieval.reading import PatternRead, Side, StoredPattern
from tests.services.filled_record import fill, finish, prepare, tenant_access

CLIENTS, ROUNDS, LIMIT = 8, 3, 20
SHAPES = ("S P ?", "? P O", "S ? ?")
Question = tuple[str, tuple[Any, ...]]


async def measure(facts: int, *, questions: int = 1_500) -> list[Line]:
    """Each shape three times on each side, in turn."""
    with postgres() as server:
        database = await migrated_database(server)
        async with administrator(database) as connection:
            await prepare(connection)
            await fill(connection, {1: facts})
            await finish(connection)
            await connection.execute("VACUUM ANALYZE")
        ours = await open_pool(database.application, minimum=CLIENTS, maximum=CLIENTS)
        bare = await open_pool(database.administrator, minimum=CLIENTS, maximum=CLIENTS)
        try:
            watch = Stopwatch(server.process)
            return [line for s in SHAPES for line in await _compared(s, facts, questions, ours, bare, watch)]
        finally:
            await ours.close()
            await bare.close()


async def _compared(
    shape: str, facts: int, questions: int, ours: asyncpg.Pool, bare: asyncpg.Pool, watch: Stopwatch
) -> list[Line]:
    reader, unbound, access = PostgresKnowledgeReader(ours), PostgresKnowledgeReader(bare), tenant_access(1)
    reads = _reads(shape, facts, questions)
    statements = [await _statement(read) for read in reads]

    async def through_reader(number: int) -> None:
        await reader.facts_by_pattern(access, reads[number])

    async def without_policies(number: int) -> None:
        await unbound.facts_by_pattern(access, reads[number])

    async def directly(number: int) -> None:
        statement, arguments = statements[number]
        await bare.fetch(statement, *arguments)

    sides = {through_reader: Rounds(), without_policies: Rounds(), directly: Rounds()}
    for side in sides:
        await _with_clients(side, questions // 5)
    for _ in range(ROUNDS):
        for side, rounds in sides.items():
            await watch.of(rounds, questions, partial(_with_clients, side, questions))
    mine, theirs, rows = sides.values()
    conditions = (
        f"{facts:,} facts of one tenant, {CLIENTS} clients in one process, up to {LIMIT} facts with their evidence an "
        "answer; the peers run the same statement as a superuser, whom no policy binds, the second without turning the "
        f"rows into facts; medians of {ROUNDS} interleaved rounds"
    )
    return [
        Line(f"triple pattern {shape}", mine.rate, "/s", peer, side.rate, 0.9, n=ROUNDS * questions,
             conditions=conditions, cpu_ratio=mine.cpu_ratio(side))
        for peer, side in (("same read, no policies", theirs), ("same SQL, no policies", rows))
    ]  # fmt: skip


async def _with_clients(ask: Callable[[int], Awaitable[None]], questions: int) -> None:
    async def client(first: int) -> None:
        for number in range(first, questions, CLIENTS):
            await ask(number)

    await asyncio.gather(*(client(first) for first in range(CLIENTS)))


def _reads(shape: str, facts: int, questions: int) -> list[PatternRead]:
    chance, entities = random.Random(11), max(3, facts // 5)
    reads = []
    for _ in range(questions):
        entity = Side((EntityId(entity_id(chance.randrange(entities))),))
        predicate = (f"RELATION_{chance.randrange(10)}",)
        pattern = {
            "S P ?": StoredPattern(entity, None, predicate),
            "? P O": StoredPattern(None, entity, predicate),
            "S ? ?": StoredPattern(entity),
        }[shape]
        reads.append(PatternRead(pattern, limit=LIMIT))
    return reads


def entity_id(number: int) -> UUID:
    """An entity of the filled record's first tenant."""
    return UUID(hashlib.md5(f"1 entity {number}".encode(), usedforsecurity=False).hexdigest())


async def _statement(read: PatternRead) -> Question:
    """What the reader sends for the question."""
    sent: list[Question] = []

    class Noted:
        async def fetch(self, statement: str, *arguments: Any) -> list[Any]:
            sent.append((statement, arguments))
            return []

    await PostgresKnowledgeReader(cast(asyncpg.Pool, Noted())).facts_by_pattern(tenant_access(1), read)
    return sent[0]
