"""Resident memory of the API and the worker without offline models, and of an import of typed triples as it goes."""

from __future__ import annotations

import asyncio
import json
import os
import subprocess
import sysconfig
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path

import numpy as np

from benchmarks.report import Line

ASSAY = Path(sysconfig.get_path("scripts")) / "assay"
LIMIT_MB, SAMPLE_SECONDS, START_SECONDS = 500.0, 0.5, 120.0


async def measure(lines: int) -> list[Line]:
    """Starts everything in a folder of its own, imports the lines and samples until the import has ended."""
    return await asyncio.to_thread(_measured, lines)


def _measured(lines: int) -> list[Line]:
    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as name:
        folder, triples = Path(name) / "data", Path(name) / "triples.ndjson"
        _write(triples, lines)
        try:
            _run(folder, "up")
            with ExitStack() as stack:
                watched = {
                    "API": stack.enter_context(_process(folder, "serve")),
                    "worker": stack.enter_context(_process(folder, "work")),
                }
                _wait(lambda: all(process.poll() is None and _rss(process) > 50 for process in watched.values()))
                load = stack.enter_context(_process(folder, "triples", str(triples)))
                watched["import"] = load
                samples = _sampled(watched, load)
                if load.returncode != 0:
                    raise RuntimeError(f"the import ended with exit code {load.returncode}")
        finally:
            _run(folder, "reset", "--yes")
    return _lines(samples, lines)


def _sampled(watched: dict[str, subprocess.Popen[bytes]], load: subprocess.Popen[bytes]) -> dict[str, list[float]]:
    samples: dict[str, list[float]] = {name: [] for name in watched}
    while load.poll() is None:
        for name, process in watched.items():
            if megabytes := _rss(process):
                samples[name].append(megabytes)
        time.sleep(SAMPLE_SECONDS)
    return samples


def _lines(samples: dict[str, list[float]], lines: int) -> list[Line]:
    conditions = (
        f"resident memory while {lines:,} lines of NDJSON were imported by `assay triples`, with an idle API and a "
        f"worker beside it, one run, deterministic vectors and no offline models; a sample every {SAMPLE_SECONDS} s"
    )
    found = []
    for name, taken in samples.items():
        half = np.array(taken[len(taken) // 2 :])
        first, last = float(half[: max(1, len(half) // 4)].mean()), float(half[-max(1, len(half) // 4) :].mean())
        found.append(
            Line(f"most memory, {name}", max(taken), "MB", "limit", LIMIT_MB, 1.0, True, len(taken), conditions)
        )
        found.append(
            Line(f"memory at the end, {name}", last, "MB", "at the middle", first, 1.05, True, len(taken), conditions)
        )
    return found


def _write(path: Path, lines: int) -> None:
    with path.open("w", encoding="utf-8") as file:
        for n in range(lines):
            line = {
                "subject": f"Service {n % 20_000}",
                "predicate": "depends on",
                "object": f"Platform {n * 7 % 90_001}",
            }
            file.write(json.dumps(line) + "\n")


def _environment(folder: Path) -> dict[str, str]:
    kept = {name: os.environ[name] for name in ("PATH", "HOME") if name in os.environ}
    return {
        **kept,
        "LANG": "C.UTF-8",
        "ASSAY_EMBEDDED__FOLDER": str(folder),
        "ASSAY_EMBEDDING__PROVIDER": "deterministic",
        "ASSAY_API__PORT": "0",
    }


def _run(folder: Path, *arguments: str) -> None:
    subprocess.run([ASSAY, *arguments], env=_environment(folder), check=True, capture_output=True, timeout=300)


@contextmanager
def _process(folder: Path, *arguments: str) -> Iterator[subprocess.Popen[bytes]]:
    with subprocess.Popen(
        [ASSAY, *arguments], env=_environment(folder), stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL
    ) as process:
        try:
            yield process
        finally:
            process.kill()


def _wait(ready: Callable[[], bool]) -> None:
    deadline = time.monotonic() + START_SECONDS
    while not ready():
        if time.monotonic() > deadline:
            raise RuntimeError(f"the API or the worker did not start within {START_SECONDS:g} s")
        time.sleep(0.2)


def _rss(process: subprocess.Popen[bytes]) -> float:
    """Megabytes; 0 when the process has ended."""
    try:
        status = Path(f"/proc/{process.pid}/status").read_text("ascii")
    except OSError:
        return 0.0
    found = [line for line in status.splitlines() if line.startswith("VmRSS:")]
    return int(found[0].split()[1]) / 1024 if found else 0.0
