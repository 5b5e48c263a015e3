"""All embedded servers in one data folder: up, down, status, reset."""

from __future__ import annotations

import os
import shutil
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

from adapters.embedded import falkordb, postgres, valkey
from adapters.embedded.errors import EmbeddedUnavailable, ForeignFolder, translated
from adapters.embedded.falkordb import EmbeddedFalkorDB
from adapters.embedded.folders import exclusive, private_folder, write_private
from adapters.embedded.postgres import EmbeddedPostgres, PostgresAddress
from adapters.embedded.processes import LOOPBACK
from adapters.embedded.resp_server import RespAddress
from adapters.embedded.valkey import EmbeddedValkey
from adapters.embedded.wheels import wheel_folder
from domain.errors import shown

MARKER = "assay-embedded-stack"
_MARKER_TEXT = "The servers and data of one Assay installation. `assay reset` deletes them.\n"
_REASON = "unavailable.reason"
_LOCK = "stack.lock"

PartState = Literal["running", "stopped", "unavailable"]


@dataclass(frozen=True, slots=True)
class StackAddresses:
    """Where the servers answer. A part that is None cannot run here; its reason says why."""

    postgres: PostgresAddress
    falkordb: RespAddress | None
    falkordb_reason: str | None
    valkey: RespAddress | None
    valkey_reason: str | None


@dataclass(frozen=True, slots=True)
class PartStatus:
    """One server: ``address`` (host:port, no password), ``pid`` and ``version`` are there when it runs."""

    name: str
    state: PartState
    address: str | None = None
    pid: int | None = None
    version: str | None = None
    reason: str | None = None


@dataclass(frozen=True, slots=True)
class Wheels:
    """The packages that hold the servers."""

    postgres: str = postgres.PACKAGE
    falkordb: str = falkordb.PACKAGE
    valkey: str = valkey.PACKAGE


class EmbeddedStack:
    """The servers of one data folder. Every method may be called from several processes at the same moment.

    The folder belongs to the stack once ``up`` has marked it; a folder that already holds something else is refused.
    """

    def __init__(self, folder: Path, wheels: Wheels | None = None) -> None:
        self._folder = folder.absolute()
        self._wheels = wheels or Wheels()
        self._postgres = EmbeddedPostgres(
            self._folder / "postgres", package=self._wheels.postgres, parent_may_open=True
        )
        self._falkordb = EmbeddedFalkorDB(self._folder / "falkordb", package=self._wheels.falkordb)
        self._valkey = EmbeddedValkey(self._folder / "valkey", package=self._wheels.valkey)

    def up(self, progress: Callable[[str], None]) -> StackAddresses:
        """Start what does not run yet, and recover what was killed. ``progress`` gets one sentence a step.

        PostgreSQL is needed: its ``EmbeddedUnavailable`` is raised. The other two may be absent with a reason.
        """
        with translated(f"cannot use the data folder {self._folder}"):
            self._refuse_foreign()
            with exclusive(self._folder / _LOCK):
                self._refuse_foreign()
                write_private(self._folder / MARKER, _MARKER_TEXT)
                progress("starting PostgreSQL")
                record = self._postgres.start(progress)
                progress(f"PostgreSQL answers on {record.host}:{record.port}")
                graph, graph_reason = _attempt("FalkorDB", self._falkordb, progress)
                cache, cache_reason = _attempt("Valkey", self._valkey, progress)
        return StackAddresses(record, graph, graph_reason, cache, cache_reason)

    def down(self) -> None:
        """Stop every server, the record last; data stays. Nothing happens when none runs."""
        if not self._is_ours():
            return
        with translated(f"cannot use the data folder {self._folder}"), exclusive(self._folder / _LOCK):
            self._stop_all()

    def status(self) -> list[PartStatus]:
        """One line a server, read from their process records; starts, waits for and changes nothing."""
        return [
            _part("postgres", self._wheels.postgres, self._postgres),
            _part("falkordb", self._wheels.falkordb, self._falkordb),
            _part("valkey", self._wheels.valkey, self._valkey),
        ]

    def reset(self) -> None:
        """Stop every server and delete the folder with all data.

        A folder without the stack's marker is refused with ``ForeignFolder`` and left as it is; nothing happens when
        there is no folder, or an empty one.
        """
        self._refuse_foreign()
        if not self._is_ours():
            return
        with translated(f"cannot delete the data folder {self._folder}"), exclusive(self._folder / _LOCK):
            if not self._is_ours():
                return
            self._stop_all()
            self._delete()

    def _delete(self) -> None:
        """The marker goes last but for the lock, so that a reset that was cut short can be repeated."""
        for entry in self._folder.iterdir():
            if entry.name in {MARKER, _LOCK}:
                continue
            if entry.is_dir() and not entry.is_symlink():
                shutil.rmtree(entry)
            else:
                entry.unlink()
        (self._folder / MARKER).unlink()
        (self._folder / _LOCK).unlink()
        with suppress(OSError):  # an ``up`` that waited for the lock may have begun a new stack here
            self._folder.rmdir()

    def _stop_all(self) -> None:
        for server in (self._valkey, self._falkordb, self._postgres):
            if server.folder.exists():
                server.stop()

    def _refuse_foreign(self) -> None:
        """Raises ``ForeignFolder`` unless the folder is ours, new, or empty."""
        try:
            found = [name for name in os.listdir(self._folder) if name != _LOCK and not name.startswith(MARKER)]
        except FileNotFoundError:
            return
        if found and not self._is_ours():  # in this order: another process may be marking it
            raise ForeignFolder(
                f"the folder {shown(str(self._folder))} was not made by Assay; name another one, or an empty one"
            )

    def _is_ours(self) -> bool:
        return (self._folder / MARKER).is_file()


def _attempt(
    name: str, server: EmbeddedFalkorDB | EmbeddedValkey, progress: Callable[[str], None]
) -> tuple[RespAddress | None, str | None]:
    """Start a server that can be done without; why it did not start is kept for the status."""
    progress(f"starting {name}")
    kept = private_folder(server.folder) / _REASON
    try:
        address = server.start()
    except EmbeddedUnavailable as error:
        write_private(kept, error.reason)
        progress(f"going on without {name}: {error.reason}")
        return None, error.reason
    kept.unlink(missing_ok=True)
    progress(f"{name} answers on {address.host}:{address.port}")
    return address, None


def _part(name: str, package: str, server: EmbeddedPostgres | EmbeddedFalkorDB | EmbeddedValkey) -> PartStatus:
    record = server.running()
    if record is not None:
        return PartStatus(name, "running", f"{LOOPBACK}:{record.port}", record.pid, record.version)
    try:
        wheel_folder(package)
        return PartStatus(name, "unavailable", reason=(server.folder / _REASON).read_text(encoding="utf-8"))
    except EmbeddedUnavailable as error:
        return PartStatus(name, "unavailable", reason=error.reason)
    except OSError:
        return PartStatus(name, "stopped")
