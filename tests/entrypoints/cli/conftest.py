"""The command line on servers of its own in a temporary folder, shared by the session."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner, Result

import entrypoints.cli.main
from entrypoints.cli.main import assay
from tests.services.availability import service_missing

_TELLING = """
import sys
from entrypoints.cli.main import main
sys.argv = ["assay", *sys.argv[1:]]
try:
    main()
except SystemExit as stop:
    assert stop.code == 0, stop.code
print(*sorted({name.partition(".")[0] for name in sys.modules}), file=sys.stderr)
"""


def imported_by(*arguments: str, environment: Mapping[str, str] | None = None) -> set[str]:
    """Top-level packages that a process of its own has imported when its command, which must work, is done."""
    source = str(Path(entrypoints.cli.main.__file__).parents[2])
    done = subprocess.run(
        [sys.executable, "-c", _TELLING, *arguments],
        env={"PATH": os.environ["PATH"], "PYTHONPATH": source, **(environment or {})},
        capture_output=True,
        text=True,
        check=True,
    )
    return set(done.stderr.splitlines()[-1].split())


@dataclass(frozen=True, slots=True)
class Cli:
    """Runs commands as a shell would, in this process."""

    folder: Path
    environment: dict[str, str]

    def run(self, *arguments: str, input: str | None = None, key: str | None = None) -> Result:
        """Any command; what it raised is in the result."""
        environment = self.environment | ({"ASSAY_KEY": key} if key else {})
        return CliRunner(env=environment).invoke(assay, arguments, input=input, prog_name="assay")

    def json(self, *arguments: str, input: str | None = None, key: str | None = None) -> Any:
        """What a command that must work prints as JSON."""
        result = self.run(*arguments, "--json", input=input, key=key)
        assert result.exit_code == 0, result.output
        return json.loads(result.stdout)


@pytest.fixture(scope="session")
def cli(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Cli]:
    """A command line whose servers run, with a fast embedder."""
    folder = tmp_path_factory.mktemp("a folder") / ".assay"
    environment = {
        "ASSAY_EMBEDDED__FOLDER": str(folder),
        "ASSAY_EMBEDDING__PROVIDER": "deterministic",
        # Each command that reads text starts its own.
        "ASSAY_EXTRACTION__WORKERS": "1",
    }
    made = Cli(folder, environment)
    started = made.run("up")
    if started.exit_code == 7:
        service_missing("the embedded stack", started.stderr)
    assert started.exit_code == 0, started.output
    yield made
    assert made.run("reset", "--yes").exit_code == 0


@pytest.fixture
def workspace(cli: Cli, request: pytest.FixtureRequest) -> Callable[..., Any]:
    """JSON of a command in a workspace of the test's own."""
    name = f"w{abs(hash(request.node.nodeid)) % 10**12}"
    cli.json("workspaces", "create", name)

    def run(*arguments: str, **rest: Any) -> Any:
        return cli.json(*arguments, "--scope", name, **rest)

    return run
