"""The extraction processes as the system sees them."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

_SRC = Path(__file__).parents[2] / "src"
_POOL = """
import asyncio, operator, sys
from adapters.extraction.offline.process_pool import ProcessPool

async def read():
    print(await ProcessPool(2, imports="operator").map(operator.concat, "a", ["b", "c", "d"]), flush=True)
    sys.stdin.read()

if __name__ == "__main__":
    asyncio.run(read())
"""


def test_a_killed_process_leaves_no_extraction_process_behind() -> None:
    """All of them hold its output open: the output ends when the last of them does."""
    process = subprocess.Popen(
        [sys.executable, "-c", _POOL], stdin=subprocess.PIPE, stdout=subprocess.PIPE, env={"PYTHONPATH": str(_SRC)}
    )
    with process:
        assert process.stdout is not None
        assert process.stdout.readline() == b"['ab', 'ac', 'ad']\n"
        process.kill()
        assert process.communicate(timeout=20)[0] == b""
