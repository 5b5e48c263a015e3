"""The embedded servers and the database: up, down, status, reset, migrate."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable

import click

from domain.errors import InvalidInput
from entrypoints.cli.acting import json_option, quiet_settings, require_there
from entrypoints.cli.output import Output, listing, sentence
from entrypoints.embedded import embedded_stack, start_embedded
from entrypoints.settings import Settings


def steps() -> Callable[[str], None]:
    """A listener that prints each step with the seconds since it was made, on standard error."""
    started = time.monotonic()

    def step(text: str) -> None:
        click.echo(f"{time.monotonic() - started:6.1f} s  {text}", err=True)

    return step


def _embedded_settings() -> Settings:
    settings = quiet_settings()
    if not settings.is_embedded:
        raise InvalidInput(
            "ASSAY_DATABASE__URL is set, so Assay uses servers that are not its own; unset it to use the embedded ones"
        )
    return settings


@click.command()
@json_option
def up() -> Output:
    """Start the embedded servers; they go on running until `assay down`."""
    settings = _embedded_settings()
    asyncio.run(start_embedded(settings, steps()))
    return _status(settings)


@click.command()
@json_option
def down() -> Output:
    """Stop the embedded servers. Data stays."""
    settings = _embedded_settings()
    embedded_stack(settings).down()
    return sentence({"stopped": True}, f"stopped; the data stays in {settings.embedded.folder.absolute()}")


@click.command()
@json_option
def status() -> Output:
    """Show which embedded servers run."""
    return _status(_embedded_settings())


@click.command()
@click.option("--yes", is_flag=True, help="Do not ask.")
@json_option
def reset(yes: bool) -> Output:
    """Stop the embedded servers and delete all their data."""
    settings = _embedded_settings()
    folder = settings.embedded.folder.absolute()
    if not yes:
        click.confirm(f"Delete {folder} with all data?", abort=True, err=True)
    embedded_stack(settings).reset()
    return sentence({"deleted": str(folder)}, f"deleted {folder}")


@click.command()
@json_option
def migrate() -> Output:
    """Bring the database up to date."""
    # It brings every adapter with it, which takes longer than many a command.
    from entrypoints.bootstrap import migrate as bring_up_to_date

    settings = quiet_settings()
    require_there(settings)
    applied = asyncio.run(bring_up_to_date(settings, steps()))
    return sentence({"applied": applied}, *(applied or ["the database is up to date"]))


def _status(settings: Settings) -> Output:
    parts = embedded_stack(settings).status()
    rows = [
        {"name": p.name, "state": p.state, "address": p.address, "pid": p.pid, "version": p.version, "reason": p.reason}
        for p in parts
    ]
    columns = {"name": "server", "state": "state", "address": "address", "pid": "pid", "version": "version"}
    if any(part.reason for part in parts):
        columns["reason"] = "why not"
    return listing(rows, columns, empty="")


COMMANDS = (up, down, status, reset, migrate)
