"""`assay run` from an empty folder to a clean end, as a person at a terminal would have it."""

from __future__ import annotations

import asyncio
import os
import queue
import re
import signal
import subprocess
import sysconfig
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import IO

import httpx2
import pytest
from mcp import Client
from mcp.client.stdio import StdioServerParameters, stdio_client
from mcp.client.streamable_http import streamable_http_client

ASSAY = Path(sysconfig.get_path("scripts")) / "assay"
START_SECONDS = 240
STOP_SECONDS = 60

pytestmark = [pytest.mark.services, pytest.mark.slow]


@dataclass
class Run:
    """A running `assay run`, and what it printed until it was ready."""

    process: subprocess.Popen[str]
    folder: Path
    lines: list[str] = field(default_factory=list)

    def value(self, name: str) -> str:
        """A line's value, such as that of ``address``."""
        return next(line.split()[len(name.split())] for line in self.lines if line.startswith(name))

    def stop(self, number: signal.Signals) -> int:
        """Send the signal; the exit code."""
        self.process.send_signal(number)
        return self.process.wait(STOP_SECONDS)


def _environment(folder: Path) -> dict[str, str]:
    kept = {name: os.environ[name] for name in ("PATH", "HOME") if name in os.environ}
    return {
        **kept,
        "LANG": "C.UTF-8",
        "ASSAY_EMBEDDED__FOLDER": str(folder),
        "ASSAY_API__PORT": "0",
    }


def _read(output: IO[str], lines: queue.Queue[str | None]) -> None:
    for line in output:
        lines.put(line.rstrip("\n"))
    lines.put(None)


@contextmanager
def _running(folder: Path) -> Iterator[Run]:
    process = subprocess.Popen(
        [ASSAY, "run"], env=_environment(folder), stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True
    )
    run = Run(process, folder)
    lines: queue.Queue[str | None] = queue.Queue()
    assert process.stdout is not None
    reader = threading.Thread(target=_read, args=(process.stdout, lines), daemon=True)
    reader.start()
    try:
        while not run.lines or "Ctrl-C stops everything" not in run.lines[-1]:
            try:
                line = lines.get(timeout=START_SECONDS)
            except queue.Empty:
                pytest.fail("it does not get on:\n" + "\n".join(run.lines))
            if line is None:
                pytest.fail("it ended:\n" + "\n".join(run.lines))
            run.lines.append(line)
        yield run
    finally:
        if process.poll() is None:
            run.stop(signal.SIGTERM)
        reader.join(10)
        process.stdout.close()


def _assay(folder: Path, *arguments: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [ASSAY, *arguments], env=_environment(folder), capture_output=True, text=True, timeout=60, check=False
    )


def _processes_of(folder: Path) -> list[str]:
    """Command lines that name the folder, or whose environment does."""
    found = []
    for entry in Path("/proc").glob("[0-9]*"):
        try:
            command = (entry / "cmdline").read_bytes()
            environment = (entry / "environ").read_bytes()
        except OSError:
            continue
        if command and str(folder).encode() in command + environment:
            found.append(command.replace(b"\0", b" ").decode(errors="replace"))
    return found


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The data folder; its path has a space."""
    return tmp_path_factory.mktemp("a run") / ".assay"


async def test_the_first_start_loads_the_sample_answers_and_serves(folder: Path) -> None:
    with _running(folder) as run:
        text = "\n".join(run.lines)
        for words in ("Tomas Verhoeven", "Malmö", "Gothenburg", "Lê Thị Minh Châu"):
            assert words in text
        address, key = run.value("address"), run.value("API key")
        assert key == (folder / "operator.key").read_text()
        async with httpx2.AsyncClient(headers={"Authorization": f"Bearer {key}"}, timeout=30) as http:
            assert (await http.get(f"{address}/health")).json() == {"state": "ok"}
            found = (await http.get(f"{address}/v1/search", params={"q": "chief executive of Kelvara"})).json()
            assert "Kelvara Cold Chain" in found["hits"][0]["fact"]["sentence"]
            assert (await http.get(f"{address}/v1/search", headers={"Authorization": ""})).status_code == 401
            async with Client(streamable_http_client(f"{address}/mcp", http_client=http)) as agent:
                await _an_agent_finds_something(agent)
        server = StdioServerParameters(command=str(ASSAY), args=["mcp"], env=_environment(folder))
        async with Client(stdio_client(server)) as agent:
            await _an_agent_finds_something(agent)

        second = await asyncio.to_thread(_assay, folder, "run")
        assert second.returncode == 5
        assert re.fullmatch(
            rf"assay: Assay runs in {re.escape(str(folder))} already \(process {run.process.pid}\) and answers on "
            rf"{re.escape(address)}; use it, or stop it first\n",
            second.stderr,
        )
        assert run.stop(signal.SIGINT) == 0
    assert _processes_of(folder) == []


async def _an_agent_finds_something(agent: Client) -> None:
    assert "search_knowledge" in {tool.name for tool in (await agent.list_tools()).tools}
    answer = await agent.call_tool("search_knowledge", {"query": "chief executive of Kelvara"})
    assert not answer.is_error
    assert "Tomas Verhoeven" in str(answer.structured_content)


def test_the_second_start_loads_nothing_and_ends_on_a_termination_signal(folder: Path) -> None:
    with _running(folder) as run:
        text = "\n".join(run.lines)
        assert "loading the sample workspace" not in text
        assert "Tomas Verhoeven" in text
        assert run.stop(signal.SIGTERM) == 0
    assert _processes_of(folder) == []
