"""What the audit costs a read: ``GET /v1/facts`` with and without it, on one running Assay, in turn."""

from __future__ import annotations

import asyncio
import tempfile
from collections.abc import Sequence
from functools import partial
from pathlib import Path
from typing import Any

from pydantic import SecretStr

from benchmarks.http_facts import CONNECTIONS, LIMIT, SHAPES, _issued, _questions
from benchmarks.report import Line
from benchmarks.servers import administrator, migrated_database, postgres
from benchmarks.timing import Side, Stopwatch, in_turn
from entrypoints.api.app import create_api
from entrypoints.api.audited import Audited
from entrypoints.application import Application
from entrypoints.bootstrap import application
from entrypoints.sections.models import EmbeddingSettings
from entrypoints.sections.quotas import QuotasSettings
from entrypoints.sections.stores import CacheSettings, DatabaseSettings, GraphSettings, KeysSettings, ObjectsSettings
from entrypoints.settings import Settings
from entrypoints.telemetry import configure_logging
from tests.services.database import Database
from tests.services.filled_record import fill, finish, prepare

ROUNDS = 8


async def measure(facts: int, *, requests: int = 1_000) -> list[Line]:
    """Each shape in rounds in turn; a round with the audit ends when its lines are committed."""
    with postgres() as server, tempfile.TemporaryDirectory() as folder:
        database = await migrated_database(server)
        async with administrator(database) as connection:
            await prepare(connection)
            await fill(connection, {1: facts})
            await finish(connection)
            key = await _issued(connection)
            await connection.execute("VACUUM ANALYZE")
        settings = _settings(database, Path(folder))
        configure_logging(settings.telemetry.model_copy(update={"log_level": "error"}))
        async with application(settings, look=False) as app:
            audited, bare = create_api(app, settings), _without_audit(app)
            lines = []
            for shape in SHAPES:
                asked = _questions(shape, facts, requests)
                work = {
                    "audited": partial(_asked, audited, asked, key, app),
                    "bare": partial(_asked, bare, asked, key, app),
                }
                sides = await in_turn(work, requests, ROUNDS, Stopwatch(server.process))
                lines.append(_line(shape, facts, requests, sides["audited"], sides["bare"]))
    return lines


def _line(shape: str, facts: int, requests: int, audited: Side, bare: Side) -> Line:
    return Line(
        f"GET /v1/facts with its audit, {shape}", audited.rate, "/s", "the same without", bare.rate, 0.97,
        n=ROUNDS * requests, cpu_ratio=audited.cpu_ratio(bare),
        conditions=f"{facts:,} facts; the application without an HTTP server before it, {CONNECTIONS} at a time, up to "
        f"{LIMIT} facts an answer; every line is committed within its round; medians of {ROUNDS} rounds in turn",
    )  # fmt: skip


def _settings(database: Database, folder: Path) -> Settings:
    return Settings(
        database=DatabaseSettings(url=SecretStr(database.application)),
        graph=GraphSettings(engine="memory"),
        cache=CacheSettings(engine="memory"),
        objects=ObjectsSettings(folder=folder / "objects"),
        keys=KeysSettings(folder=folder / "keys"),
        embedding=EmbeddingSettings(provider="deterministic"),
        quotas=QuotasSettings(principal_units=0, organization_units=0),
    )


def _without_audit(app: Application) -> Any:
    """The same with the audit taken out of what wraps the router."""
    api = create_api(app, app.settings)
    around: Any = api.asgi_handler
    while not isinstance(around._app, Audited):
        around = around._app
    around._app = around._app._app
    return api


async def _asked(handler: Any, questions: Sequence[str], key: str, app: Application) -> None:
    waiting = iter(questions)

    async def client() -> None:
        for question in waiting:
            await _ask(handler, question, key)

    await asyncio.gather(*(client() for _ in range(CONNECTIONS)))
    await app.audit.trail.flush()


async def _ask(handler: Any, question: str, key: str) -> None:
    scope = {
        "type": "http", "asgi": {"version": "3.0"}, "http_version": "1.1", "method": "GET", "scheme": "http",
        "path": "/v1/facts", "raw_path": b"/v1/facts", "query_string": question[1:].encode(), "root_path": "",
        "headers": [(b"host", b"localhost"), (b"authorization", f"Bearer {key}".encode())],
        "client": ("127.0.0.1", 1), "server": ("localhost", 80), "state": {},
    }  # fmt: skip
    status = 0

    async def receive() -> dict[str, object]:
        return {"type": "http.request", "body": b"", "more_body": False}

    async def send(message: dict[str, Any]) -> None:
        nonlocal status
        status = message.get("status", status)

    await handler(scope, receive, send)
    if status != 200:
        raise RuntimeError(f"the answer was {status}")
