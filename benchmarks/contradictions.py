"""The contradictions of an organization through the application's read, beside a plain group-by over the same rows."""

from __future__ import annotations

import json
import re
import statistics
from pathlib import Path

import asyncpg

from adapters.postgres.contradictions import PostgresContradictionReader
from adapters.postgres.knowledge_reader import PostgresKnowledgeReader
from adapters.postgres.pool import open_pool
from adapters.system.clock import SystemClock
from application.retrieval.contradictions import ContradictionReads, ContradictionsQuery, contradictions
from application.retrieval.vocabulary import Vocabularies
from benchmarks.report import Line
from benchmarks.servers import administrator, migrated_database, postgres
from benchmarks.timing import elapsed
from domain.knowledge.policy_wire import policy_json
from domain.knowledge.predicate import Cardinality, PredicatePolicy, Succession
from domain.ports.contradictions import ContestedRead
from tests.services.filled_record import fill, finish, prepare, tenant_access

ROUNDS, QUESTIONS, PAGE = 3, 15, 50
_PARTS = re.split(r"^-- name: (\w+)\s*$", Path(__file__).with_suffix(".sql").read_text("utf-8"), flags=re.MULTILINE)
SQL = {name: body.strip() for name, body in zip(_PARTS[1::2], _PARTS[2::2], strict=True)}
ONE_VALUE = PredicatePolicy("RELATION_0", Cardinality.ONE, succession=Succession.NEVER)


async def measure(facts: int) -> list[Line]:
    """The list that ranks all of them, and a whole page with its sides, three rounds in turn with the group-by."""
    with postgres() as server:
        database = await migrated_database(server)
        organization = tenant_access(1).organization_id
        async with administrator(database) as connection:
            await prepare(connection)
            await fill(connection, {1: facts})
            await connection.execute(SQL["contest"], organization, facts)
            await connection.execute(SQL["one_value"], organization, ONE_VALUE.name, json.dumps(policy_json(ONE_VALUE)))
            await finish(connection)
            await connection.execute("VACUUM ANALYZE")
        pool = await open_pool(database.application)
        try:
            async with administrator(database) as bare:
                return await _compared(pool, bare, facts)
        finally:
            await pool.close()


async def _compared(pool: asyncpg.Pool, bare: asyncpg.Connection, facts: int) -> list[Line]:
    access, reader = tenant_access(1), PostgresContradictionReader(pool)
    known = PostgresKnowledgeReader(pool)
    reads = ContradictionReads(reader, known, Vocabularies(known, SystemClock()), SystemClock())
    times: dict[str, list[float]] = {"listed": [], "shown": [], "plain": []}
    rounds: dict[str, list[float]] = {name: [] for name in times}
    total = 0
    for number in range(ROUNDS + 1):
        for side in times.values():
            side.clear()
        for _ in range(QUESTIONS):
            with elapsed(times["listed"]):
                ranked = await reader.contested(access, ContestedRead(limit=1))
            with elapsed(times["shown"]):
                page = await contradictions(reads, access, ContradictionsQuery(limit=PAGE))
            with elapsed(times["plain"]):
                rows = await bare.fetch(SQL["group_by"], access.organization_id)
            total = len(rows)
            assert ranked[0].total == page.total == total, (ranked[0].total, page.total, total)
            assert len(page.contradictions) == min(PAGE, total)
        if number:  # the first round warms caches and plans
            for name, side in times.items():
                rounds[name].append(statistics.median(side))
    ours, whole, theirs = (statistics.median(rounds[name]) for name in ("listed", "shown", "plain"))
    conditions = (
        f"{facts:,} facts of one tenant, {total:,} of its slots disputed, one client; the group-by counts facts and "
        "sources of each slot as a superuser, whom no policy binds; ours finds and ranks all of them by severity; "
        f"medians of {ROUNDS} interleaved rounds' p50"
    )
    count = ROUNDS * QUESTIONS
    return [
        Line("contradictions of an organization, ranked", ours, "ms", "plain SQL group-by", theirs, 3.0,
             lower_is_better=True, n=count, conditions=f"{conditions}; the first of them with all that is said of it"),
        Line(f"a page of {PAGE} contradictions, every score taken apart", whole, "ms", "plain SQL group-by", theirs,
             lower_is_better=True, n=count, conditions=f"{conditions}, and reads {PAGE} with their evidence"),
    ]  # fmt: skip
