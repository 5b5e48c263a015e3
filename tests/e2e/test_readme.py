"""What the README tells people to type exists."""

from __future__ import annotations

import re
import shlex
from pathlib import Path

import click
import pytest

from entrypoints.cli.main import assay

ROOT = Path(__file__).parents[2]
README = (ROOT / "README.md").read_text(encoding="utf-8")
LINES = [line for block in re.findall(r"```sh\n(.*?)```", README, re.DOTALL) for line in block.splitlines() if line]
COMMANDS = [line for line in LINES if line.startswith("assay ")]


@pytest.mark.parametrize("line", COMMANDS)
def test_the_command_line_understands_it(line: str) -> None:
    words = shlex.split(line)[1:]
    if words[0].startswith("-"):
        with pytest.raises(click.exceptions.Exit):
            assay.make_context("assay", words)
        return
    command: click.Command = assay
    while isinstance(command, click.Group):
        found = command.get_command(click.Context(command), words.pop(0))
        assert found is not None, line
        command = found
    command.make_context(command.name, words)


def test_make_knows_its_targets() -> None:
    makefile = (ROOT / "Makefile").read_text(encoding="utf-8")
    targets = {target for line in LINES if line.startswith("make ") for target in line.split()[1:]}
    assert targets == {"run", "test", "lint", "types", "contracts", "bench"}
    assert targets <= set(re.findall(r"^(\w+):", makefile, re.MULTILINE))


def test_nothing_else_is_typed() -> None:
    assert [line for line in LINES if not line.startswith(("assay ", "make "))] == []


def test_what_it_links_to_and_names_is_there() -> None:
    linked = re.findall(r"\]\(([^)#:]+)\)", README)
    named = re.findall(r"`((?:src|tests|deploy|docs)/[\w./-]+)`", README)
    assert [name for name in (*linked, *named) if not (ROOT / name).exists()] == []
