"""One running Assay for the session, filled by its use cases, with real clients over both transports."""

from __future__ import annotations

import asyncio
import os
import secrets
import sys
from collections.abc import AsyncIterator
from contextlib import AbstractAsyncContextManager, asynccontextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any, TypeVar

import asyncpg
import httpx2
import pytest
import uvicorn
from mcp import Client
from mcp.client.stdio import StdioServerParameters, stdio_client
from mcp.client.streamable_http import streamable_http_client
from pydantic import SecretStr

from adapters.embedded.postgres import PostgresAddress
from adapters.extraction.offline.extractor import DEFAULT_PIPELINE
from entrypoints.api.app import create_api
from entrypoints.application import Application
from entrypoints.bootstrap import application
from entrypoints.mcp.http import mcp_over_http
from entrypoints.sections.models import EmbeddingSettings, ExtractionSettings
from entrypoints.sections.serving import ApiSettings, McpSettings
from entrypoints.sections.stores import CacheSettings, DatabaseSettings, GraphSettings, KeysSettings, ObjectsSettings
from entrypoints.settings import Settings
from tests.entrypoints.mcp.filling import Tenant, fill, new_tenant
from tests.services.database import Database

T = TypeVar("T")
METRICS_KEY = "metrics-key-for-the-tests-only-00001"
SOURCE = Path(__file__).parents[3] / "src"


@asynccontextmanager
async def held(manager: AbstractAsyncContextManager[T]) -> AsyncIterator[T]:
    """Enter and leave a context in one task of its own: a session's fixtures are set up and torn down in two."""
    entered: asyncio.Future[T] = asyncio.get_running_loop().create_future()
    leave = asyncio.Event()

    async def hold() -> None:
        try:
            async with manager as value:
                entered.set_result(value)
                await leave.wait()
        except BaseException as error:
            if entered.done():
                raise
            entered.set_exception(error)

    task = asyncio.create_task(hold())
    try:
        yield await entered
    finally:
        leave.set()
        await task


@pytest.fixture(scope="session")
async def session_database(postgres_server: PostgresAddress, template_database: str) -> Database:
    name = f"mcp_{secrets.token_hex(6)}"
    connection = await asyncpg.connect(postgres_server.dsn)
    await connection.execute(f"CREATE DATABASE {name} TEMPLATE {template_database} STRATEGY file_copy")
    await connection.close()
    return Database(postgres_server, name)


@pytest.fixture(scope="session")
def session_settings(session_database: Database, tmp_path_factory: pytest.TempPathFactory) -> Settings:
    folder = tmp_path_factory.mktemp("mcp")
    return Settings(
        database=DatabaseSettings(url=SecretStr(session_database.application), pool_size=4),
        graph=GraphSettings(engine="postgres"),
        cache=CacheSettings(engine="memory"),
        objects=ObjectsSettings(folder=folder / "objects"),
        keys=KeysSettings(folder=folder / "keys"),
        embedding=EmbeddingSettings(provider="deterministic"),
        extraction=ExtractionSettings(pipeline=DEFAULT_PIPELINE, workers=1),
        api=ApiSettings(allowed_origins=("https://console.example",), metrics_key=SecretStr(METRICS_KEY)),
        # One agent makes the calls of all these tests.
        mcp=McpSettings(calls_per_minute=0),
    )


@pytest.fixture(scope="session")
async def app(session_settings: Settings) -> AsyncIterator[Application]:
    async with held(application(session_settings, name="mcp-tests")) as running:
        yield running


@pytest.fixture(scope="session")
async def acme(app: Application) -> Tenant:
    """The organization whose memory is filled."""
    tenant = await new_tenant(app, "Acme")
    await fill(app, tenant)
    return tenant


@pytest.fixture(scope="session")
async def other(app: Application) -> Tenant:
    """An organization that knows nothing."""
    return await new_tenant(app, "Other")


@asynccontextmanager
async def _served(app: Application) -> AsyncIterator[str]:
    async with mcp_over_http(app) as handler:
        api = create_api(app, app.settings, more=[handler])
        config = uvicorn.Config(api, host="127.0.0.1", port=0, log_level="warning", ws="none", lifespan="on")
        server = uvicorn.Server(config)
        socket = config.bind_socket()
        serving = asyncio.create_task(server.serve([socket]))
        async with httpx2.AsyncClient(base_url=f"http://127.0.0.1:{socket.getsockname()[1]}") as probe:
            while not server.started:
                await asyncio.wait({serving}, timeout=0.02)
                if serving.done():
                    serving.result()
            assert (await probe.get("/health")).status_code == 200
        yield f"http://127.0.0.1:{socket.getsockname()[1]}"
        server.should_exit = True
        await serving


@pytest.fixture(scope="session")
async def address(app: Application) -> AsyncIterator[str]:
    """A real server with the API and MCP on it."""
    async with held(_served(app)) as url:
        yield url


@asynccontextmanager
async def _over_http(url: str, key: str) -> AsyncIterator[Client]:
    headers = {"Authorization": f"Bearer {key}"}
    async with (
        httpx2.AsyncClient(headers=headers, timeout=30) as http,
        Client(streamable_http_client(f"{url}/mcp", http_client=http)) as client,
    ):
        yield client


def environment(settings: Settings) -> dict[str, str]:
    """What a process needs to serve the session's database."""
    assert settings.database.url is not None
    return {
        "PATH": os.environ["PATH"],
        "PYTHONPATH": str(SOURCE),
        "ASSAY_DATABASE__URL": settings.database.url.get_secret_value(),
        "ASSAY_DATABASE__POOL_SIZE": "2",
        "ASSAY_GRAPH__ENGINE": "postgres",
        "ASSAY_CACHE__ENGINE": "memory",
        "ASSAY_OBJECTS__FOLDER": str(settings.objects.folder),
        "ASSAY_KEYS__FOLDER": str(settings.keys.folder),
        "ASSAY_EMBEDDING__PROVIDER": "deterministic",
        "ASSAY_MCP__CALLS_PER_MINUTE": "0",
        "ASSAY_TELEMETRY__LOG_LEVEL": "error",
    }


def _over_stdio(settings: Settings, key: str) -> Client:
    parameters = StdioServerParameters(
        command=sys.executable,
        args=["-m", "entrypoints.mcp.stdio"],
        env=environment(settings) | {"ASSAY_KEY": key},
    )
    return Client(stdio_client(parameters))


@dataclass(frozen=True)
class Agents:
    """Connected clients: an agent of the filled organization, and one of the other."""

    ours: Client
    theirs: Client

    async def ask(self, tool: str, **arguments: Any) -> dict[str, Any]:
        """The structured result of our agent's call, which must succeed."""
        result = await self.ours.call_tool(tool, arguments)
        assert not result.is_error, result.content
        assert isinstance(result.structured_content, dict)
        return result.structured_content

    async def refused(self, tool: str, **arguments: Any) -> dict[str, Any]:
        """The problem of our agent's call, which must be refused."""
        return await refused(self.ours, tool, **arguments)


async def refused(client: Client, tool: str, **arguments: Any) -> dict[str, Any]:
    result = await client.call_tool(tool, arguments)
    assert result.is_error, result.structured_content
    assert isinstance(result.structured_content, dict)
    return result.structured_content


@pytest.fixture(scope="session", params=["stdio", "http"])
async def agents(
    request: pytest.FixtureRequest, session_settings: Settings, address: str, acme: Tenant, other: Tenant
) -> AsyncIterator[Agents]:
    """The same tests over each transport."""

    def connect(key: str) -> AbstractAsyncContextManager[Client]:
        return _over_http(address, key) if request.param == "http" else _over_stdio(session_settings, key)

    async with held(connect(acme.agent_key)) as ours, held(connect(other.agent_key)) as theirs:
        yield Agents(ours, theirs)


@pytest.fixture(scope="session")
async def curator(address: str, acme: Tenant) -> AsyncIterator[Client]:
    """A person with the role owner, over HTTP."""
    async with held(_over_http(address, acme.owner_key)) as client:
        yield client
