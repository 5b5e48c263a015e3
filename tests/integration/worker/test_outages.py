"""What a job needs is away for long: the job waits as long as it takes, and goes on when it is back."""

from __future__ import annotations

import asyncio
import json
import socket
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

import asyncpg
import httpx
import pytest

from adapters.embedded.falkordb import EmbeddedFalkorDB
from adapters.embeddings.openai import OpenAIEmbedder
from adapters.graphiti.falkordb_engine import FalkorDBMemoryEngine
from adapters.postgres.operations import PostgresOperations
from adapters.postgres.projection_feed import PostgresProjectionFeed
from domain.ports.job_queue import JobKind
from tests.contracts.model_server import impatient_chain
from tests.contracts.projection_contract import recorded
from tests.integration.projection.changes import says
from tests.integration.worker.doing_jobs import jobs_left, running, until
from tests.integration.worker.working import QUICK
from tests.services.database import Database
from tests.services.world import World

pytestmark = pytest.mark.services

ROUNDS = 3 * (1 + QUICK.attempts)
"""As often a job of the outage comes back, at least: three times what a fault is given."""


class Waiting:
    """The jobs of a kind that wait for something that is away."""

    def __init__(self, database: Database, kind: JobKind) -> None:
        self._database = database
        self._kind = kind

    async def __call__(self) -> list[tuple[str, int, int]]:
        """Status, attempts and how often it has waited."""
        connection = await asyncpg.connect(self._database.administrator)
        rows = await connection.fetch(
            """SELECT status::text, attempts, coalesce((headers ->> 'waits')::int, 0) FROM assay.pgqueuer
               WHERE entrypoint = $1 ORDER BY id""",
            self._kind.value,
        )
        await connection.close()
        return [tuple(row) for row in rows]

    async def long_enough(self) -> bool:
        """One is left of all those that wanted the same, and it has waited longer than a fault would last."""
        waiting = await self()
        return len(waiting) == 1 and waiting[0][2] >= ROUNDS


async def test_the_backlog_of_a_graph_that_was_down_for_long_drains_when_it_is_back(
    world: World, database: Database, tmp_path: Path
) -> None:
    server = EmbeddedFalkorDB(tmp_path / "graph")
    engine = FalkorDBMemoryEngine.at(server.start().url)
    waiting = Waiting(database, JobKind.PROJECT)
    operations, feed = PostgresOperations(world.pool, engine.name), PostgresProjectionFeed(world.pool)
    try:
        await world.say(says("Acme", "founded by", "Ada"))
        server.stop()
        async with running(world, database, engine=engine) as metrics:
            for number in range(5):
                await world.say(says("Acme", "located in", f"City {number}"), source=f"source {number}")
            await until(waiting.long_enough, 60)
            assert {(status in {"queued", "picked"}, attempts) for status, attempts, _ in await waiting()} == {
                (True, 0)
            }
            assert await operations.dead_letters(world.access, 0, 10) == []
            server.start()

            async def drained() -> bool:
                graph = (await operations.watermarks(world.access)).graph
                return graph == await feed.head(world.access) and not await jobs_left(database)

            await until(drained, 60)
        assert await engine.digest(world.access.organization_id) == await recorded(world)
        text = metrics.rendered(None).decode()
        assert 'assay_jobs_total{kind="project",outcome="waiting"}' in text
        assert 'assay_jobs_total{kind="project",outcome="failed"}' not in text
    finally:
        await engine.aclose()
        server.stop()


@asynccontextmanager
async def embeddings(port: int) -> AsyncIterator[None]:
    """An endpoint that gives every text the same vector of two numbers."""

    async def answer(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        head = (await reader.readuntil(b"\r\n\r\n")).decode().lower()
        length = next(int(line.split(":")[1]) for line in head.splitlines() if line.startswith("content-length"))
        texts = json.loads(await reader.readexactly(length))["input"]
        body = json.dumps({"data": [{"index": n, "embedding": [1, 0]} for n in range(len(texts))]}).encode()
        writer.write(b"HTTP/1.1 200 OK\r\nconnection: close\r\ncontent-length: %d\r\n\r\n" % len(body) + body)
        await writer.drain()
        writer.close()

    server = await asyncio.start_server(answer, "127.0.0.1", port)
    try:
        yield
    finally:
        server.close()


async def test_vectors_are_made_up_for_when_the_model_is_back(world: World, database: Database) -> None:
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    waiting, feed = Waiting(database, JobKind.EMBED), PostgresProjectionFeed(world.pool)
    operations = PostgresOperations(world.pool, "inmemory")
    async with httpx.AsyncClient(base_url=f"http://127.0.0.1:{port}/v1") as client:
        chain = impatient_chain(timeout_seconds=5.0, cool_down_seconds=0.1)
        embedder = OpenAIEmbedder(client, chain, model="m", dimension=2)
        async with running(world, database, embedder=embedder):
            for number in range(5):
                await world.say(says("Acme", "located in", f"City {number}"), source=f"source {number}")
            await until(waiting.long_enough, 60)
            assert await operations.dead_letters(world.access, 0, 10) == []
            async with embeddings(port):

                async def drained() -> bool:
                    vectors = (await operations.watermarks(world.access)).vectors
                    return vectors == await feed.head(world.access) and not await jobs_left(database)

                await until(drained, 60)
    (stored,) = await world.rows("SELECT (SELECT count(*) FROM fact_vectors), (SELECT count(*) FROM facts)")
    assert stored[0] == stored[1] == 5
