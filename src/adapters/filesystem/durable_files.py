"""Files that are either whole or absent, also after a crash, and readable by their owner only."""

from __future__ import annotations

import errno
import os
import secrets
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

from domain.errors import StorageFull, Unavailable

FOLDER_MODE = 0o700
FILE_MODE = 0o600
_FULL = {errno.ENOSPC, errno.EDQUOT, errno.EFBIG}


@contextmanager
def translated(action: str, root: Path) -> Iterator[None]:
    """Turn operating system errors while doing ``action`` under ``root`` into StorageFull or Unavailable."""
    try:
        yield
    except OSError as error:
        if error.errno in _FULL:
            raise StorageFull(
                f"Could not {action}: no room is left under {root}. Free some disk space or raise the quota; "
                "nothing was stored."
            ) from error
        reason = errno.errorcode.get(error.errno or 0, "unknown reason")
        raise Unavailable(
            f"Could not {action} under {root} ({reason}). Check that the folder exists and belongs to this user."
        ) from error


def make_private_folder(folder: Path) -> None:
    """Create ``folder`` and what is missing above it for the owner only; durable when this returns."""
    missing: list[Path] = []
    while not folder.is_dir():
        missing.append(folder)
        folder = folder.parent
    for new in reversed(missing):
        with suppress(FileExistsError):
            new.mkdir(mode=FOLDER_MODE)
        sync_folder(new.parent)


def write_new_file(folder: Path, data: bytes) -> Path:
    """Write ``data`` to a new file with a random name in ``folder`` and flush it to the disk; leaves none on failure.

    The caller moves it to its place.
    """
    path = folder / f"{secrets.token_hex(16)}.part"
    descriptor = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, FILE_MODE)
    try:
        with os.fdopen(descriptor, "wb") as file:
            file.write(data)
            file.flush()
            os.fsync(file.fileno())
    except BaseException:
        path.unlink(missing_ok=True)
        raise
    return path


def sync_folder(folder: Path) -> None:
    """Make the entries of ``folder`` durable, where the platform lets a folder be opened."""
    if os.name == "nt":
        return
    descriptor = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)
