"""Valkey is killed while eight clients read and write through two processes: nothing fails, and the limits hold."""

from __future__ import annotations

import asyncio
import os
import signal
from collections import Counter
from collections.abc import AsyncIterator, Iterator
from contextlib import AsyncExitStack
from itertools import count
from typing import cast

import httpx
import pytest
from pydantic import SecretStr

from adapters.embedded.valkey import EmbeddedValkey
from adapters.fallback.rate_limiter import FallbackRateLimiter
from entrypoints.api.app import create_api
from entrypoints.application import Application
from entrypoints.bootstrap import application
from entrypoints.sections.quotas import QuotasSettings
from entrypoints.sections.stores import CacheSettings
from entrypoints.settings import Settings
from tests.entrypoints.api.conftest import Tenant, client_of, transport_of

pytestmark = pytest.mark.services
LIMIT = 36
CLIENTS = 8
PROCESSES = 2


@pytest.fixture
def valkey(tmp_path_factory: pytest.TempPathFactory) -> Iterator[EmbeddedValkey]:
    server = EmbeddedValkey(tmp_path_factory.mktemp("killed"), directives=("appendfsync no",))
    yield server
    server.stop()


@pytest.fixture
async def processes(running: Application, valkey: EmbeddedValkey) -> AsyncIterator[list[Application]]:
    cache = CacheSettings(engine="valkey", url=SecretStr(valkey.start().url))
    settings: Settings = running.settings.model_copy(
        update={"cache": cache, "quotas": QuotasSettings(principal_units=LIMIT)}
    )
    async with AsyncExitStack() as stack:
        yield [await stack.enter_async_context(application(settings, look=False)) for _ in range(PROCESSES)]


class Load:
    """Eight clients that read and write until their process refuses them; units that were let through are counted."""

    def __init__(self, clients: list[httpx.AsyncClient]) -> None:
        self.clients = clients
        self.told: Counter[int] = Counter()
        self.units = 0
        self.written: list[str] = []
        self.half_way = asyncio.Event()
        self._numbers = count(1)

    async def run(self) -> None:
        await asyncio.gather(*(self._client(client) for client in self.clients))

    async def _client(self, client: httpx.AsyncClient) -> None:
        while True:
            name = f"room-{next(self._numbers)}"
            wrote = await client.post("/v1/workspaces", json={"name": name})
            read = await client.get("/v1/workspaces") if wrote.status_code == 201 else wrote
            self.told.update({wrote.status_code: 1} if read is wrote else {wrote.status_code: 1, read.status_code: 1})
            if wrote.status_code == 201:
                self.written.append(name)
            self.units += 2 * (wrote.status_code == 201) + (read.status_code == 200)
            if self.units >= LIMIT // 2:
                self.half_way.set()
            if read.status_code != 200:
                return


async def test_killed_under_load_nothing_is_lost_and_each_process_keeps_the_limit(
    processes: list[Application], valkey: EmbeddedValkey, acme: Tenant
) -> None:
    limiters = [cast(FallbackRateLimiter, app.admission._limiter) for app in processes]
    transports = [transport_of(create_api(app, app.settings)) for app in processes]
    async with AsyncExitStack() as stack:
        clients = [
            await stack.enter_async_context(client_of(transports[number % PROCESSES], acme.key))
            for number in range(CLIENTS)
        ]
        load = Load(clients)
        loading = asyncio.create_task(load.run())
        half_way = asyncio.create_task(load.half_way.wait())
        await asyncio.wait((half_way, loading), return_when=asyncio.FIRST_COMPLETED)
        assert half_way.done(), load.told
        server = valkey.running()
        assert server is not None
        assert load.units <= LIMIT
        os.kill(server.pid, signal.SIGKILL)
        await loading

        # No request failed, and no write that was acknowledged is missing.
        assert set(load.told) == {200, 201, 429}
        listed = await acme.get("/v1/workspaces")
        assert {room["path"] for room in listed.json()["items"]} >= set(load.written)
        # The stated factor: as many times the limit as there are processes, the time before the kill included.
        assert LIMIT < load.units <= PROCESSES * LIMIT
        assert [limiter.degraded for limiter in limiters] == [True] * PROCESSES
        ready = (await clients[0].get("/readiness")).json()
        assert ready["state"] == "degraded"
        assert {s["name"]: s["state"] for s in ready["services"]}["rate limits"] == "down"

        asking = [limiter._asking for limiter in limiters]
        valkey.start()
        await asyncio.gather(*(task for task in asking if task is not None))
        ready = (await clients[0].get("/readiness")).json()
        assert {s["name"]: s["state"] for s in ready["services"]}["rate limits"] == "ok"
        # What the processes let through while it was away still counts in them.
        again = [(await client.get("/v1/workspaces")).status_code for client in clients[:PROCESSES]]
        assert again == [429] * PROCESSES
