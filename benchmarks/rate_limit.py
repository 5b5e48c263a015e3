"""A read over the API with and without the rate limiter, in turn in one process, and the round trips of a check."""

from __future__ import annotations

import asyncio
import statistics
import tempfile
import time
from contextlib import AsyncExitStack
from pathlib import Path
from typing import Any

from pydantic import SecretStr
from valkey.asyncio import Valkey

from adapters.embedded.valkey import EmbeddedValkey
from benchmarks.servers import migrated_database, postgres
from entrypoints.api.app import create_api
from entrypoints.bootstrap import application
from entrypoints.sections.quotas import QuotasSettings
from entrypoints.sections.serving import ApiSettings
from entrypoints.sections.stores import CacheSettings
from entrypoints.settings import Settings
from tests.entrypoints.conftest import settings_of

ROUNDS, REQUESTS, AT_ONCE = 8, 400, 8
OPERATOR = "operator-key-of-the-benchmark-000001"
PATH = "/v1/facts"
QUERY = b"subject=Ada&predicate=knows"


async def asked(api: Any, key: str, query: bytes = QUERY, path: str = PATH, body: bytes = b"") -> tuple[int, bytes]:
    """One request to the ASGI application itself: status and body."""
    told: dict[str, Any] = {"status": 0, "body": b""}

    async def receive() -> dict[str, Any]:
        return {"type": "http.request", "body": body, "more_body": False}

    async def send(message: dict[str, Any]) -> None:
        if message["type"] == "http.response.start":
            told["status"] = message["status"]
        else:
            told["body"] += message.get("body", b"")

    headers = [
        (b"host", b"assay.test"),
        (b"authorization", b"Bearer " + key.encode()),
        (b"content-type", b"application/json"),
    ]
    await api(
        {
            "type": "http", "asgi": {"version": "3.0"}, "http_version": "1.1", "method": "POST" if body else "GET",
            "scheme": "http", "path": path, "raw_path": path.encode(), "root_path": "", "query_string": query,
            "headers": headers, "client": ("127.0.0.1", 1), "server": ("127.0.0.1", 80), "state": {},
        },
        receive,
        send,
    )  # fmt: skip
    return told["status"], told["body"]


async def seconds_of_processor(api: Any, key: str, requests: int) -> float:
    """What this process spends on the requests, eight at a time."""
    began = time.process_time()

    async def client() -> None:
        for _ in range(requests // AT_ONCE):
            status, body = await asked(api, key)
            assert status == 200, body

    await asyncio.gather(*(client() for _ in range(AT_ONCE)))
    return time.process_time() - began


async def measure(rounds: int = ROUNDS, requests: int = REQUESTS) -> list[str]:
    """Lines of the result."""
    async with AsyncExitStack() as stack:
        folder = Path(stack.enter_context(tempfile.TemporaryDirectory(ignore_cleanup_errors=True)))
        database = await migrated_database(stack.enter_context(postgres()))
        valkey = EmbeddedValkey(folder / "valkey", directives=("appendfsync no",))
        stack.callback(valkey.stop)
        url = valkey.start().url
        client = await stack.enter_async_context(Valkey.from_url(url))
        shared = {
            "api": ApiSettings(operator_key=SecretStr(OPERATOR), allowed_hosts=("assay.test",)),
            "cache": CacheSettings(engine="valkey", url=SecretStr(url)),
        }
        base: Settings = settings_of(database, folder).model_copy(update=shared)
        unlimited = QuotasSettings(principal_units=0, organization_units=0, failed_sign_ins=0)
        sides = []
        for quotas in (QuotasSettings(principal_units=10_000_000, organization_units=10_000_000), unlimited):
            app = await stack.enter_async_context(application(base.model_copy(update={"quotas": quotas})))
            sides.append(create_api(app, app.settings))
        status, made = await asked(sides[0], OPERATOR, b"", "/v1/organizations", b'{"name": "Acme", "owner": "Olga"}')
        assert status == 201, made
        key = made.decode().split('"key":"')[1].split('"')[0]
        for api in sides:
            await seconds_of_processor(api, key, 40)
        before = await client.info("all")
        spent: list[list[float]] = [[], []]
        for number in range(rounds):
            for which in (0, 1) if number % 2 else (1, 0):
                spent[which].append(await seconds_of_processor(sides[which], key, requests))
        after = await client.info("all")
        checks = after["cmdstat_evalsha"]["calls"] - before["cmdstat_evalsha"]["calls"]
        micros = (after["cmdstat_evalsha"]["usec"] - before["cmdstat_evalsha"]["usec"]) / checks
        reads = after["total_reads_processed"] - before["total_reads_processed"] - 1
        ratios = [bare / limited for limited, bare in zip(*spent, strict=True)]
        each = [1e6 * statistics.median(side) / requests for side in spent]
        return [
            f"{rounds * requests} requests with the limiter; Valkey ran {checks} scripts in {reads} reads",
            f"a script takes {micros:.0f} us in Valkey",
            f"processor time a request: {each[0]:.0f} us with, {each[1]:.0f} us without it (median of {rounds})",
            f"throughput with / without: {statistics.median(ratios):.3f}, {min(ratios):.3f} to {max(ratios):.3f}",
        ]


if __name__ == "__main__":
    print("\n".join(asyncio.run(measure())))
