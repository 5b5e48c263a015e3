"""Server processes that outlive their starter: launch, recognise, stop.

A process is known by its id together with when it started, so that an id that the system gave to somebody else is
never signalled. A zombie counts as dead.
"""

from __future__ import annotations

import json
import os
import secrets
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path

from adapters.embedded.errors import EmbeddedUnavailable
from adapters.embedded.folders import write_private

LOOPBACK = "127.0.0.1"
PORTS = range(20_000, 32_000)
"""Below the range from which Linux and macOS take the ports of outgoing connections."""

_PASSED_ON = ("PATH", "HOME", "TMPDIR", "LD_LIBRARY_PATH")
_RECORD = "process.json"
_DETACH = 'umask 077; log=$1; shift; "$@" </dev/null >>"$log" 2>&1 & echo $!'


@dataclass(frozen=True, slots=True)
class Account:
    """As whom a server runs: a command put before its own, and a user and group id when not the caller's.

    ``note`` is what the person at the machine should know about it.
    """

    prefix: tuple[str, ...] = ()
    user: int | None = None
    group: int | None = None
    note: str | None = None


@dataclass(frozen=True, slots=True)
class ProcessRecord:
    """What is kept in the part's folder about the server last started there."""

    pid: int
    started: str
    port: int
    version: str


def start_mark(pid: int) -> str | None:
    """When the process started, in a form that no other process shares; None when it is dead or a zombie."""
    if sys.platform != "linux":
        return _start_mark_by_ps(pid)
    try:
        stat = Path(f"/proc/{pid}/stat").read_text(encoding="utf-8", errors="replace")
        boot = Path("/proc/sys/kernel/random/boot_id").read_text(encoding="ascii").strip()
    except (FileNotFoundError, ProcessLookupError):
        return None
    fields = stat[stat.rindex(")") + 2 :].split()
    state, threads, started = fields[0], int(fields[17]), fields[19]
    # The first thread of a killed process may be a zombie while others still hold its port and files.
    return None if state in "ZX" and threads <= 1 else f"{boot}:{started}"


def _start_mark_by_ps(pid: int) -> str | None:
    command = ["/bin/ps", "-o", "stat=,lstart=", "-p", str(pid)]
    shown = subprocess.run(command, capture_output=True, text=True, check=False).stdout.split(maxsplit=1)  # noqa: S603
    return None if len(shown) < 2 or shown[0].startswith("Z") else shown[1].strip()


def read_record(folder: Path) -> ProcessRecord | None:
    """The record in the folder; None when there is none or it cannot be read."""
    try:
        return ProcessRecord(**json.loads((folder / _RECORD).read_text(encoding="utf-8")))
    except (FileNotFoundError, ValueError, TypeError):
        return None


def write_record(folder: Path, record: ProcessRecord) -> None:
    """Replace the record in one step."""
    write_private(folder / _RECORD, json.dumps(asdict(record)))


def is_running(record: ProcessRecord | None) -> bool:
    """Whether the very process of the record is alive."""
    return record is not None and start_mark(record.pid) == record.started


def port_is_free(port: int) -> bool:
    """Whether a server could listen on the loopback port now."""
    with socket.socket() as probe:
        probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            probe.bind((LOOPBACK, port))
            probe.listen(1)
        except OSError:
            return False
    return True


def choose_port(preferred: int | None = None) -> int:
    """The preferred loopback port when it is free, else a random free one."""
    if preferred is not None and port_is_free(preferred):
        return preferred
    for _ in range(200):
        port = secrets.choice(PORTS)
        if port_is_free(port):
            return port
    raise EmbeddedUnavailable(f"no free port between {PORTS.start} and {PORTS.stop} on {LOOPBACK}")


def server_environment(extra: Mapping[str, str]) -> dict[str, str]:
    """What a server sees of the environment: not the keys and settings of whoever starts it."""
    return {**{name: os.environ[name] for name in _PASSED_ON if name in os.environ}, "LC_ALL": "C.UTF-8", **extra}


def launch(argv: Sequence[str], log: Path, account: Account, environment: Mapping[str, str] | None = None) -> int:
    """Start a server in a session of its own, its output appended to ``log`` (0600); returns its process id."""
    log.touch(mode=0o600)
    if account.user is not None and account.group is not None:
        os.chown(log, account.user, account.group)
    answer = subprocess.run(  # noqa: S603
        ["/bin/sh", "-c", _DETACH, "sh", str(log), *account.prefix, *argv],
        check=True,
        stdout=subprocess.PIPE,
        cwd="/",
        env=server_environment(environment or {}),
        start_new_session=True,
        user=account.user,
        group=account.group,
        extra_groups=None if account.user is None else [],
    )
    return int(answer.stdout)


def stop_process(record: ProcessRecord, polite: signal.Signals, limit_s: float) -> None:
    """Ask the process to end, and kill it when it has not after ``limit_s`` seconds. A dead one is left alone."""
    for step, patience in ((polite, limit_s), (signal.SIGKILL, 30.0)):
        if not is_running(record):
            return
        try:
            os.kill(record.pid, step)
        except ProcessLookupError:
            return
        if await_end(record, patience):
            return
    raise EmbeddedUnavailable(f"process {record.pid} does not end, even when killed")


def await_end(record: ProcessRecord, limit_s: float) -> bool:
    """Wait until the process is gone; False when it is still there after ``limit_s`` seconds."""
    deadline = time.monotonic() + limit_s
    while is_running(record):
        if time.monotonic() > deadline:
            return False
        time.sleep(0.01)
    return True


def log_since(log: Path, offset: int) -> str:
    """What the log holds after a byte offset; empty when there is no log."""
    try:
        with log.open("rb") as file:
            file.seek(offset)
            return file.read().decode(errors="replace")
    except FileNotFoundError:
        return ""


def log_size(log: Path) -> int:
    """The size of the log in bytes; 0 when there is none."""
    try:
        return log.stat().st_size
    except FileNotFoundError:
        return 0
