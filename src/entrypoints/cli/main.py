"""The command line as a whole."""

from __future__ import annotations

import importlib.metadata

import click

from entrypoints.cli import (
    administration,
    ingesting,
    jobs,
    keys,
    memory,
    proposals,
    receipts,
    retracting,
    serving,
    sources,
    stack,
)
from entrypoints.cli.acting import take_key_from_environment

GROUPS = (
    administration, ingesting, jobs, keys, memory, proposals, receipts, retracting, serving, sources, stack,
)  # fmt: skip


@click.group(
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


for _group in GROUPS:
    for _command in _group.COMMANDS:
        assay.add_command(_command)


def main() -> None:
    """The console script."""
    assay(prog_name="assay")
