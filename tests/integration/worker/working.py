"""A worker on the servers of the test session: in the test's own process, or, run as a program, in one of its own.

As a program it makes a worker for each line of JSON: {"application": dsn, "queue": dsn, "graph": url or null}. With
"deadly", the id of a version, a worker that reads it kills itself, as the system does with one that takes all memory.
"""

from __future__ import annotations

import asyncio
import json
import os
import signal
import sys
from collections.abc import Mapping
from datetime import timedelta
from typing import Any
from uuid import UUID

import asyncpg

from adapters.embeddings.deterministic import DeterministicEmbedder
from adapters.graphiti.falkordb_engine import FalkorDBMemoryEngine
from adapters.inmemory.memory_engine import InMemoryMemoryEngine
from adapters.postgres.pool import open_pool
from adapters.postgres.projection_feed import PostgresProjectionFeed
from adapters.postgres.scope_finder import PostgresScopeFinder
from adapters.postgres.stragglers import PostgresStragglers
from adapters.postgres.unit_of_work import PostgresUnitOfWork
from adapters.postgres.vector_store import PostgresVectorStore
from adapters.system.ids import TimeOrderedIds
from application.identity.access import AccessResolver
from application.projection.builder import GraphBuilder
from application.projection.catch_up import CatchUp
from application.projection.project import ProjectFacts
from application.projection.projector import Projector
from application.projection.rebuild import RebuildGraph
from application.projection.sweep import Sweep
from application.vectors.embed import EmbedPending
from application.vectors.fill import VectorFiller
from domain.ports.embedder import Embedder
from domain.ports.job_queue import JobKind
from domain.ports.memory_engine import MemoryEngine
from entrypoints.sections.serving import TelemetrySettings
from entrypoints.telemetry import Metrics, configure_logging
from entrypoints.worker.limits import WorkerLimits
from entrypoints.worker.main import run_worker
from entrypoints.worker.work import Handler, Work

QUICK = WorkerLimits(
    attempts=3,
    first_delay=timedelta(milliseconds=50),
    longest_delay=timedelta(milliseconds=200),
    longest_wait=timedelta(milliseconds=200),
    deaths=3,
    heartbeat=timedelta(seconds=2),
    poll=timedelta(milliseconds=500),
    grace=timedelta(seconds=1),
    sweep=timedelta(milliseconds=300),
    upkeep=timedelta(seconds=30),
)
LEASE_SECONDS = 3.0


def work_on(
    pool: asyncpg.Pool,
    queue: str,
    engine: MemoryEngine,
    others: Mapping[JobKind, Handler] | None = None,
    embedder: Embedder | None = None,
) -> Work:
    """Projection, rebuild and vectors, and what the test brings."""
    ids, feed, store = TimeOrderedIds(), PostgresProjectionFeed(pool), PostgresVectorStore(pool)
    resolver, embedder = AccessResolver(PostgresScopeFinder(pool)), embedder or DeterministicEmbedder(32)
    catch_up = CatchUp(feed, engine, page=100)
    builder = GraphBuilder(feed, engine, ids, catch_up, lease_seconds=LEASE_SECONDS)
    projector = Projector(feed, engine, ids, catch_up, builder, lease_seconds=LEASE_SECONDS)
    project = ProjectFacts(resolver, projector)
    rebuild = RebuildGraph(resolver, builder, projector, engine.projected)
    embed = EmbedPending(resolver, store, embedder, feed, VectorFiller(store, embedder, feed, ids, lease_seconds=3.0))
    stragglers = PostgresStragglers(pool)
    handlers: dict[JobKind, Handler] = {
        JobKind.PROJECT: lambda access, _: project(access),
        JobKind.EMBED: lambda access, _: embed(access),
        JobKind.REBUILD_GRAPH: lambda access, _: rebuild(access),
        **(others or {}),
    }
    sweep = Sweep(stragglers, PostgresUnitOfWork(pool), resolver, engine, store)
    return Work(queue, handlers, resolver.for_job, sweep, stragglers)


async def work_until_told(addresses: Mapping[str, Any]) -> None:
    """One worker process: until SIGTERM."""
    stop = asyncio.Event()
    asyncio.get_running_loop().add_signal_handler(signal.SIGTERM, stop.set)
    signal.pthread_sigmask(signal.SIG_UNBLOCK, {signal.SIGTERM})
    pool = await open_pool(addresses["application"], maximum=4)
    graph = addresses["graph"]
    engine = FalkorDBMemoryEngine.at(graph, connections=4) if graph else None
    deadly = UUID(addresses["deadly"]) if "deadly" in addresses else None
    others: dict[JobKind, Handler] = {JobKind.INGEST_VERSION: lambda _, subject: _read(subject, deadly)}
    work = work_on(pool, addresses["queue"], engine or InMemoryMemoryEngine(), others)
    await run_worker(work, Metrics(), stop, QUICK)
    if engine:
        await engine.aclose()
    await pool.close()


async def _read(subject: UUID | None, deadly: UUID | None) -> None:
    if subject == deadly:
        os.kill(os.getpid(), signal.SIGKILL)


def fork_workers() -> None:
    """Imports take seconds of a processor and are done once: each line read makes a worker, whose id is written."""
    configure_logging(TelemetrySettings(log_level="error"))
    # A worker that is told to stop before it can listen stops as soon as it does.
    signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGTERM})
    for line in sys.stdin:
        child = os.fork()
        if child == 0:
            asyncio.run(work_until_told(json.loads(line)))
            os._exit(0)
        sys.stdout.write(f"{child}\n")
        sys.stdout.flush()
    sys.stdout.write(json.dumps(_exit_codes()))


def _exit_codes() -> dict[int, int]:
    """How every worker ended, once all have."""
    codes: dict[int, int] = {}
    while True:
        try:
            child, status = os.wait()
        except ChildProcessError:
            return codes
        codes[child] = os.waitstatus_to_exitcode(status)


if __name__ == "__main__":
    fork_workers()
