"""Worker processes of their own."""

from __future__ import annotations

import asyncio
import json
import os
import signal
import sys
from pathlib import Path
from uuid import UUID

from tests.services.database import Database

ROOT = Path(__file__).parents[3]


class Fleet:
    """Worker processes, of which one can be killed and replaced.

    Without a graph they keep one in memory. A job to read the version ``deadly`` kills its worker.
    """

    def __init__(self, database: Database, graph: str | None, deadly: UUID | None = None) -> None:
        addresses = {"application": database.application, "queue": database.worker, "graph": graph}
        if deadly:
            addresses["deadly"] = str(deadly)
        self._addresses = json.dumps(addresses).encode() + b"\n"
        self._workers: list[int] = []

    async def open(self) -> None:
        self._forking = await asyncio.create_subprocess_exec(
            sys.executable,
            str(Path(__file__).with_name("working.py")),
            stdin=asyncio.subprocess.PIPE,
            stdout=asyncio.subprocess.PIPE,
            stderr=asyncio.subprocess.DEVNULL,
            env={**os.environ, "PYTHONPATH": f"{ROOT / 'src'}{os.pathsep}{ROOT}"},
        )
        assert self._forking.stdin is not None
        assert self._forking.stdout is not None
        self._orders, self._answers = self._forking.stdin, self._forking.stdout

    async def start(self) -> None:
        self._orders.write(self._addresses)
        await self._orders.drain()
        self._workers.append(int(await self._answers.readline()))

    async def kill_one(self) -> None:
        os.kill(self._workers.pop(0), signal.SIGKILL)
        await self.start()

    async def stop(self) -> list[int]:
        """End them as an operator would; how each of those that were not killed ended."""
        for worker in self._workers:
            os.kill(worker, signal.SIGTERM)
        self._orders.close()
        async with asyncio.timeout(60):
            codes = json.loads(await self._answers.read())
            await self._forking.wait()
        return [codes[str(worker)] for worker in self._workers]
