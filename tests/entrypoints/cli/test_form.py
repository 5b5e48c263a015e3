"""What all commands have in common."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path

import click
import pytest
from click.testing import CliRunner

from domain import errors
from domain.errors import AssayError
from entrypoints.cli.failures import EXIT_CODES, exit_code_of, refusing
from entrypoints.cli.main import COMMANDS, assay
from entrypoints.cli.output import plain
from tests.entrypoints.cli.conftest import imported_by

STAYING = {"serve", "work", "mcp", "run"}
"""Commands that stay: they have nothing to print as JSON."""


def _leaves(group: click.Group, path: tuple[str, ...] = ()) -> Iterator[tuple[tuple[str, ...], click.Command]]:
    context = click.Context(group)
    for name in group.list_commands(context):
        command = group.get_command(context, name)
        assert command is not None
        if isinstance(command, click.Group):
            yield from _leaves(command, (*path, name))
        else:
            yield (*path, name), command


LEAVES = dict(_leaves(assay))


@pytest.mark.parametrize("path", LEAVES, ids=" ".join)
def test_every_command_explains_itself_and_offers_json(path: tuple[str, ...]) -> None:
    result = CliRunner().invoke(assay, [*path, "--help"], prog_name="assay")
    assert result.exit_code == 0
    assert LEAVES[path].help
    assert ("--json" in result.stdout) is (path[0] not in STAYING)


def test_the_list_of_commands_says_what_each_says_itself() -> None:
    context = click.Context(assay)
    for name, (_, told) in COMMANDS.items():
        command = assay.get_command(context, name)
        assert command is not None
        assert command.get_short_help_str(limit=1_000) == told
    listed = CliRunner().invoke(assay, ["--help"], prog_name="assay").stdout.partition("Commands:\n")[2]
    for name, (_, told) in COMMANDS.items():
        assert f"  {name} " in listed
        assert told.split()[-1] in listed


def test_the_help_imports_next_to_nothing() -> None:
    heavy = {
        "application",
        "adapters",
        "numpy",
        "pydantic",
        "structlog",
        "rich",
        "msgspec",
        "litestar",
        "opentelemetry",
    }
    assert imported_by("--help") & heavy == set()


def test_a_command_imports_no_server_and_no_client_that_it_does_not_use() -> None:
    heavy = {"litestar", "uvicorn", "mcp", "pgqueuer", "boto3", "bs4", "pypdf", "spacy", "graphiti_core", "openai"}
    for name in ("search", "receipts", "facts", "neighbours", "triples", "pending"):
        assert imported_by(name, "--help") & heavy == set(), name


def _families(error: type[AssayError] = AssayError) -> Iterator[type[AssayError]]:
    for below in error.__subclasses__():
        yield below
        yield from _families(below)


def test_every_error_has_an_exit_code() -> None:
    codes = {error: exit_code_of(error) for error in _families() if error.__module__.startswith(("domain", "entry"))}
    assert codes[errors.InvalidInput] == 2
    assert codes[errors.NotAuthenticated] == codes[errors.Forbidden] == 3
    assert codes[errors.ArtifactMissing] == codes[errors.Unavailable] == 7
    assert set(codes.values()) == set(EXIT_CODES.values())


def _failing(error: Exception) -> click.Command:
    def fail() -> None:
        raise error

    return click.Command("fail", callback=lambda: refusing(fail))


def test_what_nobody_expected_is_one_line_without_a_traceback() -> None:
    result = CliRunner().invoke(_failing(RuntimeError("a secret of the driver")))
    assert (result.exit_code, result.stdout) == (1, "")
    assert result.stderr == (
        "assay: something unexpected went wrong (RuntimeError); "
        "set ASSAY_TELEMETRY__LOG_LEVEL=debug and try again to see where\n"
    )


def test_an_error_is_one_line_with_the_exit_code_of_its_family() -> None:
    result = CliRunner().invoke(_failing(errors.Conflict("it changed; read it again")))
    assert (result.exit_code, result.stderr) == (5, "assay: it changed; read it again\n")


def test_texts_cannot_command_the_terminal() -> None:
    assert plain("red \x1b[31m and \x07 [bold]not bold[/bold]").plain == "red  [31m and   [bold]not bold[/bold]"


def test_an_unknown_setting_stops_a_command_with_its_name() -> None:
    result = CliRunner(env={"ASSAY_GRAPH__ENGIN": "neo4j"}).invoke(assay, ["status", "--json"])
    assert result.exit_code == 2
    assert json.loads(result.stderr) == {
        "code": "settings_invalid",
        "detail": "ASSAY_GRAPH__ENGIN: there is no such setting; did you mean ASSAY_GRAPH__ENGINE?",
    }


def test_servers_of_others_are_neither_started_nor_deleted() -> None:
    for command in (["up"], ["down"], ["status"], ["reset", "--yes"], ["run"]):
        result = CliRunner(env={"ASSAY_DATABASE__URL": "postgresql://nobody@127.0.0.1/nothing"}).invoke(assay, command)
        assert result.exit_code == 2
        assert result.stderr.startswith(
            "assay: ASSAY_DATABASE__URL is set, so Assay uses servers that are not its own;"
        )


@pytest.mark.parametrize(
    "command",
    [
        ["search", "Acme"], ["receipts"], ["ingest", "."], ["triples", "-"], ["workspaces", "list"],
        ["organizations", "create", "A", "--owner", "O"], ["migrate"], ["serve"], ["work"], ["mcp"],
    ],
    ids=" ".join,
)  # fmt: skip
def test_where_nothing_was_started_a_command_says_so_and_starts_nothing(
    command: list[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    result = CliRunner(env={"ASSAY_KEY": "assay_x"}).invoke(assay, command, prog_name="assay")
    assert result.exit_code == 4, result.output
    assert result.stderr == (
        f"assay: there is no Assay in {tmp_path / '.assay'}; start one here with `assay run` or `assay up`, "
        "go to the folder where one is, or name it: ASSAY_EMBEDDED__FOLDER for its data folder, "
        "ASSAY_DATABASE__URL for servers of your own\n"
    )
    assert list(tmp_path.iterdir()) == []


def test_an_argument_that_is_no_utf_8_is_refused_in_words() -> None:
    result = CliRunner().invoke(assay, ["search", "who\udcff"], prog_name="assay")
    assert result.exit_code == EXIT_CODES[errors.InvalidInput]
    words = r"character 4 of 'who\udcff' is half a surrogate pair (U+DCFF), which is no text; remove it"
    assert words in " ".join(result.stderr.split())
