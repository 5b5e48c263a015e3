"""Typed triples into the record, beside bare inserts of exactly the same rows and beside Graphiti's ``add_triplet``."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial

import asyncpg

from adapters.inmemory.key_store import InMemoryKeyStore
from application.ingestion.append_claims import StreamItem
from benchmarks.graphiti_peer import add_triplets, filled_graphiti
from benchmarks.report import Line
from benchmarks.same_rows import TableRows, copied, rows_of, unnested
from benchmarks.servers import Server, administrator, copied_database, falkordb, migrated_database, postgres
from benchmarks.timing import Side, Stopwatch
from benchmarks.writing import TripleWriter, triple_writer, triples
from tests.services.database import Database
from tests.services.filled_record import fill, finish, prepare

BATCH, ROUNDS, CALLS = 1_000, 3, 5


async def measure(facts: int, *, batches: int = 3, singles: int = 100) -> list[Line]:
    """Bulk and one at a time, three rounds each, on a record that holds ``facts`` of one tenant already."""
    bulk, alone = Comparison(), Comparison()
    with postgres() as server:
        watch, keys = Stopwatch(server.process), InMemoryKeyStore()
        original = await _filled(server, facts, keys)
        unnesting, copying = await copied_database(server, original), await copied_database(server, original)
        async with (
            triple_writer(original, keys) as writer,
            administrator(original) as reader,
            administrator(unnesting) as unnester,
            administrator(copying) as copier,
        ):
            for number in range(ROUNDS):
                claims = triples(batches * BATCH, facts // 5 + 100, 2 + number)
                await bulk.round(watch, writer, reader, unnester, copier, claims, BATCH)
                claims = triples(singles, facts // 5 + 100, 102 + number)
                await alone.round(watch, writer, reader, unnester, copier, claims, 1)
    return _lines(bulk, alone, facts, batches, singles)


async def measure_add_triplet(facts: int, edges: int, *, batches: int = 3, singles: int = 100) -> list[Line]:
    """The same loads beside Graphiti's ``add_triplet`` on a graph of ``edges``, in turn."""
    bulk, alone, theirs = Side(), Side(), Side()
    with postgres() as server, falkordb() as address:
        watch, keys = Stopwatch(), InMemoryKeyStore()
        database = await _filled(server, facts, keys)
        graphiti = await filled_graphiti(address.port, address.password, edges)
        async with triple_writer(database, keys) as writer:
            for number in range(ROUNDS):
                claims = triples(batches * BATCH, facts // 5 + 100, 2 + number)
                await watch.of(bulk, len(claims), partial(_load, writer, claims, BATCH, []))
                claims = triples(singles, facts // 5 + 100, 102 + number)
                await watch.of(alone, len(claims), partial(_load, writer, claims, 1, []))
                await watch.of(theirs, CALLS, partial(add_triplets, graphiti, number, CALLS))
        await graphiti.driver.close()  # type: ignore[no-untyped-call]
    conditions = (
        f"Assay with {facts:,} facts; graphiti-core on FalkorDB with {edges:,} edges, a model and an embedder that "
        "answer at once, one call after the other"
    )
    peer = f"add_triplet at {edges:,} edges"
    return [
        Line("typed triples, one at a time", alone.rate, "/s", peer, theirs.rate, 50, n=ROUNDS * singles,
             conditions=conditions),
        Line("typed triples, 1,000 a batch", bulk.rate, "/s", peer, theirs.rate, 1_000, n=ROUNDS * batches * BATCH,
             conditions=conditions),
    ]  # fmt: skip


class Comparison:
    """Three sides of one load."""

    def __init__(self) -> None:
        self.ours, self.unnest, self.copy = Side(), Side(), Side()

    async def round(
        self,
        watch: Stopwatch,
        writer: TripleWriter,
        reader: asyncpg.Connection,
        unnester: asyncpg.Connection,
        copier: asyncpg.Connection,
        claims: Sequence[StreamItem],
        size: int,
    ) -> None:
        """Write the claims; then put the rows that this made into the other two databases."""
        revisions: list[int] = []

        await watch.of(self.ours, len(claims), partial(_load, writer, claims, size, revisions))
        loads = await rows_of(reader, revisions)
        await watch.of(self.unnest, len(claims), partial(_replay, unnested, unnester, loads))
        await watch.of(self.copy, len(claims), partial(_replay, copied, copier, loads))


async def _load(writer: TripleWriter, claims: Sequence[StreamItem], size: int, revisions: list[int]) -> None:
    for start in range(0, len(claims), size):
        appended = await writer.write(list(claims[start : start + size]))
        assert appended.stored + appended.merged == size
        if appended.revision is not None:
            revisions.append(appended.revision)


async def _replay(into: object, connection: asyncpg.Connection, loads: Sequence[list[TableRows]]) -> None:
    assert callable(into)
    for sets in loads:
        await into(connection, sets)


async def _filled(server: Server, facts: int, keys: InMemoryKeyStore) -> Database:
    original = await migrated_database(server)
    async with administrator(original) as connection:
        await prepare(connection)
        await fill(connection, {1: facts})
        await finish(connection)
    async with triple_writer(original, keys) as writer:
        await writer.write(triples(BATCH, facts // 5 + 100, 1))
    async with administrator(original) as connection:
        await connection.execute("VACUUM ANALYZE")
    return original


def _lines(bulk: Comparison, alone: Comparison, facts: int, batches: int, singles: int) -> list[Line]:
    conditions = (
        f"record with {facts:,} facts of one tenant; the peer inserts exactly the rows that Assay wrote (13 tables and "
        "two jobs a transaction) into a copy of the database, as a superuser without policies, with the same indexes, "
        "foreign keys and search triggers, from rows that lie ready in memory; autovacuum off, fsync on; medians of "
        f"{ROUNDS} interleaved rounds"
    )
    n, few = ROUNDS * batches * BATCH, ROUNDS * singles
    lines = []
    for size, side, count, goal in (("1,000 a batch", bulk, n, 0.25), ("one at a time", alone, few, None)):
        for peer, theirs in (("unnest", side.unnest), ("COPY", side.copy)):
            lines.append(
                Line(
                    f"typed triples, {size}", side.ours.rate, "/s", f"{peer} of the same rows", theirs.rate,
                    goal if peer == "unnest" else None, n=count, conditions=conditions,
                    cpu_ratio=side.ours.cpu_ratio(theirs),
                )
            )  # fmt: skip
    return lines
