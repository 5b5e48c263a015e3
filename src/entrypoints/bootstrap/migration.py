"""Setting up a database that Assay does not run itself."""

from __future__ import annotations

from collections.abc import Callable
from urllib.parse import unquote, urlsplit

from pydantic import SecretStr

from adapters.postgres.installation import install
from adapters.postgres.provision import APPLICATION, WORKER
from entrypoints.embedded import start_embedded
from entrypoints.settings import Settings, SettingsInvalid


def _silent(_: str) -> None:
    """Nobody listens."""


async def migrate(settings: Settings, progress: Callable[[str], None] = _silent) -> list[str]:
    """Bring the database up to date and say what was applied; idempotent. The embedded one is started for it.

    Needs the administrator's URL; the roles that log in get the passwords of the other two URLs.
    """
    database = settings.database
    if settings.is_embedded:
        return await _migrate_embedded(settings, progress)
    if database.administrator_url is None:
        raise SettingsInvalid(
            "ASSAY_DATABASE__ADMINISTRATOR_URL: it is missing, and `assay migrate` needs it; "
            "set it to a user who may make roles and extensions"
        )
    passwords = _password(APPLICATION, "URL", database.url) | _password(WORKER, "WORKER_URL", database.worker_url)
    return await install(database.administrator_url.get_secret_value(), passwords)


async def _migrate_embedded(settings: Settings, progress: Callable[[str], None]) -> list[str]:
    applied: list[str] = []
    await start_embedded(settings, progress, applied.extend)
    return applied


def _password(role: str, field: str, url: SecretStr | None) -> dict[str, str]:
    if url is None:
        return {}
    try:
        parts = urlsplit(url.get_secret_value())
        user, password = parts.username, parts.password
    except ValueError:
        user, password = None, None
    if user != role or not password:
        raise SettingsInvalid(
            f"ASSAY_DATABASE__{field}: it must log in as {role} with a password; "
            f"write postgresql://{role}:password@host:port/name"
        )
    return {role: unquote(password)}
