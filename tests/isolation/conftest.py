"""One running Assay with two organizations that are filled alike, for all tests of isolation."""

from __future__ import annotations

import sys
from collections import Counter
from collections.abc import AsyncIterator, Iterator
from contextlib import AsyncExitStack, contextmanager
from contextvars import ContextVar
from dataclasses import dataclass, field
from typing import Any
from uuid import UUID

import asyncpg
import httpx
import pytest
import structlog
from pydantic import SecretStr
from structlog.testing import ReturnLogger

from adapters.embedded.postgres import PostgresAddress
from adapters.postgres import pool as pools
from entrypoints.api.app import create_api
from entrypoints.application import Application
from entrypoints.bootstrap import application
from entrypoints.sections.quotas import QuotasSettings
from entrypoints.sections.serving import ApiSettings
from entrypoints.telemetry import Metrics
from tests.entrypoints.api.conftest import METRICS_KEY, OPERATOR_KEY, client_of, transport_of
from tests.entrypoints.conftest import settings_of
from tests.entrypoints.mcp.conftest import held
from tests.isolation.two_organizations import Organization, fill, found, learn_secrets
from tests.services.database import Database, fresh_database

HEARD: ContextVar[list[str] | None] = ContextVar("heard", default=None)


@contextmanager
def statements() -> Iterator[list[str]]:
    """The SQL that this task's requests send, and nothing that the background does."""
    heard: list[str] = []
    token = HEARD.set(heard)
    try:
        yield heard
    finally:
        HEARD.reset(token)


def _hear(record: Any) -> None:
    heard = HEARD.get()
    if heard is not None:
        heard.append(record.query)


async def _listening(connection: asyncpg.Connection) -> None:
    await _register(connection)
    connection.add_query_logger(_hear)


_register = pools.register_types


@dataclass
class Two:
    """The running Assay, its organizations and its numbers."""

    app: Application
    database: Database
    administrator: asyncpg.Connection
    metrics: Metrics
    ours: Organization
    theirs: Organization
    document: dict[str, Any]
    lines: list[str]
    numbers: Counter[str] = field(default_factory=Counter)

    def operations(self) -> Iterator[tuple[str, str, dict[str, Any]]]:
        """Method, path and description of every route."""
        for path, methods in self.document["paths"].items():
            for method, operation in methods.items():
                if method in ("get", "post", "put", "patch", "delete"):
                    yield method.upper(), path, operation

    async def digest(self, organization: str) -> str:
        """Of every row of an organization, but for the audit, which is written behind the answers."""
        tables = await self.administrator.fetch(
            """SELECT c.relname FROM pg_class c
               JOIN pg_attribute a ON a.attrelid = c.oid AND a.attname = 'organization_id'
               WHERE c.relnamespace = 'assay'::regnamespace AND c.relkind IN ('r', 'p') AND NOT c.relispartition
                 AND c.relname <> 'audit' ORDER BY 1"""
        )
        rows = " UNION ALL ".join(
            f"SELECT md5('{name}' || t::text) AS row FROM assay.{name} t WHERE organization_id = $1"
            for (name,) in tables
        )
        rows += " UNION ALL SELECT md5(q::text) FROM assay.pgqueuer q WHERE headers ->> 'organization_id' = $1::text"
        found = await self.administrator.fetchval(
            f"SELECT md5(string_agg(row, '' ORDER BY row)) FROM ({rows})", UUID(organization)
        )
        return str(found)


def _log_lines(patch: pytest.MonkeyPatch) -> list[str]:
    """What every module of ours logs from now on, whatever was configured before."""
    lines: list[str] = []

    def keep(_: object, __: str, event: Any) -> Any:
        lines.append(repr(event))
        raise structlog.DropEvent

    processors: list[structlog.typing.Processor] = [
        structlog.contextvars.merge_contextvars,
        structlog.processors.format_exc_info,
        keep,
    ]
    for name, module in list(sys.modules.items()):
        if name.partition(".")[0] in ("domain", "application", "adapters", "entrypoints"):
            for attribute in ("log", "_log"):
                if hasattr(getattr(module, attribute, None), "bind"):
                    logger = structlog.wrap_logger(
                        ReturnLogger(), processors=processors, wrapper_class=structlog.make_filtering_bound_logger(0)
                    )
                    patch.setattr(module, attribute, logger)
    return lines


async def _job(administrator: asyncpg.Connection, organization: Organization) -> int:
    """A dead letter of the organization."""
    failed: int = await administrator.fetchval(
        """UPDATE assay.pgqueuer SET status = 'failed' WHERE id = (
               SELECT max(id) FROM assay.pgqueuer WHERE headers ->> 'organization_id' = $1
           ) RETURNING id""",
        organization.id,
    )
    return failed


@pytest.fixture(scope="session")
async def two(
    postgres_server: PostgresAddress, template_database: str, tmp_path_factory: pytest.TempPathFactory
) -> AsyncIterator[Two]:
    """Ours asks, theirs is what nothing may be seen of."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(pools, "register_types", _listening)
        lines = _log_lines(patch)
        async with AsyncExitStack() as stack:
            database = await stack.enter_async_context(fresh_database(postgres_server, template_database))
            settings = settings_of(database, tmp_path_factory.mktemp("isolation"))
            api = ApiSettings(
                operator_key=SecretStr(OPERATOR_KEY), metrics_key=SecretStr(METRICS_KEY), allowed_hosts=("assay.test",)
            )
            settings = settings.model_copy(
                update={
                    "api": api,
                    "quotas": QuotasSettings(principal_units=0, organization_units=0, failed_sign_ins=0),
                }
            )
            app = await stack.enter_async_context(held(application(settings)))
            metrics = Metrics()
            transport = transport_of(create_api(app, settings, metrics=metrics))

            def client(key: str) -> httpx.AsyncClient:
                made = client_of(transport, key)
                stack.push_async_callback(made.aclose)
                return made

            administrator = await asyncpg.connect(database.administrator)
            stack.push_async_callback(administrator.close)
            pair = [await found(app, client(OPERATOR_KEY), client, canary) for canary in ("Zanzibarite", "Qwyjibo")]
            for organization in pair:
                await fill(app, organization)
                organization.ids["job"] = await _job(administrator, organization)
            ours, theirs = pair
            await learn_secrets(administrator, ours, UUID(theirs.id))
            await learn_secrets(administrator, theirs, UUID(ours.id))
            document = await ours.ask("GET", "/v1/openapi.json")
            yield Two(app, database, administrator, metrics, ours, theirs, document, lines)
