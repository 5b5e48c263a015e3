"""Commands are in the audit, and the audit on the command line."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.entrypoints.cli.conftest import Cli

pytestmark = pytest.mark.services

MISSING = "00000000-0000-7000-8000-000000000007"


def test_commands_have_lines_which_are_listed_exported_and_kept(cli: Cli, tmp_path: Path) -> None:
    cli.json("organizations", "list")  # The first command of all makes the organization.
    assert cli.run("explain", MISSING).exit_code == 4
    cli.json("workspaces", "create", "audited-by-command")
    found = cli.json("audit", "list", "--limit", "2")
    assert [(line["door"], line["action"], line["what"], line["outcome"]) for line in found] == [
        ("cli", "administer", "assay workspaces create", "ok"),
        ("cli", "read", "assay explain", "not_found"),
    ]
    assert found[1]["objects"] == [MISSING]
    assert "assay explain" in cli.run("audit", "list", "--outcome", "not_found").output
    file = tmp_path / "audit.ndjson"
    exported = cli.json("audit", "export", str(file), "--action", "administer")
    lines = [json.loads(line) for line in file.read_text().splitlines()]
    assert exported["lines"] == len(lines) >= 1
    assert {line["action"] for line in lines} == {"administer"}
    assert cli.json("audit", "list", "--action", "export")[0]["what"] == "assay audit export"


def test_a_file_that_cannot_be_written_is_named(cli: Cli, tmp_path: Path) -> None:
    nowhere = str(tmp_path / "nosuch" / "file")
    for command in ("audit", "journal"):
        result = cli.run(command, "export", nowhere)
        said = f"assay: {nowhere!r} cannot be written: No such file or directory; name another file\n"
        assert (result.exit_code, result.stderr) == (2, said)


def test_how_long_lines_are_kept_is_shown_and_set(cli: Cli) -> None:
    assert cli.json("audit", "keep") == {"days": None, "in_force": 365}
    assert cli.json("audit", "keep", "90") == {"days": 90, "in_force": 90}
    assert cli.json("audit", "keep", "--default") == {"days": None, "in_force": 365}
    assert cli.run("audit", "keep", "29").exit_code == 2
    assert cli.run("audit", "list", "--since", "2026-01-01").exit_code == 2
