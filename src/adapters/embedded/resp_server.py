"""A server that speaks the Redis protocol, in one folder: what FalkorDB and Valkey have in common."""

from __future__ import annotations

import re
import signal
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from valkey import Valkey
from valkey.exceptions import ValkeyError

from adapters.embedded.errors import EmbeddedUnavailable, translated
from adapters.embedded.folders import exclusive, private_folder, secret_in, write_private
from adapters.embedded.processes import (
    LOOPBACK,
    Account,
    ProcessRecord,
    choose_port,
    is_running,
    launch,
    log_since,
    log_size,
    read_record,
    start_mark,
    stop_process,
    write_record,
)

_ATTEMPTS = 3
_STARTING = 0
"""In place of the process id while a server is being started."""
_MISSING_LIBRARY = re.compile(r"(lib[\w+-]+\.so[.\d]*): cannot open shared object file")
_MISSING_SYMBOLS = re.compile(r"version `(GLIBC(?:XX)?_[\d.]+)' not found")
_LOG_PREFIX = re.compile(r"^\d+:[A-Z] .*? [#*] ")
_DEBIAN_PACKAGES = {"libgomp.so.1": "libgomp1", "libssl.so.3": "libssl3", "libcrypto.so.3": "libssl3"}


@dataclass(frozen=True, slots=True)
class RespAddress:
    """Where a server answers, and its password."""

    host: str
    port: int
    password: str = field(repr=False)

    @property
    def url(self) -> str:
        """A connection URL, password included (URL-safe by construction): not for logs."""
        return f"redis://:{self.password}@{self.host}:{self.port}/0"


@dataclass(frozen=True, slots=True)
class RespServer:
    """One server in one folder, shared by all processes that start it.

    ``load_patience_s``: how long a start waits while the server reads its data, or hangs though it came up before;
    then the address is given out, and whoever uses it does without the server until it answers.
    """

    name: str
    folder: Path
    start_limit_s: float = 120.0
    load_patience_s: float = 3.0

    def start(self, program: Path, directives: Sequence[str], version_of: Callable[[Valkey], str]) -> RespAddress:
        """Start the server, or join the one that runs; returns when it answers. Raises ``EmbeddedUnavailable``.

        ``directives`` are lines of its configuration file; how its data is kept is among them.
        """
        with translated(f"{self.name} cannot use {self._home}"), exclusive(self._home / "start.lock"):
            password = secret_in(self._home / "server.password")
            running = self.running() or self._unrecorded(password)
            if running is None or not self._comes_up(running, password, joined=True):
                running = self._start(program, directives, password, version_of)
            return RespAddress(LOOPBACK, running.port, password)

    def stop(self, limit_s: float = 30.0) -> None:
        """End the server, its data on disk. Nothing happens when none runs."""
        with translated(f"{self.name} cannot use {self._home}"), exclusive(self._home / "start.lock"):
            running = self.running() or self._unrecorded(secret_in(self._home / "server.password"))
            if running is not None:
                stop_process(running, signal.SIGTERM, limit_s)

    def running(self) -> ProcessRecord | None:
        """The record of the server when it runs, else None. Takes no lock and changes nothing."""
        record = read_record(self._home)
        return record if is_running(record) else None

    @property
    def _home(self) -> Path:
        return self.folder.absolute()

    @property
    def _log(self) -> Path:
        return self._home / "server.log"

    def _start(
        self, program: Path, directives: Sequence[str], password: str, version_of: Callable[[Valkey], str]
    ) -> ProcessRecord:
        before = read_record(self._home)
        port = choose_port(before.port if before else None)
        private_folder(self._home / "data")
        for _ in range(_ATTEMPTS):
            offset = log_size(self._log)
            configuration = self._configure(port, password, directives)
            write_record(self._home, ProcessRecord(_STARTING, "", port, ""))
            pid = launch([str(program), str(configuration)], self._log, Account())
            record = ProcessRecord(pid, start_mark(pid) or "", port, "")
            write_record(self._home, record)
            if self._comes_up(record, password):
                version = _told(version_of, port, password) or (before.version if before else "")
                record = ProcessRecord(pid, record.started, port, version)
                write_record(self._home, record)
                return record
            port = choose_port(port)
        raise EmbeddedUnavailable(
            f"{self.name} did not start: {failure_reason(log_since(self._log, offset))} (log: {self._log})"
        )

    def _configure(self, port: int, password: str, directives: Sequence[str]) -> Path:
        """The password stays out of the command line, which every user of the machine can read."""
        path = self._home / "server.conf"
        lines = [
            f"bind {LOOPBACK}",
            f"port {port}",
            "protected-mode yes",
            f"requirepass {password}",
            f"dir {quoted(self._home / 'data')}",
            "daemonize no",
            *directives,
        ]
        write_private(path, "\n".join(lines) + "\n")
        return path

    def _comes_up(self, record: ProcessRecord, password: str, *, joined: bool = False) -> bool:
        """Wait until the very server answers, or has long been reading its data; False when its process ends.

        One that was ``joined`` came up before: it may be too busy to answer, and is not waited for longer.
        """
        began = time.monotonic()
        while is_running(record):
            answer = _answer(record.port, password)
            waited = time.monotonic() - began
            patient = waited <= self.load_patience_s
            if answer.pid == record.pid and not (answer.loading and patient):
                return True
            if joined and answer.pid is None and not patient:
                return True
            if waited > self.start_limit_s:
                raise EmbeddedUnavailable(
                    f"{self.name} did not answer within {self.start_limit_s:g} s; see {self._log}, then start again"
                )
            time.sleep(0.01)
        return False

    def _unrecorded(self, password: str) -> ProcessRecord | None:
        """The server whose starter died before it wrote the record: only ours takes the folder's password."""
        record = read_record(self._home)
        pid = _answer(record.port, password).pid if record is not None and record.pid == _STARTING else None
        mark = None if pid is None else start_mark(pid)
        if record is None or pid is None or mark is None:
            return None
        found = ProcessRecord(pid, mark, record.port, record.version)
        write_record(self._home, found)
        return found


def failure_reason(log: str) -> str:
    """Why a server ended at once, from what it wrote: a missing library with its remedy, else its last line."""
    if library := _MISSING_LIBRARY.search(log):
        package = _DEBIAN_PACKAGES.get(library[1])
        remedy = f" (apt-get install {package})" if package else ""
        return f"the system library {library[1]} is missing; install it{remedy}"
    if symbols := _MISSING_SYMBOLS.search(log):
        return f"it needs {symbols[1].replace('_', ' ')} or newer; use a newer system"
    lines = [_LOG_PREFIX.sub("", line).strip() for line in log.splitlines() if line.strip()]
    telling = [line for line in lines if "failed to load" in line]
    return (telling or lines or ["it said nothing"])[-1]


def quoted(path: Path) -> str:
    """A path as one word of a configuration file."""
    escaped = str(path).replace("\\", "\\\\").replace('"', '\\"')
    return f'"{escaped}"'


def _client(port: int, password: str) -> Valkey:
    return Valkey(
        host=LOOPBACK,
        port=port,
        password=password,
        decode_responses=True,
        socket_timeout=5.0,
        socket_connect_timeout=1.0,
    )


@dataclass(frozen=True, slots=True)
class _Answer:
    """The process that answers on a port and takes the password, if there is one, and whether it still loads data."""

    pid: int | None = None
    loading: bool = False


def _answer(port: int, password: str) -> _Answer:
    try:
        with _client(port, password) as client:
            pid = int(client.info("server")["process_id"])
            return _Answer(pid, bool(client.info("persistence")["loading"]))
    except (ValkeyError, OSError, KeyError):
        return _Answer()


def _told(version_of: Callable[[Valkey], str], port: int, password: str) -> str:
    """What the server says of its version; nothing while it loads."""
    try:
        with _client(port, password) as client:
            return version_of(client)
    except ValkeyError:
        return ""
