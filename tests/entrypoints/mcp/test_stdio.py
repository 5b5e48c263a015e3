"""How the process on standard input starts, and when it does not."""

from __future__ import annotations

import subprocess
import sys

from entrypoints.settings import Settings
from tests.entrypoints.mcp.conftest import environment


def start(settings: Settings, **variables: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-m", "entrypoints.mcp.stdio"],
        env=environment(settings) | variables,
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )


def test_without_a_key_it_says_how_to_give_one(session_settings: Settings) -> None:
    ended = start(session_settings)
    assert (ended.returncode, ended.stdout) == (1, "")
    assert ended.stderr == "assay mcp: no API key: set ASSAY_KEY to one that an administrator issued to the agent\n"


def test_with_a_wrong_key_it_does_not_start(session_settings: Settings) -> None:
    ended = start(session_settings, ASSAY_KEY="assay_" + "A" * 43)
    assert (ended.returncode, ended.stdout) == (1, "")
    assert ended.stderr.startswith("assay mcp: ")
    assert "Traceback" not in ended.stderr
