"""Taking a document of 1,000 assertions back on a large record, beside the same on one of a hundredth."""

from __future__ import annotations

import statistics
from dataclasses import dataclass, field
from pathlib import Path
from typing import cast

from adapters.inmemory.key_store import InMemoryKeyStore
from adapters.postgres.pool import open_pool
from adapters.postgres.unit_of_work import PostgresUnitOfWork
from adapters.system.ids import TimeOrderedIds
from application.ingestion.retract import Retract
from application.knowledge.change import ChangeWriter
from benchmarks.report import Line
from benchmarks.servers import Server, administrator, migrated_database, postgres
from benchmarks.timing import Side, Stopwatch
from domain.identity.ids import DocumentId
from domain.identity.principal import Role
from domain.ports.unit_of_work import UnitOfWork
from tests.services.database import Database
from tests.services.filled_record import fill, finish, prepare, tenant_access

ROUNDS, WARM, ASSERTIONS = 5, 1, 1_000
GATHER = Path(__file__).with_suffix(".sql").read_text("utf-8")
GATHERED = "SELECT document_id FROM assertions GROUP BY document_id HAVING count(*) = $1 ORDER BY document_id"


@dataclass(slots=True)
class Record:
    """One record, its large documents and the rate of assertions taken back."""

    facts: int
    database: Database
    documents: list[DocumentId]
    taken: Side = field(default_factory=Side)

    async def retract(self, watch: Stopwatch, number: int) -> None:
        """One document, as its curator."""
        pool = await open_pool(self.database.application)
        try:
            retract = Retract(
                cast(UnitOfWork, PostgresUnitOfWork(pool)), ChangeWriter(TimeOrderedIds()), InMemoryKeyStore()
            )

            async def work() -> None:
                done = await retract.document(tenant_access(1, role=Role.OWNER), self.documents[number], "measured")
                assert done.assertions == done.standings_changed == ASSERTIONS, done

            await pool.fetchval("SELECT 1")
            await watch.of(self.taken, ASSERTIONS, work)
        finally:
            await pool.close()


async def measure(small: int, large: int) -> list[Line]:
    """Both records on one server, a document of each in turn."""
    with postgres() as server:
        watch = Stopwatch(server.process)
        records = [await _record(server, facts) for facts in (small, large)]
        for number in range(WARM + ROUNDS):
            for record in records:
                await record.retract(watch, number)
    for record in records:
        record.taken = Side(record.taken.rates[WARM:], record.taken.cpu[WARM:])
    return [_line(*records)]


async def _record(server: Server, facts: int) -> Record:
    database = await migrated_database(server)
    async with administrator(database) as connection:
        await prepare(connection)
        await fill(connection, {1: facts})
        await finish(connection)
        await connection.execute(GATHER.format(small=ASSERTIONS // 50, documents=WARM + ROUNDS))
        await connection.execute("VACUUM ANALYZE")
        rows = await connection.fetch(GATHERED, ASSERTIONS)
    assert len(rows) == WARM + ROUNDS, (
        f"{facts:,} facts make {len(rows)} documents of {ASSERTIONS:,}, not {WARM + ROUNDS}"
    )
    return Record(facts, database, [DocumentId(row["document_id"]) for row in rows])


def _line(small: Record, large: Record) -> Line:
    took = [1000 * ASSERTIONS / statistics.median(record.taken.rates) for record in (large, small)]
    cpu = large.taken.cpu_ratio(small.taken)
    return Line(
        f"retracting a document of {ASSERTIONS:,} assertions at {large.facts:,} facts", took[0], "ms",
        f"at {small.facts:,}", took[1], 1.5, lower_is_better=True, n=ROUNDS,
        conditions=f"one tenant with {large.facts:,} generated facts beside one with {small.facts:,} on the same "
        f"server; each document supports {ASSERTIONS:,} facts alone, whose standings become retracted; no vectors; "
        f"autovacuum off; medians of {ROUNDS} documents in turn",
        cpu_ratio=1 / cpu if cpu else None,
    )  # fmt: skip
