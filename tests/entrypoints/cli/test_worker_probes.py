"""A worker of its own shows its metrics and that it lives, where it is asked to."""

from __future__ import annotations

import socket

import asyncpg
import httpx
import pytest

from adapters.postgres.operations import PostgresOperations
from domain.ports.job_queue import JobKind
from entrypoints.cli.http_server import AddressInUse
from entrypoints.cli.worker_probes import probed
from entrypoints.sections.serving import ApiSettings, WorkerSettings
from entrypoints.settings import Settings
from entrypoints.telemetry import Metrics
from tests.integration.projection.changes import says
from tests.services.world import World

KEY = "k" * 32
ANYWHERE = WorkerSettings(metrics_address="127.0.0.1:0")


async def test_metrics_are_those_of_the_worker_with_the_backlog_as_it_is(world: World) -> None:
    metrics, operations = Metrics(), PostgresOperations(world.pool, "inmemory")
    metrics.job(JobKind.PROJECT, "done", 0.2)
    await world.say(says("Acme", "founded by", "Ada"))
    async with probed(Settings(worker=ANYWHERE), operations, metrics) as address, httpx.AsyncClient() as client:
        shown = (await client.get(f"{address}/metrics")).text
        assert 'assay_jobs_total{kind="project",outcome="done"} 1.0' in shown
        assert 'assay_queue_jobs{kind="embed",state="queued"} 1.0' in shown
        live = await client.get(f"{address}/health/live")
        assert (live.status_code, live.text) == (200, "ok\n")
        assert (await client.get(f"{address}/")).status_code == 404
        assert (await client.post(f"{address}/metrics")).status_code == 405


async def test_metrics_are_shown_without_the_backlog_when_the_database_is_away(pool: asyncpg.Pool) -> None:
    operations = PostgresOperations(pool, "inmemory")
    await pool.close()
    async with probed(Settings(worker=ANYWHERE), operations, Metrics()) as address, httpx.AsyncClient() as client:
        answer = await client.get(f"{address}/metrics")
        assert answer.status_code == 200
        assert "assay_queue_jobs{" not in answer.text
        assert (await client.get(f"{address}/health/live")).status_code == 200


async def test_where_metrics_have_a_key_it_is_needed(pool: asyncpg.Pool) -> None:
    settings = Settings(worker=ANYWHERE, api=ApiSettings(metrics_key=KEY))  # type: ignore[arg-type]
    operations = PostgresOperations(pool, "inmemory")
    async with probed(settings, operations, Metrics()) as address, httpx.AsyncClient() as client:
        for headers in ({}, {"authorization": "Bearer wrong"}, {"authorization": "Basic x"}):
            assert (await client.get(f"{address}/metrics", headers=headers)).status_code == 401
        right = await client.get(f"{address}/metrics", headers={"authorization": f"Bearer {KEY}"})
        assert right.status_code == 200
        assert (await client.get(f"{address}/health/live")).status_code == 200


async def test_without_an_address_nothing_listens_and_a_taken_one_is_named(pool: asyncpg.Pool) -> None:
    operations = PostgresOperations(pool, "inmemory")
    async with probed(Settings(), operations, Metrics()) as address:
        assert address is None
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        settings = Settings(worker=WorkerSettings(metrics_address=f"127.0.0.1:{taken.getsockname()[1]}"))
        with pytest.raises(AddressInUse, match="ASSAY_WORKER__METRICS_ADDRESS: cannot listen on 127"):
            async with probed(settings, operations, Metrics()):
                pass
