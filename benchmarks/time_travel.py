"""Search as of a day and as known at a revision, beside the same search of the present."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import UTC, datetime
from pathlib import Path
from statistics import median

import asyncpg

from adapters.postgres.knowledge_reader import PostgresKnowledgeReader
from adapters.postgres.pool import open_pool
from adapters.postgres.search_index import PostgresSearchIndex
from adapters.system.clock import SystemClock
from application.retrieval.search import Search
from application.retrieval.types import SearchRequest
from application.retrieval.vocabulary import Vocabularies
from benchmarks.report import Line
from benchmarks.servers import administrator, migrated_database, postgres
from benchmarks.timing import elapsed
from domain.identity.access import Access
from domain.identity.ids import Revision
from domain.retrieval.reading import ReadPoint
from tests.services.filled_record import fill, finish, prepare, tenant_access

ROUNDS, QUESTIONS, REVISIONS = 3, 100, 5
AGE = Path(__file__).with_suffix(".sql").read_text("utf-8")


async def measure(facts: int) -> list[Line]:
    """Question by question, the kinds in turn, three rounds."""
    with postgres() as server:
        database = await migrated_database(server)
        async with administrator(database) as connection:
            await prepare(connection)
            await fill(connection, {1: facts})
            await connection.execute("SET session_replication_role = replica")
            await connection.execute(_aged(tenant_access(1)))
            await connection.execute("RESET session_replication_role")
            await finish(connection)
            await connection.execute("SELECT refresh_search_terms(organization_id) FROM organizations")
            await connection.execute("VACUUM ANALYZE")
            rows = await connection.fetch("SELECT sentence FROM facts ORDER BY md5(fact_id::text) LIMIT $1", QUESTIONS)
        pool = await open_pool(database.application)
        try:
            return await _compared(pool, [" ".join(row["sentence"].split()[-4:]) for row in rows], facts)
        finally:
            await pool.close()


def _aged(access: Access) -> str:
    """The script for a tenant: the feed's triggers run inside it."""
    scopes = ",".join(access.read_scopes)
    return AGE.format(last=REVISIONS, organization=f"'{access.organization_id}'::uuid", scopes=f"'{scopes}'")


async def _compared(pool: asyncpg.Pool, questions: Sequence[str], facts: int) -> list[Line]:
    clock = SystemClock()
    ask = Search(PostgresSearchIndex(pool), Vocabularies(PostgresKnowledgeReader(pool), clock), clock)
    points = {
        "plain": ReadPoint(),
        "as of 2022": ReadPoint(as_of=datetime(2022, 6, 1, tzinfo=UTC)),
        "as known at revision 3": ReadPoint(known_at=Revision(3)),
        "both": ReadPoint(as_of=datetime(2022, 6, 1, tzinfo=UTC), known_at=Revision(3)),
    }
    rounds: dict[str, list[float]] = {name: [] for name in points}
    for number in range(ROUNDS + 1):
        taken: dict[str, list[float]] = {name: [] for name in points}
        found = dict.fromkeys(points, 0)
        for question in questions:
            for name, point in points.items():
                with elapsed(taken[name]):
                    found[name] += len((await ask(tenant_access(1), SearchRequest(question, point=point))).hits)
        assert min(found.values()) > 0.9 * max(found.values()), found
        if number:  # the first round warms caches and plans
            for name, side in taken.items():
                rounds[name].append(median(side))
    plain = median(rounds.pop("plain"))
    conditions = (
        f"{facts:,} facts of one tenant with {REVISIONS} revisions each, {REVISIONS - 1} of them closed; search by "
        f"words and names without vectors, one client, question by question; medians of {ROUNDS} rounds' p50"
    )
    return [
        Line(f"search {name}", median(times), "ms", "search of the present", plain, 1.3, lower_is_better=True,
             n=ROUNDS * len(questions), conditions=conditions)
        for name, times in rounds.items()
    ]  # fmt: skip
