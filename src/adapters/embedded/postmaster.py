"""PostgreSQL's own lock file, ``postmaster.pid``: reading it, and clearing it when its process is gone."""

from __future__ import annotations

import os
import socket
import struct
import sys
import time
from dataclasses import dataclass
from pathlib import Path

from adapters.embedded.errors import EmbeddedUnavailable
from adapters.embedded.processes import LOOPBACK, start_mark

_SEGMENTS = Path("/proc/sysvipc/shm")
_ENCRYPTION_REQUEST = struct.pack("!ii", 8, 80877103)
"""The one message that needs no login: the server replies with one byte (PostgreSQL's protocol, SSLRequest)."""


@dataclass(frozen=True, slots=True)
class Postmaster:
    """What the file says. ``segment`` is the shared memory that its sessions are attached to, if any."""

    pid: int
    port: int
    segment: int | None
    ready: bool

    def serves(self, data: Path) -> bool:
        """Whether the process is alive and works in that data folder (its id may have gone to somebody else)."""
        if start_mark(self.pid) is None:
            return False
        if sys.platform != "linux":
            return True
        try:
            return Path(f"/proc/{self.pid}/cwd").resolve() == data.resolve()
        except OSError:
            return False


def read_postmaster(data: Path) -> Postmaster | None:
    """The content of ``postmaster.pid``; None when there is none, or when it is only half written yet."""
    try:
        lines = (data / "postmaster.pid").read_text(encoding="utf-8").split("\n")
        memory = lines[6].split() if len(lines) > 6 else []
        return Postmaster(
            pid=int(lines[0]),
            port=int(lines[3]),
            segment=int(memory[1]) if len(memory) == 2 else None,
            ready=len(lines) > 7 and lines[7].strip() == "ready",
        )
    except (FileNotFoundError, ValueError, IndexError):
        return None


def answers(port: int) -> bool:
    """Whether the server replies. A process that was just killed still looks alive, but says nothing."""
    try:
        with socket.create_connection((LOOPBACK, port), timeout=1.0) as connection:
            connection.sendall(_ENCRYPTION_REQUEST)
            return connection.recv(1) in {b"N", b"S"}
    except OSError:
        return False


def clear_stale_lock(data: Path, limit_s: float = 30.0) -> None:
    """Remove the lock file of a server that is gone.

    PostgreSQL takes a zombie, or a stranger under the same id, for a running server. Sessions of a killed server
    may outlive it for a moment: they are waited for, since two servers on one folder would destroy it.
    """
    found = read_postmaster(data)
    if found is None or found.serves(data):
        return
    deadline = time.monotonic() + limit_s
    while found.segment is not None and _attached(found.segment):
        if time.monotonic() > deadline:
            raise EmbeddedUnavailable(f"sessions of a killed PostgreSQL still use {data}; end them, then start again")
        time.sleep(0.02)
    if start_mark(found.pid) is not None or _is_listed(found.pid):
        (data / "postmaster.pid").unlink(missing_ok=True)


def _is_listed(pid: int) -> bool:
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    except PermissionError:
        return True
    return True


def _attached(segment: int) -> bool:
    """Whether any process uses the System V segment; no where the system does not list them."""
    try:
        rows = _SEGMENTS.read_text(encoding="ascii").splitlines()[1:]
    except OSError:
        return False
    return any(int(row.split()[1]) == segment and int(row.split()[6]) > 0 for row in rows)
