"""Processes that stay: API and MCP, worker, MCP over standard input and output."""

from __future__ import annotations

import asyncio
import os
from collections.abc import Callable, Coroutine

import click

from entrypoints.cli.acting import require_there, settings_with_logs
from entrypoints.cli.failures import refusing
from entrypoints.cli.key import KEY_VARIABLE
from entrypoints.cli.stack import steps
from entrypoints.environment import load_settings
from entrypoints.settings import Settings
from entrypoints.telemetry import Metrics
from entrypoints.tracing import configure_tracing


@click.command()
def serve() -> None:
    """Serve the API and MCP until Ctrl-C."""
    # It brings the faster event loop where there is one.
    from uvicorn.loops.auto import auto_loop_factory

    refusing(lambda: _process(_serving, auto_loop_factory()))


@click.command()
def work() -> None:
    """Do the jobs that writes leave behind, until Ctrl-C. Any number of workers may."""
    refusing(lambda: _process(_working))


@click.command()
@click.pass_context
def mcp(context: click.Context) -> None:
    """Serve one MCP client over standard input and output, with the key in ASSAY_KEY or the local operator's."""
    # It brings the whole program with it, which takes longer than many a command.
    from entrypoints.mcp import stdio

    refusing(lambda: require_there(load_settings()))
    key = context.meta.get(KEY_VARIABLE)
    if key:
        os.environ[KEY_VARIABLE] = key
    stdio.main()


def _process(
    main: Callable[[Settings], Coroutine[None, None, None]],
    loop_factory: Callable[[], asyncio.AbstractEventLoop] | None = None,
) -> None:
    settings = settings_with_logs("info")
    require_there(settings)
    stop_tracing = configure_tracing(settings.telemetry)
    try:
        with asyncio.Runner(loop_factory=loop_factory) as runner:
            runner.run(main(settings))
    finally:
        stop_tracing()


async def _serving(settings: Settings) -> None:
    from entrypoints.bootstrap import application
    from entrypoints.cli.http_server import address_of, listen, served, stop_on_signal, until_first

    stop = stop_on_signal()
    with listen(settings) as listener:
        async with (
            application(settings, progress=steps(), name="assay api") as app,
            served(app, settings, listener, Metrics()) as http,
        ):
            click.echo(f"Assay answers on {address_of(listener)}", err=True)
            await until_first(stop, http)


async def _working(settings: Settings) -> None:
    from entrypoints.bootstrap import application
    from entrypoints.cli.http_server import stop_on_signal
    from entrypoints.cli.worker_probes import probed
    from entrypoints.cli.working import announced
    from entrypoints.worker.limits import limits_of
    from entrypoints.worker.main import run_worker
    from entrypoints.worker.work import work_of

    stop, metrics = stop_on_signal(), Metrics()
    async with application(settings, progress=steps(), name="assay worker") as app:
        with announced(settings):
            async with probed(settings, app.operations, metrics) as address:
                if address:
                    click.echo(f"The worker answers on {address}/metrics and {address}/health/live", err=True)
                await run_worker(work_of(app, app.upkeep), metrics, stop, limits_of(settings.worker))


COMMANDS = (serve, work, mcp)
