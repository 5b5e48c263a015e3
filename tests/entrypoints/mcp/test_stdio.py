"""How the process on standard input starts, and when it does not."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from domain.errors import NotAuthenticated
from entrypoints.mcp.stdio import KEY_FILE, key_of_folder
from entrypoints.sections.stores import EmbeddedSettings
from entrypoints.settings import Settings
from tests.entrypoints.mcp.conftest import environment


def test_an_embedded_folder_lends_its_key(tmp_path: Path) -> None:
    settings = Settings(embedded=EmbeddedSettings(folder=tmp_path))
    with pytest.raises(NotAuthenticated, match="set ASSAY_KEY to one that an administrator issued"):
        key_of_folder(settings)
    (tmp_path / KEY_FILE).write_text("assay_key\n", encoding="utf-8")
    assert key_of_folder(settings) == "assay_key"


def test_a_remote_database_lends_no_key(session_settings: Settings, tmp_path: Path) -> None:
    (tmp_path / KEY_FILE).write_text("assay_key\n", encoding="utf-8")
    remote = session_settings.model_copy(update={"embedded": EmbeddedSettings(folder=tmp_path)})
    with pytest.raises(NotAuthenticated):
        key_of_folder(remote)


def test_with_a_wrong_key_it_does_not_start(session_settings: Settings) -> None:
    ended = subprocess.run(
        [sys.executable, "-m", "entrypoints.mcp.stdio"],
        env=environment(session_settings) | {"ASSAY_KEY": "assay_" + "A" * 43},
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
    )
    assert (ended.returncode, ended.stdout) == (1, "")
    assert ended.stderr.startswith("assay mcp: ")
    assert "Traceback" not in ended.stderr
