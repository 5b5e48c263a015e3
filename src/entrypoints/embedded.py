"""The servers that Assay starts itself when no database is configured."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from pathlib import Path
from urllib.parse import quote

from adapters.embedded.folders import exclusive, private_folder, secret_in
from adapters.embedded.postgres import PostgresAddress
from adapters.embedded.stack import EmbeddedStack, StackAddresses
from adapters.postgres.installation import create_database, install
from adapters.postgres.provision import APPLICATION, WORKER
from entrypoints.services import Services
from entrypoints.settings import Settings

DATABASE = "assay"


def embedded_stack(settings: Settings) -> EmbeddedStack:
    """The stack of the configured folder: up, down, status, reset."""
    return EmbeddedStack(settings.embedded.folder)


async def start_embedded(
    settings: Settings, progress: Callable[[str], None], applied: Callable[[list[str]], None] | None = None
) -> Services:
    """Start what does not run, bring the database up to date, and say where everything is. Several processes may.

    ``applied`` gets the names of the scripts that were applied.
    Raises EmbeddedUnavailable when PostgreSQL cannot run here, ForeignFolder for a folder that is not ours.
    """
    folder = settings.embedded.folder.absolute()
    addresses = await asyncio.to_thread(EmbeddedStack(folder).up, progress)
    passwords = await asyncio.to_thread(_passwords, folder)
    administrator = _dsn(addresses.postgres, addresses.postgres.user, addresses.postgres.password)
    await create_database(addresses.postgres.dsn, DATABASE)
    scripts = await install(administrator, passwords)
    if scripts:
        progress(f"brought the database up to date ({len(scripts)} scripts)")
    if applied:
        applied(scripts)
    return _services(settings, folder, addresses, administrator, passwords)


def _passwords(folder: Path) -> dict[str, str]:
    roles = private_folder(folder / "roles")
    with exclusive(roles / "roles.lock"):
        return {role: secret_in(roles / f"{role}.password") for role in (APPLICATION, WORKER)}


def _services(
    settings: Settings, folder: Path, addresses: StackAddresses, administrator: str, passwords: dict[str, str]
) -> Services:
    notes = []
    engine = settings.graph.engine or ("falkordb" if addresses.falkordb else "postgres")
    graph_url = settings.graph.url
    if engine == "falkordb" and graph_url is None:
        if addresses.falkordb:
            graph_url = addresses.falkordb.url
        else:
            engine = "postgres"
    if addresses.falkordb is None and engine == "postgres":
        notes.append(f"the postgres engine serves the graph: {addresses.falkordb_reason}")
    cache_url = settings.cache.url.get_secret_value() if settings.cache.url else None
    if cache_url is None and settings.cache.engine != "memory":
        if addresses.valkey:
            cache_url = addresses.valkey.url
        else:
            notes.append(f"each process has a cache of its own: {addresses.valkey_reason}")
    password = settings.graph.password
    return Services(
        database=_dsn(addresses.postgres, APPLICATION, passwords[APPLICATION]),
        worker_database=_dsn(addresses.postgres, WORKER, passwords[WORKER]),
        administrator_database=administrator,
        graph_engine=engine,
        graph_url=graph_url,
        graph_user=settings.graph.user,
        graph_password=password.get_secret_value() if password else None,
        cache_url=cache_url,
        objects_folder=None if settings.objects.engine == "s3" else settings.objects.folder or folder / "objects",
        keys_folder=settings.keys.folder or folder / "keys",
        notes=tuple(notes),
    )


def _dsn(address: PostgresAddress, user: str, password: str) -> str:
    return f"postgresql://{user}:{quote(password, safe='')}@{address.host}:{address.port}/{DATABASE}"
