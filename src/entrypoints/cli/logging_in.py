"""Signing in at an identity provider from a terminal (RFC 8252): a browser, and an address on loopback."""

from __future__ import annotations

import asyncio
import secrets
import webbrowser
from collections.abc import Callable, Mapping
from contextlib import suppress
from urllib.parse import parse_qsl, urlsplit

import click

from domain.errors import InvalidInput, NotAuthenticated, Unavailable, shown
from domain.ports.provider_login import LoginAttempt, ProviderLogin, TokenSet
from entrypoints.cli.acting import json_option, quiet_settings
from entrypoints.cli.output import Output, sentence
from entrypoints.cli.saved_token import read_saved, save, token_path

WAIT_SECONDS = 300.0
_PAGE = b"You can close this page and go back to the terminal.\n"
_ANSWER = (
    b"HTTP/1.1 200 OK\r\nContent-Type: text/plain; charset=utf-8\r\nCache-Control: no-store\r\n"
    b"Connection: close\r\nContent-Length: %d\r\n\r\n%s" % (len(_PAGE), _PAGE)
)


@click.command()
@click.argument("issuer", required=False)
@json_option
def login(issuer: str | None) -> Output:
    """Sign in at an identity provider with a browser; commands then act as you, until `assay logout`."""
    settings = quiet_settings()
    from entrypoints.bootstrap.terminal import terminal_login

    async def work() -> tuple[str, TokenSet]:
        async with terminal_login(settings) as provider:
            chosen = chosen_issuer(provider.issuers, issuer)
            return chosen, await signed_in_by_browser(provider, chosen, _show)

    chosen, tokens = asyncio.run(work())
    save(chosen, tokens)
    return sentence({"issuer": chosen, "file": str(token_path())}, f"signed in at {chosen}; kept in {token_path()}")


@click.command()
@json_option
def logout() -> Output:
    """Forget the token of `assay login`, and tell the identity provider where it listens."""
    settings = quiet_settings()
    from entrypoints.bootstrap.terminal import terminal_login

    async def work() -> bool:
        with suppress(NotAuthenticated, InvalidInput, Unavailable):
            saved = read_saved()
            if saved is not None and saved.refresh_token is not None:
                async with terminal_login(settings) as provider:
                    await provider.revoke(saved.issuer, saved.refresh_token)
        there = token_path().exists()
        token_path().unlink(missing_ok=True)
        return there

    was_there = asyncio.run(work())
    return sentence({"signed_out": was_there}, "signed out" if was_there else "nobody was signed in")


def chosen_issuer(issuers: Mapping[str, str], named: str | None) -> str:
    """The named issuer, else the only one. Raises InvalidInput where there is none, or several."""
    if named is not None and named in issuers:
        return named
    if named is None and len(issuers) == 1:
        return next(iter(issuers))
    known = ", ".join(issuers) or "none; set command_line_client_id in ASSAY_IDENTITY__ISSUERS"
    wrong = "say which identity provider" if named is None else f"{shown(named)} is none to sign in at from here"
    raise InvalidInput(f"{wrong}; there are: {known}", field="issuer")


async def signed_in_by_browser(login: ProviderLogin, issuer: str, show: Callable[[str], None]) -> TokenSet:
    """Tokens for the answer that comes to a port of loopback. Raises NotAuthenticated when none comes in time."""
    attempt = LoginAttempt(issuer, *(secrets.token_urlsafe(32) for _ in range(3)))
    came: asyncio.Future[dict[str, str]] = asyncio.get_running_loop().create_future()

    async def answer(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        with suppress(ConnectionError, ValueError, asyncio.IncompleteReadError, asyncio.LimitOverrunError):
            head = (await reader.readuntil(b"\r\n\r\n")).decode("latin-1")
            parts = urlsplit(head.split(" ", 2)[1])
            if parts.path == "/callback" and not came.done():
                came.set_result(dict(parse_qsl(parts.query)))
            writer.write(_ANSWER)
            await writer.drain()
        writer.close()

    server = await asyncio.start_server(answer, "127.0.0.1", 0)
    async with server:
        redirect = f"http://127.0.0.1:{server.sockets[0].getsockname()[1]}/callback"
        show(await login.address(attempt, redirect))
        try:
            got = await asyncio.wait_for(came, WAIT_SECONDS)
        except TimeoutError as error:
            raise NotAuthenticated("no answer came from the browser; run `assay login` again") from error
        return await login.redeem(attempt, redirect, got)


def _show(address: str) -> None:
    click.echo(f"Open this address in a browser of this machine:\n{address}", err=True)
    webbrowser.open(address)


COMMANDS = (login, logout)
