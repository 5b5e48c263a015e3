"""PostgreSQL and FalkorDB are killed in the middle of a load, and nothing that was acknowledged is lost or doubled."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sysconfig
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from click.testing import Result

from adapters.embedded.stack import EmbeddedStack
from tests.entrypoints.cli.conftest import Cli

ASSAY = Path(sysconfig.get_path("scripts")) / "assay"
LINES = 4_000
PATIENCE_SECONDS = 120.0
BETWEEN_LOOKS = 0.2

pytestmark = [pytest.mark.services, pytest.mark.slow]


def _environment(folder: Path) -> dict[str, str]:
    kept = {name: os.environ[name] for name in ("PATH", "HOME") if name in os.environ}
    return {
        **kept,
        "LANG": "C.UTF-8",
        "ASSAY_EMBEDDED__FOLDER": str(folder),
        "ASSAY_EMBEDDING__PROVIDER": "deterministic",
    }


def _assay(folder: Path, *arguments: str) -> Result:
    """A command in this process: asking again and again in new ones would take the time from the load itself."""
    return Cli(folder, _environment(folder)).run(*arguments)


@contextmanager
def _process(folder: Path, *arguments: str) -> Iterator[subprocess.Popen[str]]:
    with subprocess.Popen(
        [ASSAY, *arguments], env=_environment(folder), stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True
    ) as process:
        try:
            yield process
        finally:
            process.kill()


def _receipts(folder: Path) -> list[dict[str, int]]:
    listed: list[dict[str, int]] = json.loads(_assay(folder, "receipts", "--json").stdout)
    return listed


def _wait_for(folder: Path, what: str, *arguments: str) -> None:
    deadline = time.monotonic() + PATIENCE_SECONDS
    while what not in (said := _assay(folder, *arguments).stdout):
        if time.monotonic() > deadline:
            pytest.fail(f"`assay {' '.join(arguments)}` never said {what!r}; it says {said}")
        time.sleep(BETWEEN_LOOKS)  # leaves the processor to the worker


def test_a_load_goes_on_after_postgresql_and_falkordb_were_killed_in_it(tmp_path: Path) -> None:
    folder, triples = tmp_path / ".assay", tmp_path / "triples.ndjson"
    with triples.open("w", encoding="utf-8") as file:
        for n in range(LINES):
            line = {"subject": f"Service {n % 900}", "predicate": "depends on", "object": f"Platform {n}"}
            file.write(json.dumps(line) + "\n")
    try:
        assert _assay(folder, "up").exit_code == 0
        with _process(folder, "triples", str(triples)) as load:
            deadline = time.monotonic() + PATIENCE_SECONDS
            while not (known := _receipts(folder)) or known[0]["stored"] == 0:
                assert time.monotonic() < deadline
            for part in EmbeddedStack(folder).status():
                if part.name in {"postgres", "falkordb"}:
                    assert part.pid is not None
                    os.kill(part.pid, signal.SIGKILL)
            _, said = load.communicate(timeout=60)
            # It may have been quicker than the kill.
            assert load.returncode in {0, 7}
            assert "Traceback" not in said
        assert _assay(folder, "up").exit_code == 0
        stored = _receipts(folder)[0]["stored"]
        assert stored > 0
        again = json.loads(_assay(folder, "triples", str(triples), "--json").stdout)
        assert (again["items"], again["stored"], again["merged"]) == (LINES, LINES - stored, stored)
        with _process(folder, "work"):
            _wait_for(folder, " 0 behind", "graph", "status")
        verified = _assay(folder, "graph", "verify", "--deep")
        assert (verified.exit_code, verified.stdout[:20]) == (0, "equal to the record "), verified.output
        assert _assay(folder, "standings", "rebuild").exit_code == 0
        assert "no failed jobs" in _assay(folder, "jobs", "dead").stdout
    finally:
        _assay(folder, "reset", "--yes")
