"""One `assay run` a data folder."""

from __future__ import annotations

import fcntl
import os
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import msgspec

from domain.errors import Conflict, Unavailable

_FILE = "run.json"


class AlreadyRunning(Conflict):
    """Another `assay run` uses the folder."""

    code = "already_running"


class Running(msgspec.Struct):
    """Who runs, and where it answers."""

    pid: int
    address: str


@contextmanager
def alone_in(folder: Path) -> Iterator[Callable[[str], None]]:
    """Hold the folder; the kernel frees it when the holder dies. Yields what writes down the address.

    Raises AlreadyRunning, which says where the other one answers, and Unavailable for a folder that cannot be used.
    """
    try:
        folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        # The folder itself is locked: a file in it would make it look like somebody else's.
        held = os.open(folder, os.O_RDONLY)
    except OSError as error:
        raise Unavailable(f"cannot use the data folder {folder}: {error.strerror}; choose another one") from error
    try:
        try:
            fcntl.flock(held, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            raise AlreadyRunning(f"Assay runs in {folder} already{_where(folder)}; use it, or stop it first") from None
        yield lambda address: _write(folder, address)
        (folder / _FILE).unlink(missing_ok=True)
    finally:
        os.close(held)


def _write(folder: Path, address: str) -> None:
    (folder / _FILE).write_bytes(msgspec.json.encode(Running(os.getpid(), address)))


def _where(folder: Path) -> str:
    try:
        found = msgspec.json.decode((folder / _FILE).read_bytes(), type=Running)
    except (OSError, msgspec.DecodeError):
        return ", and is starting or stopping"
    return f" (process {found.pid}) and answers on {found.address}"
