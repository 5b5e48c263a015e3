"""Processes that stay: API and MCP, worker, MCP over standard input and output."""

from __future__ import annotations

import asyncio

import click

from entrypoints.cli.failures import refusing
from entrypoints.cli.stack import steps
from entrypoints.settings import Settings, load_settings
from entrypoints.telemetry import Metrics, configure_logging, configure_tracing


@click.command()
def serve() -> None:
    """Serve the API and MCP until Ctrl-C."""
    refusing(_serve)


def _serve() -> None:
    settings = load_settings()
    configure_logging(settings.telemetry)
    stop_tracing = configure_tracing(settings.telemetry)
    try:
        asyncio.run(_serving(settings))
    finally:
        stop_tracing()


async def _serving(settings: Settings) -> None:
    # They bring the whole program with them, which takes longer than many a command.
    from entrypoints.bootstrap import application
    from entrypoints.cli.http_server import address_of, listen, served, stop_on_signal, until_first

    stop = stop_on_signal()
    with listen(settings) as listener:
        async with (
            application(settings, progress=steps(), name="assay api") as app,
            served(app, settings, listener, Metrics()) as task,
        ):
            click.echo(f"Assay answers on {address_of(listener)}", err=True)
            await until_first(stop, task)


COMMANDS = (serve,)
