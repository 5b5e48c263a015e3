"""Everything in one process, with a sample to try it on."""

from __future__ import annotations

import asyncio
import multiprocessing.forkserver
import multiprocessing.resource_tracker
import signal
import socket
import time
from collections.abc import Callable
from pathlib import Path

import click

from domain.errors import InvalidInput
from domain.identity.access import Access
from entrypoints.application import Application
from entrypoints.cli.acting import settings_with_logs
from entrypoints.cli.failures import refusing
from entrypoints.cli.first_look import print_answers, print_connections
from entrypoints.cli.http_server import address_of, listen, served, stop_on_signal
from entrypoints.cli.local_access import LocalKeys, ensure_local_keys
from entrypoints.cli.run_lock import alone_in
from entrypoints.cli.sample_loading import SampleState, local_sample
from entrypoints.cli.stack import steps
from entrypoints.cli.working import working
from entrypoints.embedded import embedded_stack
from entrypoints.settings import Settings
from entrypoints.telemetry import Metrics
from entrypoints.tracing import configure_tracing

Step = Callable[[str], None]


@click.command()
@click.option("--no-sample", is_flag=True, help="Do not load the sample workspace at the first start.")
def run(no_sample: bool) -> None:
    """Start everything: servers, API, MCP and worker, with a sample at the first start. Ctrl-C stops all of it."""
    refusing(lambda: _run(not no_sample))


def _run(with_sample: bool) -> None:
    settings = settings_with_logs("warning")
    if not settings.is_embedded:
        raise InvalidInput(
            "ASSAY_DATABASE__URL is set, so Assay uses servers that are not its own; unset it to use `assay run`, "
            "or run `assay serve` and `assay work`"
        )
    folder = settings.embedded.folder.absolute()
    step = steps()
    with alone_in(folder) as claim:
        stop_tracing = configure_tracing(settings.telemetry)
        _start_processes_deaf_to_interrupts()
        try:
            asyncio.run(_until_stopped(settings, folder, with_sample, step, claim))
        finally:
            step("stopping the servers")
            embedded_stack(settings).down()
            stop_tracing()
            step("stopped; the data stays, and `assay reset` deletes it")


def _start_processes_deaf_to_interrupts() -> None:
    """Ctrl-C reaches every process of a terminal. The pools' processes leave it to this one to end them in order."""
    heard = signal.signal(signal.SIGINT, signal.SIG_IGN)
    multiprocessing.resource_tracker.ensure_running()
    multiprocessing.forkserver.ensure_running()
    signal.signal(signal.SIGINT, heard)


async def _until_stopped(
    settings: Settings, folder: Path, with_sample: bool, step: Step, claim: Callable[[str], None]
) -> None:
    stop = stop_on_signal()
    asked = asyncio.create_task(stop.wait())
    with listen(settings) as listener:
        live = asyncio.create_task(_live(settings, folder, with_sample, step, claim, listener))
        await asyncio.wait((live, asked), return_when=asyncio.FIRST_COMPLETED)
        live.cancel()
        try:
            await live
        except asyncio.CancelledError:
            pass
        finally:
            asked.cancel()


async def _live(
    settings: Settings,
    folder: Path,
    with_sample: bool,
    step: Step,
    claim: Callable[[str], None],
    listener: socket.socket,
) -> None:
    """Start, look around, and serve until it is cancelled or a part fails."""
    # It brings every adapter with it, which takes longer than many a command.
    from entrypoints.bootstrap import application

    started = time.monotonic()
    metrics = Metrics()
    async with application(settings, progress=step, name="assay run") as app, working(app, metrics) as worker:
        step("the worker is at work")
        keys, access = await _signed_in(app, folder, with_sample, step)
        if SampleState.of(folder) is SampleState.LOADED:
            await print_answers(app, access)
        async with served(app, settings, listener, metrics) as http:
            address = address_of(listener)
            claim(address)
            step(f"everything runs after {time.monotonic() - started:.1f} s")
            print_connections(address, keys.operator, folder)
            done, _ = await asyncio.wait((http, worker), return_when=asyncio.FIRST_COMPLETED)
            for part in done:
                part.result()


async def _signed_in(app: Application, folder: Path, with_sample: bool, step: Step) -> tuple[LocalKeys, Access]:
    if with_sample and SampleState.of(folder) is not SampleState.LOADED:
        await local_sample(app, folder, step)
    keys = await ensure_local_keys(app, folder)
    return keys, await app.resolve_access(await app.verifier.verify(keys.operator))


COMMANDS = (run,)
