"""A worker that erases, as a program of its own: it forks one for each line of JSON with addresses.

{"application": dsn, "queue": dsn, "graph": url, "cache": url, "folder": path}. Each runs until SIGTERM.
"""

from __future__ import annotations

import asyncio
import json
import os
import signal
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from adapters.graphiti.falkordb_engine import FalkorDBMemoryEngine
from adapters.postgres.pool import open_pool
from domain.ports.job_queue import JobKind
from entrypoints.sections.serving import TelemetrySettings
from entrypoints.telemetry import Metrics, configure_logging
from entrypoints.worker.main import run_worker
from tests.integration.erasure.stores import in_folder
from tests.integration.worker.working import QUICK, work_on


async def erase_until_told(addresses: Mapping[str, Any]) -> None:
    """One worker with the handlers of a real one, on the servers and the folder of the test."""
    stop = asyncio.Event()
    asyncio.get_running_loop().add_signal_handler(signal.SIGTERM, stop.set)
    pool = await open_pool(addresses["application"], maximum=4)
    engine = FalkorDBMemoryEngine.at(addresses["graph"], connections=4)
    async with in_folder(pool, engine, Path(addresses["folder"]), addresses["cache"], lease_seconds=2.0) as stores:
        work = work_on(pool, addresses["queue"], engine, {JobKind.ERASE: stores.handler})
        await run_worker(work, Metrics(), stop, QUICK)
    await engine.aclose()
    await pool.close()


def fork_workers() -> None:
    """Imports are done once: each line read makes a worker, whose id is written."""
    configure_logging(TelemetrySettings(log_level="error"))
    for line in sys.stdin:
        child = os.fork()
        if child == 0:
            asyncio.run(erase_until_told(json.loads(line)))
            os._exit(0)
        sys.stdout.write(f"{child}\n")
        sys.stdout.flush()
    while True:
        try:
            os.wait()
        except ChildProcessError:
            return


if __name__ == "__main__":
    fork_workers()
