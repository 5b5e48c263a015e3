"""How commands are made: ``--json``, ``--scope``, a running Assay, and one way to fail."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import AsyncExitStack, asynccontextmanager, nullcontext
from dataclasses import dataclass
from functools import wraps
from typing import Any

import click

from domain.errors import NotAuthenticated, NotFound
from domain.identity.access import Access
from domain.identity.ids import Revision
from domain.knowledge.storable import require_storable
from domain.ports.token_verifier import Credential
from domain.ports.unit_of_work import UnitOfWork
from entrypoints.application import Application
from entrypoints.cli.audited import audited
from entrypoints.cli.failures import DETAILS_WANTED, JSON_WANTED, refusing
from entrypoints.cli.key import KEY_VARIABLE
from entrypoints.cli.local_access import ensure_local_keys
from entrypoints.cli.output import Output, console, show
from entrypoints.cli.saved_token import usable_token
from entrypoints.environment import load_settings
from entrypoints.settings import Settings
from entrypoints.telemetry import configure_logging

Command = Callable[..., Any]


@dataclass(frozen=True, slots=True)
class Call:
    """One command that runs: its application, who acts with how wide a reach, and in which scope.

    ``named`` is the scope after ``--scope``.
    """

    app: Application
    credential: Credential
    named: str | None
    access: Access

    @property
    def unit_of_work(self) -> UnitOfWork:
        """What query functions take."""
        return self.app.unit_of_work

    async def seen(self, saw: int | None) -> Revision:
        """The revision at which something was looked at; the present one where none is named."""
        if saw is not None:
            return Revision(saw)
        async with self.unit_of_work(self.access) as tx:
            return (await tx.journal.head()).revision

    async def administration_access(self) -> Access:
        """For what is made or managed: the named scope, else all that the key reaches."""
        return await self.app.resolve_access(self.credential, self.named)

    async def wide_access(self) -> Access:
        """The same with everything inside it that is not somebody else's personal scope."""
        return await self.app.resolve_access.with_everything_below(self.credential, self.named)

    async def operating_access(self) -> Access:
        """The same for numbers and failed jobs, of every scope inside."""
        return await self.app.resolve_access.for_operating(self.credential, self.named)

    async def personal_access(self) -> Access:
        """The access to the caller's personal scope."""
        return await self.app.resolve_access(self.credential, "personal")


def quiet_settings() -> Settings:
    """The settings of the environment; logs say only what went wrong, unless the environment says otherwise."""
    return settings_with_logs("error")


def settings_with_logs(default_level: str) -> Settings:
    """The settings of the environment, with logs from their level on; from ``default_level`` where they name none."""
    settings = load_settings()
    level = settings.telemetry.log_level if "log_level" in settings.telemetry.model_fields_set else default_level
    configure_logging(settings.telemetry.model_copy(update={"log_level": level}))
    click.get_current_context().meta[DETAILS_WANTED] = level == "debug"
    return settings


class NothingHere(NotFound):
    """No Assay was ever started in the data folder, and no other one is named."""

    code = "nothing_here"


def require_there(settings: Settings) -> None:
    """Refuse to start servers for who only wanted to use them, maybe in the wrong folder. Raises NothingHere."""
    folder = settings.embedded.folder.absolute()
    if settings.is_embedded and not folder.is_dir():
        raise NothingHere(
            f"there is no Assay in {folder}; start one here with `assay run` or `assay up`, go to the folder where one "
            "is, or name it: ASSAY_EMBEDDED__FOLDER for its data folder, ASSAY_DATABASE__URL for servers of your own"
        )


@asynccontextmanager
async def opened(settings: Settings, name: str = "assay cli") -> AsyncIterator[Application]:
    """A running Assay; on a terminal, what takes long is shown while it does. Raises NothingHere."""
    require_there(settings)
    # It brings every adapter with it, which takes longer than many a command.
    from entrypoints.bootstrap import application

    err = console(error=True)
    async with AsyncExitStack() as stack:
        with err.status("") if err.is_terminal else nullcontext() as waiting:
            progress = _silent if waiting is None else waiting.update
            app = await stack.enter_async_context(application(settings, progress=progress, name=name, look=False))
        yield app


def _silent(_: str) -> None:
    """Nobody waits at a terminal."""


async def signed_in(app: Application, scope: str | None) -> Call:
    """Who acts: the key in ``ASSAY_KEY``, else who signed in by ``assay login``, else the local operator.

    Raises NotAuthenticated when there is none of them.
    """
    key = click.get_current_context().meta.get(KEY_VARIABLE) or await usable_token(app.settings)
    if key:
        credential = await app.verifier.verify(key)
        return Call(app, credential, scope, await app.resolve_access(credential, scope))
    if not app.settings.is_embedded:
        raise NotAuthenticated(f"there is no key to act with; set {KEY_VARIABLE} to an API key, or run `assay login`")
    keys = await ensure_local_keys(app, app.settings.embedded.folder)
    owner = await app.verifier.verify(keys.owner)
    daily = owner if scope is not None else await app.verifier.verify(keys.operator)
    return Call(app, owner, scope, await app.resolve_access(daily, scope))


def json_option(function: Command) -> Command:
    """Add ``--json``; the command returns an ``Output``, which is printed in the form that was asked for."""

    @click.option("--json", "as_json", is_flag=True, help="Print JSON.")
    @wraps(function)
    def command(*, as_json: bool, **parameters: Any) -> None:
        click.get_current_context().meta[JSON_WANTED] = as_json

        def run() -> Output:
            # Bytes of an argument that are no UTF-8 come as halves of surrogate pairs.
            require_storable(parameters)
            done: Output = function(**parameters)
            return done

        output: Output = refusing(run)
        show(output, as_json=as_json)
        click.get_current_context().exit(output.exit_code)

    return command


def acting(function: Callable[..., Awaitable[Output]]) -> Command:
    """Make ``async def command(call, …) -> Output`` a command with ``--json`` and ``--scope``."""

    @json_option
    @click.option(
        "--scope",
        help="'organization', 'personal', '<workspace>' or '<workspace>/<project>'; left out, the key's reach.",
    )
    @wraps(function)
    def command(*, scope: str | None, **parameters: Any) -> Output:
        settings = quiet_settings()

        async def work() -> Output:
            async with opened(settings) as app, audited(app, parameters):
                return await function(await signed_in(app, scope), **parameters)

        return asyncio.run(work())

    return command
