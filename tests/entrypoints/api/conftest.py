"""The real application over HTTP, started once for the tests of a file; each has two organizations of its own."""

from __future__ import annotations

from collections.abc import AsyncIterator
from dataclasses import dataclass
from typing import Any, cast

import httpx
import pytest
from litestar import Litestar
from pydantic import SecretStr

from entrypoints.api.app import create_api
from entrypoints.application import Application
from entrypoints.bootstrap import application
from entrypoints.sections.serving import ApiSettings
from entrypoints.settings import Settings
from tests.entrypoints.conftest import settings_of
from tests.services.database import Database
from tests.services.shared_database import database as database
from tests.services.shared_database import pool as pool

OPERATOR_KEY = "operator-key-for-the-tests-only-0001"
METRICS_KEY = "metrics-key-for-the-tests-only-00001"


@dataclass(frozen=True, slots=True)
class Tenant:
    """An organization, its owner, and a client that sends the owner's key."""

    id: str
    owner_id: str
    key: str
    client: httpx.AsyncClient

    async def get(self, path: str, **parameters: Any) -> httpx.Response:
        return await self.client.get(path, params=parameters)

    async def post(self, path: str, body: object, **parameters: Any) -> httpx.Response:
        return await self.client.post(path, json=body, params=parameters)


@pytest.fixture(scope="module")
def settings(database: Database, tmp_path_factory: pytest.TempPathFactory) -> Settings:
    return settings_of(database, tmp_path_factory.mktemp("files"))


@pytest.fixture(scope="module")
async def running(settings: Settings) -> AsyncIterator[Application]:
    api = ApiSettings(
        operator_key=SecretStr(OPERATOR_KEY), metrics_key=SecretStr(METRICS_KEY), allowed_hosts=("assay.test",)
    )
    async with application(settings.model_copy(update={"api": api})) as app:
        yield app


def transport_of(api: Litestar) -> httpx.ASGITransport:
    return httpx.ASGITransport(cast(Any, api))


@pytest.fixture(scope="module")
def transport(running: Application) -> httpx.ASGITransport:
    return transport_of(create_api(running, running.settings))


def client_of(transport: httpx.ASGITransport, key: str | None = None) -> httpx.AsyncClient:
    headers = {"Authorization": f"Bearer {key}"} if key else {}
    return httpx.AsyncClient(transport=transport, base_url="http://assay.test", headers=headers)


@pytest.fixture
async def anonymous(transport: httpx.ASGITransport) -> AsyncIterator[httpx.AsyncClient]:
    async with client_of(transport) as client:
        yield client


@pytest.fixture
async def operator(transport: httpx.ASGITransport) -> AsyncIterator[httpx.AsyncClient]:
    async with client_of(transport, OPERATOR_KEY) as client:
        yield client


async def _tenant(transport: httpx.ASGITransport, operator: httpx.AsyncClient, name: str) -> Tenant:
    answer = await operator.post("/v1/organizations", json={"name": name, "owner": "Olga"})
    assert answer.status_code == 201, answer.text
    made = answer.json()
    return Tenant(made["id"], made["owner_id"], made["key"], client_of(transport, made["key"]))


@pytest.fixture
async def acme(transport: httpx.ASGITransport, operator: httpx.AsyncClient) -> AsyncIterator[Tenant]:
    tenant = await _tenant(transport, operator, "Acme")
    yield tenant
    await tenant.client.aclose()


@pytest.fixture
async def other(transport: httpx.ASGITransport, operator: httpx.AsyncClient) -> AsyncIterator[Tenant]:
    tenant = await _tenant(transport, operator, "Other")
    yield tenant
    await tenant.client.aclose()
