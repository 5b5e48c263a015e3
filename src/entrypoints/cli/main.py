"""The command line as a whole. A command's module is imported when the command is used."""

from __future__ import annotations

import importlib
import importlib.metadata

import click

from entrypoints.cli.acting import take_key_from_environment

MODULES = {
    "administration": ("organizations", "workspaces"),
    "graph": ("graph", "standings", "embeddings"),
    "ingesting": ("ingest",),
    "jobs": ("jobs",),
    "keys": ("keys",),
    "memory": ("remember", "recall"),
    "patterns": ("facts", "predicates", "explain"),
    "pending": ("pending",),
    "proposals": ("proposals",),
    "receipts": ("receipt", "receipts"),
    "retracting": ("retract", "reprocess"),
    "searching": ("search", "entity", "feedback"),
    "running": ("run",),
    "serving": ("serve", "work", "mcp"),
    "sources": ("sources", "collections"),
    "stack": ("up", "down", "status", "reset", "migrate"),
    "triples": ("triples",),
    "walking": ("neighbours", "path"),
}
"""Modules of this package, and the commands that each of them has."""

_MODULE_OF = {command: module for module, commands in MODULES.items() for command in commands}


class _OnDemand(click.Group):
    def list_commands(self, ctx: click.Context) -> list[str]:
        return sorted(_MODULE_OF)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        module = _MODULE_OF.get(cmd_name)
        if module is None:
            return None
        commands: tuple[click.Command, ...] = importlib.import_module(f"entrypoints.cli.{module}").COMMANDS
        return next(command for command in commands if command.name == cmd_name)


@click.group(
    cls=_OnDemand,
    context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 120},
    epilog="Exit codes: 0 done, 2 invalid, 3 key or role, 4 not found, 5 conflict, 6 limit, 7 not available, "
    "1 something unexpected.",
)
@click.version_option(importlib.metadata.version("assay"), prog_name="assay")
@click.pass_context
def assay(context: click.Context) -> None:
    """Memory that can prove what it knows.

    Without any setting, Assay runs its own servers in ./.assay and acts there with a key of its own. ASSAY_KEY names
    another key; ASSAY_<SECTION>__<FIELD> configures the rest.
    """
    take_key_from_environment(context)


def main() -> None:
    """The console script."""
    assay(prog_name="assay")
