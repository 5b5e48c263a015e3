"""The token that ``assay login`` got, in a file of the user's own."""

from __future__ import annotations

import os
import time
from pathlib import Path

import msgspec

from domain.errors import NotAuthenticated
from domain.ports.provider_login import TokenSet
from entrypoints.cli.local_access import write_secret
from entrypoints.settings import Settings

_SPARE_SECONDS = 30.0


class SavedToken(msgspec.Struct, frozen=True):
    """A token, how it is renewed, and when it ends, in seconds since 1970."""

    issuer: str
    access_token: str
    refresh_token: str | None
    ends_at: float


def token_path() -> Path:
    """Where it lies: ``assay/token.json`` of the user's configuration folder."""
    named = os.environ.get("XDG_CONFIG_HOME", "")
    return (Path(named) if Path(named).is_absolute() else Path.home() / ".config") / "assay" / "token.json"


def save(issuer: str, tokens: TokenSet) -> SavedToken:
    """Keep it where nobody else may read it (0600, in a folder of 0700)."""
    saved = SavedToken(issuer, tokens.access_token, tokens.refresh_token, time.time() + tokens.expires_in)
    path = token_path()
    path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
    write_secret(path, msgspec.json.encode(saved).decode())
    return saved


def read_saved() -> SavedToken | None:
    """What was kept; None for nothing. Raises NotAuthenticated for a file that cannot be read."""
    path = token_path()
    try:
        return msgspec.json.decode(path.read_bytes(), type=SavedToken)
    except FileNotFoundError:
        return None
    except (OSError, msgspec.DecodeError) as error:
        raise NotAuthenticated(f"{path} cannot be read; run `assay logout`, then `assay login`") from error


async def usable_token(settings: Settings) -> str | None:
    """A token to act with, renewed when it is over; None when nobody signed in to an issuer of these settings."""
    if not settings.identity.issuers:
        return None
    saved = read_saved()
    if saved is None or saved.issuer not in {item.issuer for item in settings.identity.issuers}:
        return None
    if saved.ends_at - _SPARE_SECONDS > time.time():
        return saved.access_token
    if saved.refresh_token is None:
        raise NotAuthenticated("your sign-in is over; run `assay login`, or `assay logout` to act without it")
    from entrypoints.bootstrap.terminal import terminal_login

    async with terminal_login(settings) as login:
        try:
            return save(saved.issuer, await login.refresh(saved.issuer, saved.refresh_token)).access_token
        except NotAuthenticated as error:
            raise NotAuthenticated(
                "the identity provider does not renew your sign-in; run `assay login`, or `assay logout`"
            ) from error
