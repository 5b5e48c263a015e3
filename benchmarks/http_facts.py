"""``GET /v1/facts`` with an API key, on the real server, beside a bare Litestar route that sends the same statement."""

from __future__ import annotations

import asyncio
import os
import socket
import sys
import tempfile
import time
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from functools import partial
from secrets import token_bytes
from uuid import uuid4

import asyncpg

from adapters.postgres.statements import statements
from benchmarks.http_client import ask_all
from benchmarks.report import Line
from benchmarks.servers import administrator, migrated_database, postgres
from benchmarks.timing import Side, Stopwatch
from benchmarks.triple_patterns import entity_id
from domain.identity.api_key import KEY_BYTES, ApiKey
from tests.services.database import Database
from tests.services.filled_record import fill, finish, prepare, tenant_access

CONNECTIONS, ROUNDS, LIMIT, PREDICATES = 16, 3, 20, 10
SHAPES = ("S P ?", "S ? ?")
START_SECONDS = 60
SERVE = "from entrypoints.cli.main import main; main()"


async def measure(facts: int, *, requests: int = 1_000) -> list[Line]:
    """Each shape three times on each server, in turn."""
    with postgres() as server:
        database = await migrated_database(server)
        async with administrator(database) as connection:
            await prepare(connection)
            await fill(connection, {1: facts})
            await finish(connection)
            key = await _issued(connection)
            await connection.execute("VACUUM ANALYZE")
        return await compared(database, server.process, facts, key, requests)


async def compared(database: Database, postgres_process: int, facts: int, key: str, requests: int) -> list[Line]:
    """Start both servers on a filled record and ask them."""
    headers = {"Authorization": f"Bearer {key}"}
    lines = []
    with tempfile.TemporaryDirectory() as folder:
        async with _assay(database, folder) as (ours, our_process), _bare(database) as (theirs, their_process):
            for shape in SHAPES:
                questions = _questions(shape, facts, requests)
                sides = {
                    (f"{ours}/v1/facts", our_process): Side(),
                    (f"{theirs}/facts", their_process): Side(),
                }
                for address, _ in sides:
                    await _asked(address, questions[: requests // 5], headers)
                for _ in range(ROUNDS):
                    for (address, process), rounds in sides.items():
                        watch = Stopwatch(postgres_process, (process,))
                        await watch.of(rounds, requests, partial(_asked, address, questions, headers))
                lines.append(_line(shape, facts, requests, *sides.values()))
    return lines


def _line(shape: str, facts: int, requests: int, ours: Side, theirs: Side) -> Line:
    return Line(
        f"GET /v1/facts, {shape}", ours.rate, "/s", "bare Litestar route, same statement", theirs.rate, 0.6,
        n=ROUNDS * requests, cpu_ratio=ours.cpu_ratio(theirs),
        conditions=f"{facts:,} facts of one tenant; one process a server, {CONNECTIONS} connections that stay open, up "
        f"to {LIMIT} facts an answer; ours with an API key, a log line, metrics and limits, theirs gives the driver's "
        f"rows; medians of {ROUNDS} rounds in turn",
    )  # fmt: skip


async def _asked(address: str, questions: Sequence[str], headers: dict[str, str]) -> None:
    path = "/" + address.split("/", 3)[3]
    await ask_all(address, [path + question for question in questions], headers, CONNECTIONS)


def _questions(shape: str, facts: int, count: int) -> list[str]:
    entities = max(3, facts // 5)
    asked = []
    for number in range(count):
        query = f"?limit={LIMIT}&subject_id={entity_id(number * 7919 % entities)}"
        asked.append(query + (f"&predicate=RELATION_{number % PREDICATES}" if shape == "S P ?" else ""))
    return asked


async def _issued(connection: asyncpg.Connection) -> str:
    """A key of the tenant's principal for the workspace with the facts."""
    access, sql, key = tenant_access(1), statements("directory"), ApiKey.from_random(token_bytes(KEY_BYTES))
    async with connection.transaction():
        await connection.execute(
            "SELECT enter_tenant($1, $2, $2)", access.organization_id, ",".join(access.read_scopes)
        )
        await connection.execute(sql["set_membership"], access.write_scope, access.principal.id, "member")
        await connection.execute(
            sql["add_key"], uuid4(), access.principal.id, "benchmark", key.prefix, key.digest, "member",
            access.write_scope, None, None, access.principal.id,
        )  # fmt: skip
    return key.text


@asynccontextmanager
async def _assay(database: Database, folder: str) -> AsyncIterator[tuple[str, int]]:
    port = _free_port()
    environment = {
        "ASSAY_DATABASE__URL": database.application,
        "ASSAY_GRAPH__ENGINE": "memory",
        "ASSAY_CACHE__ENGINE": "memory",
        "ASSAY_OBJECTS__FOLDER": f"{folder}/objects",
        "ASSAY_KEYS__FOLDER": f"{folder}/keys",
        "ASSAY_EMBEDDING__PROVIDER": "deterministic",
        "ASSAY_API__PORT": str(port),
    }
    async with _started(["-c", SERVE, "serve"], environment, port) as process:
        yield f"http://127.0.0.1:{port}", process


@asynccontextmanager
async def _bare(database: Database) -> AsyncIterator[tuple[str, int]]:
    port, access = _free_port(), tenant_access(1)
    environment = {
        "BARE_DSN": database.application,
        "BARE_TENANT": f"{access.organization_id} {','.join(access.read_scopes)}",
    }
    command = ["-m", "uvicorn", "benchmarks.bare_route:app", "--port", str(port), "--no-access-log"]
    async with _started(command, environment, port) as process:
        yield f"http://127.0.0.1:{port}", process


@asynccontextmanager
async def _started(arguments: list[str], environment: dict[str, str], port: int) -> AsyncIterator[int]:
    path = os.pathsep.join(path for path in sys.path if path)
    with tempfile.TemporaryFile() as output:
        process = await asyncio.create_subprocess_exec(
            sys.executable,
            *arguments,
            env={**os.environ, **environment, "PYTHONPATH": path},
            stdout=output,
            stderr=output,
        )
        try:
            await _listening(process, port)
            yield process.pid
        except ServerDidNotStart as error:
            output.seek(0)
            raise ServerDidNotStart(f"{error}: {output.read()[-2_000:].decode(errors='replace')}") from None
        finally:
            if process.returncode is None:
                process.terminate()
            await process.wait()


class ServerDidNotStart(RuntimeError):
    """Its last words are in the message."""


async def _listening(process: asyncio.subprocess.Process, port: int) -> None:
    until = time.monotonic() + START_SECONDS
    while time.monotonic() < until and process.returncode is None:
        try:
            _, writer = await asyncio.open_connection("127.0.0.1", port)
        except OSError:
            await asyncio.sleep(0.1)
        else:
            writer.close()
            return
    raise ServerDidNotStart(f"the server on port {port} did not start within {START_SECONDS} s")


def _free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port: int = probe.getsockname()[1]
        return port
